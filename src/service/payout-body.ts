import { invalidRequest } from "./errors"
import { WHOLE_UUID } from "./uuid"

export type CreatePayoutRequest = ({ cardId: string } | { cardNumber: string }) & {
  /** Whole rubles, 1000 to 87500. */
  amountRub: number
}

const MIN_PAYOUT_RUB = 1_000
const MAX_PAYOUT_RUB = 87_500

/**
 * The body of a payout's request. Its fields always have the same order, so that it has the same bytes each time.
 *
 * @throws PaymentServiceError `invalid`; its message never repeats a card number
 */
export function payoutBody(request: CreatePayoutRequest): object {
  const { amountRub } = request
  if (!Number.isInteger(amountRub) || amountRub < MIN_PAYOUT_RUB || amountRub > MAX_PAYOUT_RUB) {
    const range = `${MIN_PAYOUT_RUB} to ${MAX_PAYOUT_RUB}`
    throw invalidRequest(`A payout is ${range} whole rubles`, "amountRub")
  }
  return { ...recipientOf(request), amountRub, payoutMethod: "CARD", currencyRequested: "RUB" }
}

/** Requires exactly one of the two, because the specification does not show what happens otherwise. */
function recipientOf(request: CreatePayoutRequest): { cardId: string } | { cardNumber: string } {
  const { cardId, cardNumber }: { cardId?: string; cardNumber?: string } = request
  if ((cardId === undefined) === (cardNumber === undefined)) {
    throw invalidRequest("A payout goes to either a saved card or a card number")
  }
  if (cardNumber !== undefined) {
    if (/^\d{16}$/.test(cardNumber)) return { cardNumber }
    throw invalidRequest("A card number has 16 digits", "cardNumber")
  }
  if (cardId !== undefined && WHOLE_UUID.test(cardId)) return { cardId }
  throw invalidRequest("This is not a saved card's id: it must be a UUID", "cardId")
}
