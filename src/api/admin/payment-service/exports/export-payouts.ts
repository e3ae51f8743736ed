import {
  type Accounts,
  paymentServiceModule,
  type PayoutRow,
} from "../../../../modules/payment-service"
import type { ExportFormat } from "../../../../modules/payment-service/models/entries"
import {
  exportedPayouts,
  type ExportedPayout,
  PAYOUTS,
} from "../../../../workflows/exports/payout-rows"
import { readerOf } from "../../../../workflows/exports/table"
import { inReadersLanguage } from "../in-readers-language"
import { payoutView, person } from "../payouts/payout-view"
import { payoutFilter } from "../payouts/search-terms"
import { queryOf } from "../query-fields"
import { sendFile } from "./send-file"
import type { PayoutExportQuery } from "./validators"

/** The number of payouts in memory at a time. */
const BATCH = 500

/** Makes the route that exports payouts of this store; as JSON, they are in the form of their list. */
export const exportPayouts = (format: ExportFormat) =>
  inReadersLanguage(async (req, res) => {
    const query = queryOf(req) as PayoutExportQuery
    const module = paymentServiceModule(req.scope)
    const accounts = await module.accounts()
    const filter = await payoutFilter(req.scope, query)
    const payoutsOf = (rows: PayoutRow[]) => exportedPayouts(req.scope, rows)
    await sendFile(req, res, format, readerOf(query.locale, query.time_zone), {
      source: "payouts",
      from: filter.from,
      to: filter.to,
      batches: () => module.payoutList.all(filter, BATCH),
      table: PAYOUTS,
      asLines: payoutsOf,
      asRecords: async (rows) => (await payoutsOf(rows)).map((row) => shownPayout(row, accounts)),
    })
  })

/** A payout as its list shows it, without the reader's own rights, and with the last entry of its journal. */
function shownPayout(row: ExportedPayout, accounts: Accounts) {
  const seen = { accounts, reader: null, orderNumbers: row.numbers }
  const { actions: _actions, needs_card_number: _needs, ...view } = payoutView(row, seen)
  if (!row.last) return { ...view, last_entry: null }
  const { kind, at, by, by_name } = row.last
  return { ...view, last_entry: { kind, at, by: person(by, by_name) } }
}
