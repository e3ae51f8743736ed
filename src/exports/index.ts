/**
 * Files of transactions, the service's records and payouts, as CSV, XLSX and JSON. A source is a generator of batches of rows; a table
 * is columns with a value of each row; a library makes bytes of them. So a million records stream in bounded memory. A text that a
 * spreadsheet could take for a formula gets an apostrophe. A file gets its end only once its export is recorded, and an error after
 * the first batch breaks the connection: no part looks like the whole.
 */

import type { MedusaContainer } from "@medusajs/framework/types"

import { findCustomers, findNumbersFor, findOrderNumbers } from "../medusa/search"
import { paymentServiceModule } from "../modules/payment-service"
import type { Accounts, PayoutRow, TransactionRow } from "../modules/payment-service"
import { findRefunded, listedTransaction, NO_FIGURES } from "../payments"
import * as transaction from "../payments/rules/transaction"
import { maskedCard } from "../payouts/rules/card-text"
import { outcomeReason } from "../payouts/rules/outcome"
import { PAYOUT_CURRENCY } from "../payouts/rules/payout"
import { orderIdsIn, withOrderNumbers } from "../problems/rules/problems"
import { reasonsText } from "../problems/rules/reasons"
import { isWanted, type RecordFilter } from "../reconciliation/service-list"
import { compareRecord } from "../reconciliation/rules/comparison"
import { type OddTransaction, readRecord } from "../service/schemas"
import type { ConfiguredMerchant } from "../settings/accounts"
import type { AccountOptions } from "../settings/options"
import { type Code, NOTHING, type Text, text } from "../texts"
import { addAmounts } from "../values/amount"
import { column, DATE, type Reader, type Table } from "./file-formats"

export * from "./file-formats"

/** The reader of the file, which names customers only for those who may see them in Medusa. */
type FileReader = Reader & { seesCustomers: boolean }

/** A transaction, the store's or the service's, in the form of the service's records, which may be read only in part. */
export interface TransactionLine {
  record: Omit<OddTransaction, "odd">
  isPaid: boolean
  /** The sum that came, in the record's currency: decimal text; null when it was not paid, or could not be read. */
  paid: string | null
  row: TransactionRow | null
  difference: Text
  known: Awaited<ReturnType<typeof knownOf>>
}

async function knownOf(
  container: MedusaContainer,
  lines: Pick<TransactionLine, "row" | "difference">[],
  { seesCustomers }: FileReader
) {
  const rows = lines.flatMap(({ row }) => row ?? [])
  const inWords = lines.flatMap(({ difference }) => orderIdsIn(difference))
  const [numbers, refunded, customers] = await Promise.all([
    findOrderNumbers(container, [...rows.map(({ order_id }) => order_id), ...inWords]),
    findRefunded(container, rows),
    findCustomers(container, seesCustomers ? rows.map(({ customer_id }) => customer_id) : []),
  ])
  return { numbers, refunded, customers }
}

const MONEY = "#,##0.00"
const numberOf = (amount: string | null | undefined) => (amount ? Number(amount) : null)
const orderOf = ({ row, known }: TransactionLine) => known.numbers.get(row?.order_id ?? "") ?? null
const refundedOf = ({ row, known }: TransactionLine) => known.refunded.get(row?.id ?? "") ?? null
const customerOf = ({ row, known }: TransactionLine) =>
  known.customers.get(row?.customer_id ?? "") ?? null

const NO_SUMS = { count: 0, asked: "0", paid: "0", refunded: "0" }
type Total = typeof NO_SUMS & { isPaid: boolean; currency: string | null }

