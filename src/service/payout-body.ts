export type CreatePayoutRequest = ({ cardId: string } | { cardNumber: string }) & {
  /** Whole rubles, 1000 to 87500. */
  amountRub: number
}

/** The body of a payout's request. Its fields always have the same order, so that it has the same bytes each time. */
export function payoutBody({ amountRub, ...recipient }: CreatePayoutRequest): object {
  return { ...recipient, amountRub, payoutMethod: "CARD", currencyRequested: "RUB" }
}
