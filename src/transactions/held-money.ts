import { namesTransaction, type Payment, type PaymentParts } from "../medusa/payments"
import type { LedgerEntryRow, TransactionRow } from "../modules/payment-service"
import { addAmounts, compareAmounts, remainder, subtractAmounts, sumOf } from "../settlement/amount"
import { isProof, matchProofs } from "../settlement/ledger"
import type { Ports } from "./ports"
import { withoutRefused } from "./refund-requests"

/** The money that Medusa holds from a transaction's payment. */
export interface HeldMoney {
  /** The ledger of this payment, oldest first. */
  entries: LedgerEntryRow[]
  /** Captures minus refunds that proofs cover, exact; decimal text. */
  amount: string
  /** Proofs of payouts that an admin has not recorded. */
  toRecord: LedgerEntryRow[]
  /** Proofs for which Medusa has no refund yet; none of money that it never took. */
  unbooked: LedgerEntryRow[]
  /** Those of them that are recorded, and are to be booked. */
  waiting: LedgerEntryRow[]
}

/**
 * @param entries of this row
 * @param isBooked whether the order has a refund, so that it counts
 */
export function heldMoneyOf(
  row: TransactionRow,
  payments: (Payment & PaymentParts)[],
  entries: LedgerEntryRow[],
  isBooked: (refundId: string) => boolean = () => true
): HeldMoney {
  const own = payments.filter((payment) => namesTransaction(payment, row))
  const captured = sumOf(own.flatMap(({ captures }) => captures))
  const refunds = own.flatMap((payment) => payment.refunds).filter(({ id }) => isBooked(id))
  const proofs = entries.filter(isProof)
  const toRecord = proofs.filter(isUnrecorded)
  const others = proofs.filter((proof) => !isUnrecorded(proof))
  const { proven, unused } = matchProofs([...others, ...toRecord], withoutRefused(refunds, entries))
  const unbooked = compareAmounts(captured, 0) > 0 ? unused : []
  return {
    entries,
    amount: subtractAmounts(captured, sumOf(proven)),
    toRecord,
    unbooked,
    waiting: unbooked.filter((proof) => !isUnrecorded(proof)),
  }
}

/** The most that may still go back, payouts that are to be recorded included. */
export function heldBeforePayouts({ amount, toRecord, unbooked, waiting }: HeldMoney): string {
  const booked = toRecord.filter((proof) => !unbooked.includes(proof))
  return remainder(addAmounts(amount, sumOf(booked)), sumOf(waiting))
}

export async function findHeldMoney(ports: Ports, row: TransactionRow): Promise<HeldMoney> {
  const ofRow = { payment_collection_id: row.payment_collection_id }
  const payments = await ports.medusa.listPayments(ofRow, ["captures", "refunds"])
  return heldMoneyOf(row, payments, await ports.module.ledger.of([row.id]))
}

/** An admin records a payout's refund; a refund outside is recorded by its proof itself. */
function isUnrecorded({ kind, recorded_at }: LedgerEntryRow): boolean {
  return kind === "payout" && recorded_at === null
}