/** Transactions as a table. For each currency, a row adds up what was paid, and another one names apart what was not. */
export const TRANSACTIONS: Table<TransactionLine> = {
  sheet: text("sheets", "transactions"),
  columns: [
    column("order", 10, orderOf),
    column("customer_name", 24, (line) => customerOf(line)?.name),
    column("email", 30, (line) => customerOf(line)?.email),
    column("transaction", 38, ({ record }) => record.recordId || null),
    column("created", 20, ({ record }) => record.createdAt, DATE),
    column("paid_at", 20, ({ row }, { clock }) => row?.paid_at && clock(row.paid_at), DATE),
    column("time_zone", 16, (_line, { timeZone }) => timeZone),
    column("asked", 14, ({ record }) => numberOf(record.amount), MONEY),
    column("paid", 14, ({ paid }) => numberOf(paid), MONEY),
    column("refunded", 14, (line) => numberOf(refundedOf(line)), MONEY),
    column("currency", 9, ({ record }) => record.currencyCode),
    column("commission", 14, ({ row }) => numberOf(row?.figures?.commission)),
    column("commission_usdt", 14, ({ row }) => numberOf(row?.figures?.commission_usdt)),
    column("usdt", 14, ({ row }) => numberOf(row?.figures?.amount_usdt)),
    column("method", 12, ({ record }) => record.paymentMethod),
    column("status", 22, ({ record }) => record.status),
    column("description", 40, ({ record }) => record.description),
    column("payload", 32, ({ record }) => record.payload),
    column("payment_session", 36, ({ row }) => row?.session_id),
    column("cart", 32, ({ row }) => row?.cart_id),
    column("customer", 32, ({ row }) => row?.customer_id),
    column("difference", 50, ({ difference, known }, { locale }) => {
      return withOrderNumbers(difference, known.numbers)[locale]
    }),
  ],
  totals: (locale) => {
    const totals = new Map<string, Total>()
    return {
      add: (line) => {
        const { record, isPaid, paid } = line
        const currency = record.currencyCode
        const key = `${isPaid} ${currency}`
        const total = totals.get(key) ?? { isPaid, currency, ...NO_SUMS }
        total.count++
        total.asked = addAmounts(total.asked, record.amount ?? "0")
        total.paid = addAmounts(total.paid, paid ?? "0")
        total.refunded = addAmounts(total.refunded, refundedOf(line) ?? "0")
        totals.set(key, total)
      },
      rows: () => {
        const paidFirst = [...totals.values()].toSorted((a, b) => +b.isPaid - +a.isPaid)
        return paidFirst.map(({ isPaid, currency, count, ...sums }) => {
          // Amounts without a currency are not added up.
          const sum = (amount: string) => currency && Number(amount)
          return {
            order: text("totals", isPaid ? "paid" : "not_paid")[locale],
            customer_name: text("totals", "transactions", { count })[locale],
            asked: sum(sums.asked),
            paid: isPaid ? sum(sums.paid) : null,
            refunded: isPaid ? sum(sums.refunded) : null,
            currency,
          }
        })
      },
    }
  },
}

export async function storeLines(
  container: MedusaContainer,
  rows: TransactionRow[],
  reader: FileReader
) {
  const { locale, clock } = reader
  const found = rows.map((row) => ({ row, difference: differenceOfRow(row) }))
  const known = await knownOf(container, found, reader)
  return found.map(({ row, difference }) => {
    const { currency, amount } = transaction.paidSum(row)
    const standing = transaction.listedStandingOf(row, known.refunded.get(row.id))
    return {
      record: {
        recordId: row.transaction_id ?? "",
        createdAt: clock(row.opened_at),
        amount: row.currency === currency ? row.amount : null,
        currencyCode: currency,
        paymentMethod: text("methods", row.method as Code<"methods">)[locale],
        status: text("standings", standing)[locale],
        description: row.description,
        payload: row.id,
      },
      isPaid: transaction.wasPaid(row),
      paid: transaction.wasPaid(row) ? amount : null,
      row,
      difference,
      known,
    }
  })
}

export const listedLine = (line: TransactionLine & { row: TransactionRow }) =>
  Object.assign(listedTransaction(line.row, line.known), NO_FIGURES, line.row.figures, {
    customer: customerOf(line),
  })

interface ServiceExport {
  container: MedusaContainer
  accounts: Accounts
  merchant: ConfiguredMerchant
  filter: RecordFilter
  listedAt: Date
}

/** The records that the filter leaves, with all of their fields. Our rows are looked up only where a filter needs them. */
export async function selectedRecords(task: ServiceExport, batch: unknown[]): Promise<unknown[]> {
  const isFiltered = Object.values(task.filter).some((value) => value !== undefined)
  return isFiltered ? (await matching(task, batch)).map(({ wire }) => wire) : batch
}

/** The same as lines of a table. A record that is not as specified has a line, too, which says so. */
export async function serviceLines(task: ServiceExport, batch: unknown[], reader: FileReader) {
  const lines = (await matching(task, batch)).map(({ record, row }) => {
    const { statuses } = (row && task.accounts.findForRow(row)) ?? task.merchant.accounts[0]
    const isPaid =
      record.status !== null && transaction.meaningOf(record.status, statuses) === "paid"
    const difference = differenceIn(task, record, row, statuses)
    return { record, isPaid, paid: isPaid ? record.amount : null, row, difference }
  })
  const known = await knownOf(task.container, lines, reader)
  return lines.map((line) => ({ ...line, known }))
}

