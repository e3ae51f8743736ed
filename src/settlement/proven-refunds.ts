import { compareAmounts } from "./amount"

interface Sum {
  /** Decimal text, in the payment's currency. */
  amount: string
}

/** Pairs each proof with a refund of the same amount: these refunds are `proven`, and proofs without a refund `unused`. */
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
