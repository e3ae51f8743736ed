import type { LedgerEntryRow, TransactionRow } from "../modules/payment-service"
import { isProof, isReversal } from "../settlement/ledger"
import { isConfirmed } from "../settlement/standing"

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
