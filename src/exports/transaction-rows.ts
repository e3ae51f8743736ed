import type { MedusaContainer } from "@medusajs/framework/types"

import { findOrderNumbers } from "../medusa/search"
import {
  type Accounts,
  paymentServiceModule,
  type TransactionRow,
} from "../modules/payment-service"
import { findRefunded } from "../payments"
import { listedStandingOf, standingOf } from "../payments/rules/standing"
import { paidSum } from "../payments/rules/transaction"
import { orderIdsIn, withOrderNumbers } from "../problems/rules/order-numbers"
import { reasonsText } from "../problems/rules/reasons"
import { isWanted, type RecordFilter } from "../reconciliation/list-records"
import { compareRecord } from "../reconciliation/rules/compare-record"
import { type OddTransaction, readRecord } from "../service/schemas"
import type { ConfiguredMerchantAccount } from "../settings/accounts"
import { hasText, NOTHING, type Text, text } from "../texts"
import { addAmounts } from "../values/amount"
import { type Cell, column, DATE, type Reader, type Table } from "./file-formats"

/** A transaction, the store's or the service's, in the form of the service's records, which may be read only in part. */
interface Exported {
  record: Omit<OddTransaction, "odd">
  row: Record<"order_id" | "session_id" | "cart_id" | "customer_id", string | null> | null
  /** Its difference to Medusa. */
  difference: Text
}
export type TransactionLine = Awaited<ReturnType<typeof withNumbers>>[number]

/** Adds the numbers of orders, also in words, where admins know orders by them. */
async function withNumbers(container: MedusaContainer, transactions: Exported[]) {
  const orderIds = transactions.map(({ row }) => row && row.order_id)
  const inWords = transactions.flatMap(({ difference }) => orderIdsIn(difference))
  const numbers = await findOrderNumbers(container, [...orderIds, ...inWords])
  return transactions.map(({ record, row, difference }) => ({
    record,
    row,
    difference: withOrderNumbers(difference, numbers),
    orderNumber: numbers.get(row?.order_id ?? "") ?? null,
  }))
}

/** Transactions as a table, with a row of totals for each currency. */
export const TRANSACTIONS: Table<TransactionLine> = {
  sheet: text("sheets", "transactions"),
  columns: [
    column("order", 10, (line) => line.orderNumber),
    column("transaction", 38, ({ record }) => record.recordId || null),
    column("created", 20, ({ record }) => record.createdAt, DATE),
    column("time_zone", 16, (_line, { timeZone }) => timeZone),
    column("gross", 14, ({ record: { amount } }) => amount && Number(amount), "#,##0.00"),
    column("currency", 9, ({ record }) => record.currencyCode),
    column("method", 12, ({ record }) => record.paymentMethod),
    column("status", 22, ({ record }) => record.status),
    column("description", 40, ({ record }) => record.description),
    column("payload", 32, ({ record }) => record.payload),
    column("payment_session", 36, ({ row }) => row && row.session_id),
    column("cart", 32, ({ row }) => row && row.cart_id),
    column("customer", 32, ({ row }) => row && row.customer_id),
    column("difference", 50, (line, { locale }) => line.difference[locale]),
  ],
  totals: (locale) => {
    const sums = new Map<string | null, { sum: string; count: number }>()
    return {
      add: ({ record: { currencyCode, amount } }) => {
        const { sum, count } = sums.get(currencyCode) ?? { sum: "0", count: 0 }
        sums.set(currencyCode, { sum: addAmounts(sum, amount ?? "0"), count: count + 1 })
      },
      rows: () =>
        [...sums].map(([currency, { sum, count }]): Cell[] => [
          text("totals", "total")[locale],
          text("totals", "transactions", { count })[locale],
          null,
          null,
          // Amounts without a currency are not added up.
          currency && Number(sum),
          currency,
        ]),
    }
  },
}

export async function storeLines(
  container: MedusaContainer,
  rows: TransactionRow[],
  { locale, clock }: Reader
) {
  const refunded = await findRefunded(container, rows)
  const transactions = rows.map((row) => ({
    record: {
      recordId: row.transaction_id ?? "",
      createdAt: clock(row.opened_at),
      amount: paidSum(row).amount,
      currencyCode: paidSum(row).currency,
      paymentMethod: hasText("methods", row.method)
        ? text("methods", row.method)[locale]
        : row.method,
      status: text("standings", listedStandingOf(row, refunded.get(row.id)))[locale],
      description: row.description,
      payload: row.id,
    },
    row,
    difference: differenceOfRow(row),
  }))
  return await withNumbers(container, transactions)
}

/** A merchant's export, and the filters that this store applies to it. */
interface ServiceExport {
  container: MedusaContainer
  accounts: Accounts
  merchant: ConfiguredMerchantAccount
  filter: RecordFilter
  /** When the export began. */
  listedAt: Date
}

/** The records that the filter leaves, with all of their fields. Our rows are looked up only where a filter needs them. */
export async function selectedRecords(task: ServiceExport, batch: unknown[]): Promise<unknown[]> {
  const isFiltered = Object.values(task.filter).some((value) => value !== undefined)
  return isFiltered ? (await matching(task, batch)).map(({ wire }) => wire) : batch
}

/** The same as lines of a table. A record that is not as specified has a line, too, which says so. */
export async function serviceLines(task: ServiceExport, batch: unknown[]) {
  const found = await matching(task, batch)
  const transactions = found.map(({ record, row }) => ({
    record,
    row,
    difference: differenceIn(task, record, row),
  }))
  return await withNumbers(task.container, transactions)
}

/** The difference between a record and our row or, when the two agree, the exception of the row itself. */
function differenceIn(
  { accounts, merchant, listedAt }: ServiceExport,
  record: ReturnType<typeof readRecord>,
  row: TransactionRow | null
) {
  if ("odd" in record) {
    const { field } = record.odd
    return text("recordDifferences", field ? "odd_field" : "odd", { field })
  }
  const { statuses } = (row && accounts.findForRow(row)) ?? merchant.accounts[0]
  const difference = compareRecord({ record, row, statuses, listedAt })
  // Only `not_here` has no row.
  if (!row) return difference ? text("recordDifferences", difference) : NOTHING
  const { status, state } = row
  const facts = { sum: paidSum(row), status: status ?? state }
  return difference ? text("recordDifferences", difference, facts) : differenceOfRow(row)
}

/** The records that the filter leaves, also as the service sent them (`wire`), with our rows. */
async function matching({ container, merchant, filter }: ServiceExport, batch: unknown[]) {
  const records = batch.map((wire) => ({ wire, record: readRecord(wire) }))
  const rowOf = await paymentServiceModule(container).transactionList.finderFor(
    merchant.merchantId,
    records.map(({ record }) => record)
  )
  return records
    .map((one) => ({ ...one, row: rowOf(one.record) }))
    .filter(({ record, row }) => isWanted(record, row && row.id, filter))
}

/** Why a payment in Medusa differs from the service's; empty when all is in order. */
function differenceOfRow(row: TransactionRow): Text {
  const { exception, exception_reasons: reasons } = row
  if (exception !== null) {
    return reasons?.length ? reasonsText(reasons) : text("exceptions", exception)
  }
  return standingOf(row) === "waiting_for_medusa"
    ? text("recordDifferences", "not_settled")
    : NOTHING
}
