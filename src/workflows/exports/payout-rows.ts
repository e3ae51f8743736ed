import type { MedusaContainer } from "@medusajs/framework/types"

import { findOrderNumbers } from "../../medusa/search"
import type { PaymentServiceModuleService, PayoutRow } from "../../modules/payment-service"
import type { PayoutFilter } from "../../modules/payment-service/payout-list"
import type { JournaledPayout } from "../../modules/payment-service/payouts"
import { maskedCard } from "../../settlement/payouts/card-text"
import { PAYOUT_CURRENCY } from "../../settlement/payouts/payout"
import { payoutReason } from "../../settlement/payouts/reasons"
import { PAYOUT_STATE_TEXTS } from "../../settlement/payouts/state-text"
import { counted, type Text } from "../../settlement/problems/words"
import type { Cell, Locale, Table } from "./table"
import { wallClockIn } from "./wall-clock"

/** The number of payouts in memory at a time. */
const BATCH = 500

/** Payouts of this store, the numbers of their orders by the orders' ids, and their journals on request. */
export interface PayoutBatch {
  rows: PayoutRow[]
  orderNumbers: Map<string, number>
  journal: JournaledPayout[]
}

/** This store's payouts, newest first. */
export async function* storePayouts(
  module: PaymentServiceModuleService,
  container: MedusaContainer,
  { filter, withJournal }: { filter: PayoutFilter; withJournal: boolean }
): AsyncGenerator<PayoutBatch, void, undefined> {
  for await (const rows of module.payoutList.all(filter, BATCH)) {
    const orderIds = rows.flatMap(({ order_id }) => order_id ?? [])
    const [orderNumbers, journal] = await Promise.all([
      findOrderNumbers(container, orderIds),
      withJournal ? module.payouts.journalsOf(rows.map(({ id }) => id)) : [],
    ])
    yield { rows, orderNumbers, journal }
  }
}

type Wall = (moment: Date) => Date

/** A line of a table of payouts. */
interface PayoutLine {
  row: PayoutRow
  orderNumber: number | null
  timeZone: string
  wall: Wall
  locale: Locale
}

/** Payouts as lines of a table. */
export function payoutLines(
  timeZone: string,
  locale: Locale
): (batch: PayoutBatch) => PayoutLine[] {
  const wall = wallClockIn(timeZone)
  return ({ rows, orderNumbers }) =>
    rows.map((row) => {
      const orderNumber = orderNumbers.get(row.order_id ?? "") ?? null
      return { row, orderNumber, timeZone, wall, locale }
    })
}

interface Column<Line> {
  title: Text
  width: number
  format?: string
  cell: (line: Line) => Cell
}

const DATE = "yyyy-mm-dd hh:mm:ss"
const at = (moment: Date | null, wall: Wall) => moment && wall(moment)

/** The positions of the columns that contain totals. */
const [ID, AMOUNT] = [0, 4]

const PAYOUT_COLUMNS: Column<PayoutLine>[] = [
  { title: { en: "Payout", ru: "Выплата" }, width: 32, cell: ({ row }) => row.id },
  {
    ...{ title: { en: "Made", ru: "Составлена" }, width: 20, format: DATE },
    cell: ({ row, wall }) => wall(row.made_at),
  },
  { title: { en: "Time zone", ru: "Часовой пояс" }, width: 16, cell: ({ timeZone }) => timeZone },
  {
    ...{ title: { en: "State", ru: "Состояние" }, width: 22 },
    cell: ({ row, locale }) => PAYOUT_STATE_TEXTS[row.state][locale],
  },
  {
    ...{ title: { en: "Amount", ru: "Сумма" }, width: 12, format: "#,##0" },
    cell: ({ row }) => row.amount,
  },
  { title: { en: "Currency", ru: "Валюта" }, width: 9, cell: () => PAYOUT_CURRENCY },
  {
    ...{ title: { en: "USDT debited", ru: "Списано USDT" }, width: 14 },
    cell: ({ row }) => (row.amount_usdt === null ? null : Number(row.amount_usdt)),
  },
  {
    ...{ title: { en: "Card", ru: "Карта" }, width: 12 },
    cell: ({ row }) => maskedCard(row.card_last4),
  },
  { title: { en: "Brand", ru: "Платёжная система" }, width: 12, cell: ({ row }) => row.card_brand },
  { title: { en: "Label", ru: "Название карты" }, width: 20, cell: ({ row }) => row.card_label },
  { title: { en: "Account", ru: "Учётная запись" }, width: 14, cell: ({ row }) => row.account },
  { title: { en: "Made by", ru: "Составил" }, width: 22, cell: ({ row }) => row.made_by_name },
  {
    ...{ title: { en: "Approved by", ru: "Одобрил" }, width: 22 },
    cell: ({ row }) => row.approved_by_name,
  },
  { title: { en: "Sent by", ru: "Отправил" }, width: 22, cell: ({ row }) => row.sent_by_name },
  {
    ...{ title: { en: "Sent", ru: "Отправлена" }, width: 20, format: DATE },
    cell: ({ row, wall }) => at(row.sent_at, wall),
  },
  { title: { en: "Order", ru: "Заказ" }, width: 10, cell: ({ orderNumber }) => orderNumber },
  { title: { en: "Problem", ru: "Проблема" }, width: 32, cell: ({ row }) => row.problem_id },
  {
    ...{ title: { en: "Withdrawal record", ru: "Запись о выводе" }, width: 38 },
    cell: ({ row }) => row.withdrawal_record_id,
  },
  {
    ...{ title: { en: "Reason", ru: "Причина" }, width: 50 },
    cell: ({ row, locale }) => reasonOf(row)?.[locale] ?? null,
  },
  { title: { en: "Note", ru: "Заметка" }, width: 40, cell: ({ row }) => row.note },
  { title: { en: "Marked by", ru: "Отметил" }, width: 22, cell: ({ row }) => row.marked_by_name },
  {
    ...{ title: { en: "Note on the mark", ru: "Заметка к отметке" }, width: 40 },
    cell: ({ row }) => row.mark_note,
  },
]

