interface GivenPayout {
  problemId?: string
  orderId: string | null
  /** Decimal text, in rubles; it may have kopecks, and be too much for one payout. */
  amount: string | null
  account: string | null
}

/** The page on which a payout is made, filled with what is to go back. */
export function newPayoutAt({ problemId, orderId, amount, account }: GivenPayout): string {
  const filled = new URLSearchParams({
    ...(problemId === undefined ? {} : { problem_id: problemId }),
    ...(orderId === null ? {} : { order_id: orderId }),
    ...(amount === null ? {} : { amount }),
    // The list behind it has a filter that is called account.
    ...(account === null ? {} : { from_account: account }),
  })
  return `/payment-service/payouts/new?${filled}`
}
