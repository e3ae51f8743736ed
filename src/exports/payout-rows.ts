import type { MedusaContainer } from "@medusajs/framework/types"

import { findNumbersFor } from "../medusa/search"
import { paymentServiceModule, type PayoutRow } from "../modules/payment-service"
import { maskedCard } from "../payouts/rules/card-text"
import { PAYOUT_CURRENCY } from "../payouts/rules/payout"
import { outcomeReason } from "../payouts/rules/outcome"
import { text } from "../texts"
import { column, DATE, type Table } from "./file-formats"

/** Payouts of this store, each with the numbers of orders by their ids, and with the last entry of its journal. */
export async function exportedPayouts(container: MedusaContainer, rows: PayoutRow[]) {
  const numbers = await findNumbersFor(container, rows)
  const { payouts } = paymentServiceModule(container)
  const entries = await payouts.lastEntriesOf(rows.map(({ id }) => id))
  return rows.map((row) => ({ ...row, numbers, last: entries.get(row.id) ?? null }))
}

/** Payouts as a table, with a row of totals for those that went through. */
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
    const sent = { count: 0, amount: 0 }
    return {
      add: ({ state, amount }) => {
        if (state !== "created" && state !== "marked_sent") return
        sent.count++
        sent.amount += amount
      },
      rows: () => {
        const payouts = text("totals", "payouts", { count: sent.count })
        return [[payouts[locale], null, null, null, sent.amount]]
      },
    }
  },
}
