import { namesTransaction, type Payment, type PaymentParts } from "../medusa/payments"
import type { LedgerEntryRow, TransactionRow } from "../modules/payment-service"
import { compareAmounts, remainder, subtractAmounts, sumOf } from "../settlement/amount"
import type { Ports } from "./ports"
import { proofsOf, provenRefunds, unusedProofs } from "./proofs-of-refunds"

/** The money that Medusa holds from a transaction's payment. */
export interface HeldMoney {
  /** The ledger of this payment, oldest first. */
  entries: LedgerEntryRow[]
  /** Captures minus proven refunds, exact; decimal text. */
  amount: string
  /** Medusa's refunds of a reversal that the service has withdrawn; the shop has that money. */
  withdrawn: string
  /** Proofs for which Medusa has no refund yet; none of money that it never took. */
  unbooked: LedgerEntryRow[]
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
  const proofs = proofsOf(row, entries)
  const proven = sumOf(provenRefunds(proofs, refunds))
  return {
    entries,
    amount: subtractAmounts(captured, proven),
    withdrawn: subtractAmounts(sumOf(provenRefunds(entries, refunds)), proven),
    unbooked: compareAmounts(captured, 0) > 0 ? unusedProofs(proofs, refunds) : [],
  }
}

/** The money that Medusa holds, without money that went back and is to be booked. */
export const stillHeld = ({ amount, unbooked }: HeldMoney) => remainder(amount, sumOf(unbooked))

/**
 * Medusa's payment of a transaction, made by the session `of` or by any other than `notOf`; else null. It reads payments instead
 * of sessions, because another tab can delete a session while it becomes a payment.
 */
export async function findHeldPayment(
  { medusa }: Ports,
  row: Pick<TransactionRow, "transaction_id" | "payment_collection_id" | "provider_id">,
  wanted: { of: string } | { notOf: string | null }
): Promise<Payment | null> {
  const payments = await medusa.listPayments({ payment_collection_id: row.payment_collection_id })
  const isWanted = ({ sessionId }: Payment) =>
    "of" in wanted ? sessionId === wanted.of : sessionId !== wanted.notOf
  return (
    payments.find(
      (payment) => isWanted(payment) && namesTransaction(payment, row) && !payment.isCanceled
    ) ?? null
  )
}

export async function findHeldMoney(ports: Ports, row: TransactionRow): Promise<HeldMoney> {
  const ofRow = { payment_collection_id: row.payment_collection_id }
  const payments = await ports.medusa.listPayments(ofRow, ["captures", "refunds"])
  return heldMoneyOf(row, payments, await ports.module.ledger.of([row.id]))
}
