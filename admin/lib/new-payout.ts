interface GivenPayout {
  problemId?: string
  orderId: string | null
  /** Decimal text, in rubles; it may have kopecks, and be too much for one payout. */
  amount: string | null
  account: string | null
}

/** The page for a new payout, filled in with the money to pay back. */
export function newPayoutAt({ problemId, orderId, amount, account }: GivenPayout): string {
  const filled = new URLSearchParams({
    ...(problemId === undefined ? {} : { problem_id: problemId }),
    ...(orderId === null ? {} : { order_id: orderId }),
    ...(amount === null ? {} : { amount }),
    // The list behind it has a filter named `account`.
    ...(account === null ? {} : { from_account: account }),
  })
  return `/payment-service/payouts/new?${filled}`
}
