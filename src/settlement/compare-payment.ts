import { type AmountInput, compareAmounts, toWireAmount } from "./amount"
import { type StandingRow, standingOf } from "./standing"
import type { Transaction } from "./transaction"

/** A captured payment of ours as Medusa holds it. */
export interface HeldPayment {
  amount: AmountInput
  currency: string
  /** Sum of its captures. */
  captured: AmountInput
  /** Number of other captured payments that name the same transaction. */
  others: number
}

/** The columns of our row that a comparison with Medusa needs. */
export type PaidTransaction = StandingRow & Pick<Transaction, "amount" | "accepted" | "currency">

/**
 * The difference between a payment that Medusa holds and our row.
 *
 * - `no_row`: none of our rows belongs to it
 * - `not_paid`: our row does not say that it was paid
 * - `not_settled`: paid, but our row does not know that Medusa holds it
 * - `amount`: Medusa holds another sum
 * - `captured_twice`: more was captured than the payment is worth, or several payments captured it
 */
export type PaymentDifference = "no_row" | "not_paid" | "not_settled" | "amount" | "captured_twice"

/** The difference, to the kopeck, between a captured payment and our row, or null when there is none. */
export function comparePayment(
  payment: HeldPayment,
  row: PaidTransaction | null
): PaymentDifference | null {
  if (!row) {
    return "no_row"
  }
  if (row.handled_at) {
    return null
  }
  if (row.state !== "paid") {
    return "not_paid"
  }
  const captured = compareAmounts(toWireAmount(payment.captured), toWireAmount(payment.amount))
  if (payment.others > 0 || captured > 0) {
    return "captured_twice"
  }
  if (
    toWireAmount(payment.amount) !== toWireAmount(row.accepted?.amount ?? row.amount) ||
    payment.currency.toUpperCase() !== row.currency.toUpperCase()
  ) {
    return "amount"
  }
  return standingOf(row) === "waiting_for_medusa" ? "not_settled" : null
}
