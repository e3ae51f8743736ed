import type { TransactionRow } from "../modules/payment-service"
import { matchProofs } from "../settlement/proven-refunds"
import type { AskedRefund } from "../settlement/refund-due"
import type { OurModule } from "./ports"

/** The work takes a few statements, so the lease of a process that died ends soon. */
const LEASE = { ttlMs: 10_000, waitMs: 15_000 }

/**
 * Runs `work` while it alone proves, refuses or judges refunds of a transaction: each refund is either refused before a proof is
 * recorded, or covered by it.
 */
export async function holdRefunds<T>(
  module: OurModule,
  rowId: TransactionRow["id"],
  work: () => Promise<T>
): Promise<T> {
  return await module.leases.hold(`refund:${rowId}`, LEASE, work)
}

export function askedOf({ refunds_asked }: Pick<TransactionRow, "refunds_asked">): AskedRefund[] {
  return Object.values(refunds_asked ?? {}) as AskedRefund[]
}

/** Medusa's refunds without refused ones, which core deletes a moment later, unless it is killed. */
export function withoutRefused<Refund extends { id: string }>(
  refunds: Refund[],
  row: Pick<TransactionRow, "refunds_asked">
): Refund[] {
  const refused = askedOf(row).map(({ refund_id }) => refund_id)
  return refunds.filter(({ id }) => !refused.includes(id))
}

/** Medusa's refunds that proofs cover. Core may still be at the others, or was killed. */
export function provenRefunds<Refund extends { id: string; amount: string }>(
  proofs: { amount: string }[],
  refunds: Refund[],
  row: Pick<TransactionRow, "refunds_asked">
): Refund[] {
  return matchProofs(proofs, withoutRefused(refunds, row)).proven
}