function reasonOf({ state, reason_code: code, reason_facts: facts }: PayoutRow): Text | null {
  const hasReason = code !== null && (state === "rejected" || state === "unknown")
  return hasReason ? payoutReason(code, facts ?? {}) : null
}

/** Payouts as a table, with a row of totals for those that went through. */
export const PAYOUTS: Table<PayoutLine> = {
  sheet: { en: "Payouts", ru: "Выплаты" },
  columns: PAYOUT_COLUMNS,
  cells: (line) => PAYOUT_COLUMNS.map(({ cell }) => cell(line)),
  totals: () => {
    const sent = { count: 0, amount: 0 }
    return {
      add: ({ row }) => {
        if (row.state !== "created" && row.state !== "marked_sent") return
        sent.count++
        sent.amount += row.amount
      },
      rows: (locale) => [totalRow(sent, locale)],
    }
  },
}

function totalRow({ count, amount }: { count: number; amount: number }, locale: Locale): Cell[] {
  const payouts = counted(
    count,
    ["payout went through", "payouts went through"],
    ["выплата прошла", "выплаты прошли", "выплат прошли"]
  )
  return PAYOUT_COLUMNS.map((_column, position) =>
    position === ID ? payouts[locale] : position === AMOUNT ? amount : null
  )
}

/** A line of a table of payouts' journals. */
interface EntryLine {
  entry: JournaledPayout
  timeZone: string
  wall: Wall
}

/** The journals of payouts as lines of a table. */
export function entryLines(timeZone: string): (batch: PayoutBatch) => EntryLine[] {
  const wall = wallClockIn(timeZone)
  return ({ journal }) => journal.map((entry) => ({ entry, timeZone, wall }))
}

const ENTRY_COLUMNS: Column<EntryLine>[] = [
  { title: { en: "Payout", ru: "Выплата" }, width: 32, cell: ({ entry }) => entry.payout_id },
  {
    ...{ title: { en: "When", ru: "Когда" }, width: 20, format: DATE },
    cell: ({ entry, wall }) => wall(entry.at),
  },
  { title: { en: "Time zone", ru: "Часовой пояс" }, width: 16, cell: ({ timeZone }) => timeZone },
  { title: { en: "What", ru: "Что" }, width: 18, cell: ({ entry }) => entry.kind },
  { title: { en: "Who", ru: "Кто" }, width: 22, cell: ({ entry }) => entry.by_name },
  { title: { en: "User", ru: "Пользователь" }, width: 32, cell: ({ entry }) => entry.by },
  { title: { en: "Address", ru: "Адрес" }, width: 20, cell: ({ entry }) => entry.address },
  {
    ...{ title: { en: "Facts", ru: "Сведения" }, width: 60 },
    cell: ({ entry }) => JSON.stringify(entry.facts),
  },
]

/** The journals of payouts as a table. */
export const PAYOUT_JOURNAL: Table<EntryLine> = {
  sheet: { en: "Journal of payouts", ru: "Журнал выплат" },
  columns: ENTRY_COLUMNS,
  cells: (line) => ENTRY_COLUMNS.map(({ cell }) => cell(line)),
  totals: () => ({ add: () => undefined, rows: () => [] }),
}