/** The difference between a record and our row or, when the two agree, that of the row itself. */
function differenceIn(
  { listedAt }: ServiceExport,
  record: ReturnType<typeof readRecord>,
  row: TransactionRow | null,
  statuses: AccountOptions["statuses"]
) {
  if ("odd" in record) {
    const { field } = record.odd
    return text("recordDifferences", field ? "odd_field" : "odd", { field })
  }
  const difference = compareRecord(record, row, statuses, listedAt)
  if (!difference) return row ? differenceOfRow(row) : NOTHING
  // Only `not_here` has no row.
  const facts = row ? { sum: transaction.paidSum(row), status: row.status ?? row.state } : undefined
  return text("recordDifferences", difference, facts)
}

async function matching({ container, merchant, filter }: ServiceExport, batch: unknown[]) {
  const records = batch.map((wire) => ({ wire, record: readRecord(wire) }))
  const { transactionList } = paymentServiceModule(container)
  const asked = records.map(({ record }) => record)
  const rowOf = await transactionList.finderFor(merchant.merchantId, asked)
  return records
    .map((one) => ({ ...one, row: rowOf(one.record) }))
    .filter(({ record, row }) => isWanted(record, row && row.id, filter))
}

function differenceOfRow(row: TransactionRow): Text {
  const { exception, exception_reasons: reasons } = row
  if (exception !== null && reasons?.length) return reasonsText(reasons)
  if (exception !== null) return text("exceptions", exception)
  const isWaiting = transaction.standingOf(row) === "waiting_for_medusa"
  return isWaiting ? text("recordDifferences", "not_settled") : NOTHING
}

export async function exportedPayouts(container: MedusaContainer, rows: PayoutRow[]) {
  const numbers = await findNumbersFor(container, rows)
  const { payouts } = paymentServiceModule(container)
  const entries = await payouts.lastEntriesOf(rows.map(({ id }) => id))
  return rows.map((row) => ({ ...row, numbers, last: entries.get(row.id) ?? null }))
}

export const PAYOUTS: Table<Awaited<ReturnType<typeof exportedPayouts>>[number]> = {
  sheet: text("sheets", "payouts"),
  columns: [
    column("payout", 32, (row) => row.id),
    column("made", 20, (row, { clock }) => clock(row.made_at), DATE),
    column("time_zone", 16, (_row, { timeZone }) => timeZone),
    column("state", 22, (row, { locale }) => text("payoutStates", row.state)[locale]),
    column("amount", 12, (row) => row.amount, "#,##0"),
    column("currency", 9, () => PAYOUT_CURRENCY),
    column("usdt_debited", 14, (row) => row.amount_usdt && Number(row.amount_usdt)),
    column("card", 12, (row) => maskedCard(row.card_last4)),
    column("brand", 12, (row) => row.card_brand),
    column("label", 20, (row) => row.card_label),
    column("account", 14, (row) => row.account),
    column("made_by", 22, (row) => row.made_by_name),
    column("approved_by", 22, (row) => row.approved_by_name),
    column("sent_by", 22, (row) => row.sent_by_name),
    column("sent", 20, (row, { clock }) => row.sent_at && clock(row.sent_at), DATE),
    column("order", 10, (row) => row.numbers.get(row.order_id ?? "") ?? null),
    column("problem", 32, (row) => row.problem_id),
    column("withdrawal_record", 38, (row) => row.withdrawal_record_id),
    column("reason", 50, (row, { locale }) => outcomeReason(row)?.[locale] ?? null),
    column("note", 40, (row) => row.note),
    column("marked_by", 22, (row) => row.marked_by_name),
    column("mark_note", 40, (row) => row.mark_note),
    column("last_action", 22, ({ last }, { locale }) => {
      return last && text("payoutEntries", last.kind)[locale]
    }),
    column("last_action_at", 20, ({ last }, { clock }) => last && clock(last.at), DATE),
    column("last_action_by", 22, ({ last }) => last && last.by_name),
  ],
  totals: (locale) => {
    let count = 0
    let sum = 0
    return {
      add: ({ state, amount }) => {
        if (state !== "created" && state !== "marked_sent") return
        count++
        sum += amount
      },
      rows: () => [{ payout: text("totals", "payouts", { count })[locale], amount: sum }],
    }
  },
}
