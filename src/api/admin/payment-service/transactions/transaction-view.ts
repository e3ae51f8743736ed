import type { MedusaContainer } from "@medusajs/framework/types"

import { listOrderMoney } from "../../../../medusa/order-money"
import { paymentServiceModule, type TransactionRow } from "../../../../modules/payment-service"
import { isOwed, subtractAmounts } from "../../../../settlement/amount"
import { isPaidAndNotHandled, standingOf } from "../../../../settlement/standing"
import { isTimeOver, type Transaction } from "../../../../settlement/transaction"

const LISTED = [
  "id",
  "transaction_id",
  "account",
  "merchant_id",
  "method",
  "provider_id",
  "state",
  "exception",
  "status",
  "amount",
  "currency",
  "read_amount",
  "read_currency",
  "paid_late",
  "session_id",
  "payment_collection_id",
  "cart_id",
  "order_id",
  "customer_id",
  "opened_at",
  "expires_at",
  "paid_at",
  "settled_at",
  "handled_at",
  "read_at",
] as const satisfies (keyof TransactionRow)[]

const SHOWN = [
  ...LISTED,
  "base_url",
  "description",
  "redirect",
  "qr",
  "apply_attempts",
  "apply_after",
  "watch_at",
  "hinted_at",
  "deferred_at",
] as const satisfies (keyof TransactionRow)[]

export function listedTransaction(row: TransactionRow, orderNumbers: Map<string, number>) {
  return viewOf(row, LISTED, orderNumbers)
}

export function shownTransaction(row: TransactionRow, orderNumbers: Map<string, number>) {
  const none = { usdt_rate: null, amount_usdt: null, commission: null, commission_usdt: null }
  return { ...viewOf(row, SHOWN, orderNumbers), ...none, ...row.figures }
}

function viewOf<Column extends keyof TransactionRow>(
  row: TransactionRow,
  columns: readonly Column[],
  orderNumbers: Map<string, number>
) {
  const view = {} as Pick<TransactionRow, Column>
  for (const column of columns) view[column] = row[column]
  // Written as JSON, an object spread of two would leave a kilobyte of old memory for each row of an export, until Node collects it.
  return Object.assign(view, {
    accepted_amount: row.accepted?.amount ?? null,
    standing: standingOf(row),
    order_number: orderNumbers.get(row.order_id ?? "") ?? null,
  })
}

/**
 * The payments of an order for admins, first the one that tells what became of it. Only the one that the customer may be asked to
 * pay has its address and QR. Paid ones are among them, however many attempts came later.
 */
export async function paymentsOfOrder(scope: MedusaContainer, orderId: string, limit: number) {
  const module = paymentServiceModule(scope)
  const [rows, [order]] = await Promise.all([
    module.transactionList.page({ order_id: orderId }, { order: "-paid_at", limit }),
    listOrderMoney(scope, [orderId]),
  ])
  const owed = order && !order.isCanceled ? order.owed : null
  const offered = paymentToOffer(rows, owed, module.clock.now())
  return withMoneyFirst(rows).map((row) =>
    row.id === offered?.id ? row : { ...row, redirect: null, qr: null }
  )
}

/**
 * The payments of an order, first the one that says what became of it: the newest with money that nobody has taken care of, else
 * the newest. An attempt that was opened later may be unpaid while an earlier one paid the order.
 */
export function withMoneyFirst<Row extends Transaction>(payments: Row[]): Row[] {
  const newest = payments.toSorted((a, b) => b.opened_at.getTime() - a.opened_at.getTime())
  return [
    ...newest.filter(isPaidAndNotHandled),
    ...newest.filter((payment) => !isPaidAndNotHandled(payment)),
  ]
}

/**
 * The payment of an order that its customer may be asked to pay: the newest that can be paid. There is none while the money of
 * another one waits for Medusa or a person, or when it asks for more than is owed.
 *
 * @param owed the sum that is still to be paid for the order; null for a canceled one
 */
export function paymentToOffer<Row extends Transaction>(
  payments: Row[],
  owed: string | null,
  now: Date
): Row | null {
  const [newest] = withMoneyFirst(payments).filter(
    (payment) => standingOf(payment) === "payable" && !isTimeOver(payment, now)
  )
  const isWaiting = payments
    .filter(isPaidAndNotHandled)
    .some((payment) => standingOf(payment) !== "settled")
  if (!newest || owed === null || isWaiting) return null
  return isOwed(subtractAmounts(newest.amount, owed)) ? null : newest
}
