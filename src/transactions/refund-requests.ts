import type {
  LedgerEntryRow,
  TransactionRow,
  PaymentServiceModuleService,
} from "../modules/payment-service"
import { isProof, isReversal } from "../settlement/ledger"
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

/** Medusa's refunds that have a proof. Core may still be at the others, or was killed. */
export function provenRefunds<Refund extends { id: string }>(
  entries: LedgerEntryRow[],
  refunds: Refund[]
): Refund[] {
  const proven = entries.filter(isProof).map(({ refund_id }) => refund_id)
  return refunds.filter(({ id }) => proven.includes(id))
}

/** The proofs that none of Medusa's refunds has; those of a reversal come last. */
export function unusedProofs(
  proofs: LedgerEntryRow[],
  refunds: { id: string }[]
): LedgerEntryRow[] {
  return proofs
    .filter(({ refund_id }) => !refunds.some(({ id }) => id === refund_id))
    .toSorted((one, other) => Number(isReversal(one)) - Number(isReversal(other)))
}
