import type { MedusaContainer } from "@medusajs/framework/types"

import { findOrderNumbers } from "../../medusa/search"
import { paymentServiceModule, type PayoutRow } from "../../modules/payment-service"
import type { PayoutFilter } from "../../modules/payment-service/payout-list"
import type { LastEntry } from "../../modules/payment-service/payouts"
import { maskedCard } from "../../settlement/payouts/card-text"
import { PAYOUT_CURRENCY } from "../../settlement/payouts/payout"
import { payoutReason } from "../../settlement/payouts/reasons"
import { PAYOUT_ENTRY_TEXTS, PAYOUT_STATE_TEXTS } from "../../settlement/payouts/state-text"
import { counted, type Text } from "../../texts"
import { column, DATE, type Reader, type Table } from "./table"

/** The number of payouts in memory at a time. */
const BATCH = 500

/** A payout of this store, the numbers of orders by their ids, and the last entry of the payout's journal. */
export type ExportedPayout = PayoutRow & { numbers: Map<string, number>; last: LastEntry | null }

/** This store's payouts, newest first. */
export async function* payoutRows(
  container: MedusaContainer,
  filter: PayoutFilter
): AsyncGenerator<ExportedPayout[], void, undefined> {
  const { payoutList, payouts } = paymentServiceModule(container)
  for await (const rows of payoutList.all(filter, BATCH)) {
    const orderIds = rows.map(({ order_id }) => order_id)
    const numbers = await findOrderNumbers(container, orderIds)
    const entries = await payouts.lastEntriesOf(rows.map(({ id }) => id))
    yield rows.map((row) => ({ ...row, numbers, last: entries.get(row.id) ?? null }))
  }
}

/** Payouts as a table, with a row of totals for those that went through. */
export const PAYOUTS: Table<ExportedPayout> = {
  sheet: { en: "Payouts", ru: "Выплаты" },
  columns: [
    column("Payout", "Выплата", 32, (row) => row.id),
    column("Made", "Составлена", 20, (row, { clock }) => clock(row.made_at), DATE),
    column("Time zone", "Часовой пояс", 16, (_row, { timeZone }) => timeZone),
    column("State", "Состояние", 22, (row, { locale }) => PAYOUT_STATE_TEXTS[row.state][locale]),
    column("Amount", "Сумма", 12, (row) => row.amount, "#,##0"),
    column("Currency", "Валюта", 9, () => PAYOUT_CURRENCY),
    column("USDT debited", "Списано USDT", 14, (row) => row.amount_usdt && Number(row.amount_usdt)),
    column("Card", "Карта", 12, (row) => maskedCard(row.card_last4)),
    column("Brand", "Платёжная система", 12, (row) => row.card_brand),
    column("Label", "Название карты", 20, (row) => row.card_label),
    column("Account", "Учётная запись", 14, (row) => row.account),
    column("Made by", "Составил", 22, (row) => row.made_by_name),
    column("Approved by", "Одобрил", 22, (row) => row.approved_by_name),
    column("Sent by", "Отправил", 22, (row) => row.sent_by_name),
    column("Sent", "Отправлена", 20, (row, { clock }) => row.sent_at && clock(row.sent_at), DATE),
    column("Order", "Заказ", 10, (row) => row.numbers.get(row.order_id ?? "") ?? null),
    column("Problem", "Проблема", 32, (row) => row.problem_id),
    column("Withdrawal record", "Запись о выводе", 38, (row) => row.withdrawal_record_id),
    column("Reason", "Причина", 50, (row, { locale }) => reasonOf(row)?.[locale] ?? null),
    column("Note", "Заметка", 40, (row) => row.note),
    column("Marked by", "Отметил", 22, (row) => row.marked_by_name),
    column("Note on the mark", "Заметка к отметке", 40, (row) => row.mark_note),
    column("Last action", "Последнее действие", 22, lastAction),
    column(
      "Last action at",
      "Время действия",
      20,
      ({ last }, { clock }) => last && clock(last.at),
      DATE
    ),
    column("Last action by", "Кто действовал", 22, ({ last }) => last && last.by_name),
  ],
  totals: (locale) => {
    const sent = { count: 0, amount: 0 }
    return {
      add: ({ state, amount }) => {
        if (state !== "created" && state !== "marked_sent") return
        sent.count++
        sent.amount += amount
      },
      rows: () => {
        const payouts = counted(
          sent.count,
          ["payout went through", "payouts went through"],
          ["выплата прошла", "выплаты прошли", "выплат прошли"]
        )
        return [[payouts[locale], null, null, null, sent.amount]]
      },
    }
  },
}

function lastAction({ last }: ExportedPayout, { locale }: Reader) {
  return last && PAYOUT_ENTRY_TEXTS[last.kind][locale]
}

function reasonOf({ state, reason_code: code, reason_facts: facts }: PayoutRow): Text | null {
  const hasReason = code !== null && (state === "rejected" || state === "unknown")
  return hasReason ? payoutReason(code, facts ?? {}) : null
}
