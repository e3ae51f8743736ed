import type { TransactionRow } from "../../../../modules/payment-service"
import { standingOf } from "../../../../settlement/standing"

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
