import { namesTransaction, type Payment } from "../medusa/reader"
import type { LedgerEntryRow, TransactionRow } from "../modules/payment-service"
import { compareAmounts, remainder, subtractAmounts, sumOf } from "../values/amount"
import type { Ports } from "./read-transaction"
import { proofsOf, provenRefunds, unusedProofs } from "./rules/ledger"

export type CapturedMoney = ReturnType<typeof heldMoneyOf>

/**
 * The money that Medusa holds from a transaction's payment.
 *
 * @param entries the ledger of this payment, oldest first
 * @param isBooked whether the order has a refund, so that it counts
 */
export function heldMoneyOf(
  row: TransactionRow,
  payments: Payment[],
  entries: LedgerEntryRow[],
  isBooked: (refundId: string) => boolean = () => true
) {
  const own = payments.filter((payment) => namesTransaction(payment, row))
  const captured = sumOf(own.flatMap(({ captures }) => captures))
  const refunds = own.flatMap((payment) => payment.refunds).filter(({ id }) => isBooked(id))
  const proofs = proofsOf(row, entries)
  const proven = sumOf(provenRefunds(proofs, refunds))
  return {
    entries,
    /** Captures minus proven refunds, exact; decimal text. */
    amount: subtractAmounts(captured, proven),
    /** Medusa's refunds of a reversal that the service has withdrawn; the shop has that money. */
    withdrawn: subtractAmounts(sumOf(provenRefunds(entries, refunds)), proven),
    /** Proofs for which Medusa has no refund yet; none of money that it never took. */
    unbooked: compareAmounts(captured, 0) > 0 ? unusedProofs(proofs, refunds) : [],
  }
}

/** The money that Medusa holds, without money that went back and is to be booked. */
export const stillHeld = ({ amount, unbooked }: CapturedMoney) => remainder(amount, sumOf(unbooked))

export async function findCapturedMoney(ports: Ports, row: TransactionRow): Promise<CapturedMoney> {
  const { payment_collection_id } = row
  const payments = await ports.medusa.listPayments({ payment_collection_id })
  return heldMoneyOf(row, payments, await ports.module.ledger.of([row.id]))
}
