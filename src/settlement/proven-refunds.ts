import { compareAmounts } from "./amount"

interface Sum {
  /** Decimal text, in the payment's currency. */
  amount: string
}

/** Finds a refund of the same amount for each proof: these refunds are `proven`, and the other proofs `unused`. */
export function matchProofs<Proof extends Sum, Refund extends Sum>(
  proofs: Proof[],
  refunds: Refund[]
): { proven: Refund[]; unused: Proof[] } {
  const unused = [...proofs]
  const proven = refunds.filter(({ amount }) => {
    const index = unused.findIndex((proof) => compareAmounts(proof.amount, amount) === 0)
    return index >= 0 && unused.splice(index, 1).length > 0
  })
  return { proven, unused }
}
