import type { MedusaContainer } from "@medusajs/framework/types"

import { type Accounts, paymentServiceModule } from "../../../../modules/payment-service"
import type { ExportFormat } from "../../../../modules/payment-service/export-records"
import type { JournaledPayout } from "../../../../modules/payment-service/payouts"
import { withoutCardNumbers } from "../../../../settlement/payouts/card-text"
import {
  afterFirstBatch,
  jsonArray,
  mapped,
  prefetchingOne,
} from "../../../../workflows/exports/batches"
import { contentDisposition, fileName } from "../../../../workflows/exports/file-name"
import {
  entryLines,
  PAYOUT_JOURNAL,
  type PayoutBatch,
  payoutLines,
  PAYOUTS,
  storePayouts,
} from "../../../../workflows/exports/payout-rows"
import { tableFile } from "../../../../workflows/exports/table-file"
import { payoutView } from "../payouts/payout-view"
import { payoutFilter } from "../payouts/search-terms"
import type { ExportedFile } from "./send-file"
import type { PayoutExportQuery } from "./validators"

/** This store's payouts or their journals: as a table, or as JSON in the form of their routes. */
export async function payoutFile(
  container: MedusaContainer,
  { locale, time_zone, q, created_at, ...filters }: PayoutExportQuery,
  { source, format }: { source: "payouts" | "payout_journal"; format: ExportFormat }
): Promise<ExportedFile> {
  const module = paymentServiceModule(container)
  const filter = await payoutFilter(container, { q, created_at, ...filters })
  // An admin may have searched for a whole card number.
  const searched = q ? withoutCardNumbers(q) : null
  const content = {
    ...{ source, format, timeZone: time_zone },
    ...{ from: filter.from, to: filter.to },
    filters: [...Object.values(filters).flat(), ...(searched ? [searched] : [])],
  }
  const asked = {
    ...{ ...filters, time_zone, locale },
    ...(created_at ? { created_at } : {}),
    ...(searched ? { q: searched } : {}),
  }
  return {
    asked: { source, format, name: fileName(content, locale), filters: asked },
    contentDisposition: contentDisposition(content, locale),
    write: async () => {
      const withJournal = source === "payout_journal" || format === "json"
      const batches = prefetchingOne(storePayouts(module, container, { filter, withJournal }))
      if (format === "json") {
        const shown = source === "payouts" ? payoutsOf(await module.accounts()) : entriesOf
        const records = mapped<PayoutBatch, object[]>(batches, shown)
        return await afterFirstBatch(jsonArray(mapped(records, asJson)))
      }
      return source === "payouts"
        ? await tableFile(format, mapped(batches, payoutLines(time_zone, locale)), locale, PAYOUTS)
        : await tableFile(format, mapped(batches, entryLines(time_zone)), locale, PAYOUT_JOURNAL)
    },
  }
}

const asJson = (records: object[]) => records.map((record) => Buffer.from(JSON.stringify(record)))

const entriesOf = ({ journal }: PayoutBatch) =>
  journal.map((entry) => ({ payout_id: entry.payout_id, ...shownEntry(entry) }))

/** Payouts with their journals; the reader's own rights are left out. */
const payoutsOf =
  (accounts: Accounts) =>
  ({ rows, orderNumbers, journal }: PayoutBatch) =>
    rows.map((row) => {
      const seen = { accounts, reader: null, orderNumbers }
      const { actions: _actions, needs_card_number: _needs, ...view } = payoutView(row, seen)
      return {
        ...view,
        journal: journal.filter(({ payout_id }) => payout_id === view.id).map(shownEntry),
      }
    })

function shownEntry({ payout_id: _payout, by, by_name, ...entry }: JournaledPayout) {
  return { ...entry, by: by === null ? null : { id: by, name: by_name ?? by } }
}
