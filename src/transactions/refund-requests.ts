import type { TransactionRow } from "../modules/payment-service"
import type { AskedRefund } from "../settlement/refund-due"
import type { OurModule } from "./ports"

/** The work takes a few statements, so the lease of a process that died ends soon. */
const LEASE = { ttlMs: 10_000, waitMs: 15_000 }

/**
 * Runs `work` while nobody else proves or refuses a refund of a transaction, or judges what is due of it: a refund
 * is refused before a proof is recorded, or else is covered by it.
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

/** Medusa's refunds without those that were refused: core deletes them in the next moment, unless it is killed. */
export function withoutRefused<Refund extends { id: string }>(
  refunds: Refund[],
  row: Pick<TransactionRow, "refunds_asked">
): Refund[] {
  const refused = askedOf(row).map(({ refund_id }) => refund_id)
  return refunds.filter(({ id }) => !refused.includes(id))
}
