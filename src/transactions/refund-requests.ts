import type {
  LedgerEntryRow,
  TransactionRow,
  PaymentServiceModuleService,
} from "../modules/payment-service"
import { isProof, isReversal, matchProofs } from "../settlement/ledger"
import { isConfirmed } from "../settlement/standing"

/** The work takes a few statements, so the lease of a process that died ends soon. */
const LEASE = { ttlMs: 10_000, waitMs: 15_000 }

/**
 * Runs `work` while it alone proves, refuses or judges refunds of an order, or of a payment without one: each refund is either
 * refused before a proof is recorded, or covered by it, and nobody is told to pay back what has just gone back.
 */
export async function holdRefunds<T>(
  module: PaymentServiceModuleService,
  id: string,
  work: () => Promise<T>
): Promise<T> {
  return await module.leases.hold(`refund:${id}`, LEASE, work)
}

/** The proofs of a payment that count: a reversal proves nothing any more when the service confirms the payment again. */
export function proofsOf(row: TransactionRow, entries: LedgerEntryRow[]): LedgerEntryRow[] {
  return entries.filter((entry) => isProof(entry) && !(isReversal(entry) && isConfirmed(row)))
}

/** Medusa's refunds without refused ones, which core deletes a moment later, unless it is killed. */
export function withoutRefused<Refund extends { id: string }>(
  refunds: Refund[],
  entries: LedgerEntryRow[]
): Refund[] {
  const refused = entries.map(({ refund_id }) => refund_id)
  return refunds.filter(({ id }) => !refused.includes(id))
}

/** Medusa's refunds that proofs cover. Core may still be at the others, or was killed. */
export function provenRefunds<Refund extends { id: string; amount: string }>(
  entries: LedgerEntryRow[],
  refunds: Refund[]
): Refund[] {
  return matchProofs(entries.filter(isProof), withoutRefused(refunds, entries)).proven
}
