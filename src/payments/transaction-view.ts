import type { MedusaContainer } from "@medusajs/framework/types"

import { listOrderMoney } from "../medusa/reader"
import { paymentServiceModule, type TransactionRow } from "../modules/payment-service"
import { refundedOf } from "./rules/ledger"
import {
  listedStandingOf,
  paidSum,
  paymentToOffer,
  providerIdOf,
  wasPaid,
  withMoneyFirst,
} from "./rules/transaction"

const LISTED = [
  "id",
  "transaction_id",
  "account",
  "merchant_id",
  "method",
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

/** The numbers of the rows' orders, and the sums that went back. */
interface Beside {
  numbers: Map<string, number>
  refunded: Map<string, string>
}

/** The sums of these payments that went back, by row. */
export async function findRefunded(scope: MedusaContainer, rows: { id: string }[]) {
  return refundedOf(await paymentServiceModule(scope).ledger.of(rows.map(({ id }) => id)))
}

/** The figures of a payment for which the service gave none. */
export const NO_FIGURES = {
  usdt_rate: null,
  amount_usdt: null,
  commission: null,
  commission_usdt: null,
}

export function listedTransaction(row: TransactionRow, beside: Beside) {
  return viewOf(row, LISTED, beside)
}

export function shownTransaction(row: TransactionRow, beside: Beside) {
  return { ...viewOf(row, SHOWN, beside), ...NO_FIGURES, ...row.figures }
}

function viewOf<Column extends keyof TransactionRow>(
  row: TransactionRow,
  columns: readonly Column[],
  { numbers, refunded }: Beside
) {
  const view = {} as Pick<TransactionRow, Column>
  for (const column of columns) view[column] = row[column]
  // Written as JSON, an object spread of two would leave a kilobyte of old memory for each row of an export, until Node collects it.
  return Object.assign(view, {
    /** The sum that came and that the store has, or had before a refund; null when nothing came. */
    paid_amount: wasPaid(row) ? paidSum(row).amount : null,
    refunded_amount: refunded.get(row.id) ?? null,
    provider_id: providerIdOf(row),
    accepted_amount: row.accepted?.amount ?? null,
    standing: listedStandingOf(row, refunded.get(row.id)),
    order_number: numbers.get(row.order_id ?? "") ?? null,
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
