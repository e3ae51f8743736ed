import { type Accounts, paymentServiceModule } from "../../../../modules/payment-service"
import type { ExportFormat } from "../../../../modules/payment-service/models/export-record"
import { type ExportedPayout, PAYOUTS, payoutRows } from "../../../../workflows/exports/payout-rows"
import { readerOf } from "../../../../workflows/exports/table"
import { inReadersLanguage } from "../in-readers-language"
import { payoutView } from "../payouts/payout-view"
import { payoutFilter } from "../payouts/search-terms"
import { queryOf } from "../query-fields"
import { sendFile } from "./send-file"
import type { PayoutExportQuery } from "./validators"

/** Makes the route that exports payouts of this store; as JSON, they are in the form of their list. */
export const exportPayouts = (format: ExportFormat) =>
  inReadersLanguage(async (req, res) => {
    const query = queryOf(req) as PayoutExportQuery
    const accounts = await paymentServiceModule(req.scope).accounts()
    const filter = await payoutFilter(req.scope, query)
    await sendFile(req, res, format, readerOf(query.locale, query.time_zone), {
      source: "payouts",
      from: filter.from,
      to: filter.to,
      table: PAYOUTS,
      rows: () => payoutRows(req.scope, filter),
      records: async function* () {
        for await (const rows of payoutRows(req.scope, filter)) {
          yield rows.map((row) => shownPayout(row, accounts))
        }
      },
    })
  })

/** A payout as its list shows it, without the reader's own rights, and with the last entry of its journal. */
function shownPayout(row: ExportedPayout, accounts: Accounts) {
  const seen = { accounts, reader: null, orderNumbers: row.numbers }
  const { actions: _actions, needs_card_number: _needs, ...view } = payoutView(row, seen)
  if (!row.last) return { ...view, last_entry: null }
  const { kind, at, by, by_name: name } = row.last
  return {
    ...view,
    last_entry: { kind, at, by: by === null ? null : { id: by, name: name ?? by } },
  }
}
