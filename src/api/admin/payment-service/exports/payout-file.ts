import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../../../../modules/payment-service"
import type { JournaledPayout } from "../../../../modules/payment-service/payouts"
import { withoutCardNumbers } from "../../../../settlement/payouts/card-text"
import { afterFirstBatch, prefetchingOne } from "../../../../workflows/exports/batches"
import { contentDisposition, fileName } from "../../../../workflows/exports/file-name"
import {
  entryLines,
  PAYOUT_JOURNAL,
  type PayoutBatch,
  payoutLines,
  PAYOUTS,
  storePayouts,
} from "../../../../workflows/exports/payout-rows"
import type { Piece } from "../../../../workflows/exports/service-rows"
import { tableFile } from "../../../../workflows/exports/table-file"
import { payoutViews } from "../payouts/payout-view"
import { payoutSearch } from "../payouts/search-terms"
import type { ExportedFile, Format } from "./send-file"
import type { PayoutExportQuery } from "./validators"

/** This store's payouts or their journals: as a table, or as JSON in the form of their routes. */
export async function payoutFile(
  container: MedusaContainer,
  { locale, time_zone, q, created_at, ...filters }: PayoutExportQuery,
  { source, format }: { source: "payouts" | "payout_journal"; format: Format }
): Promise<ExportedFile> {
  const module = paymentServiceModule(container)
  const filter = {
    ...filters,
    ...(created_at?.gte ? { from: created_at.gte } : {}),
    ...(created_at?.lt ? { to: created_at.lt } : {}),
    ...(q ? { search: await payoutSearch(container, q) } : {}),
  }
  // An admin may have searched for a whole card number.
  const searched = q ? withoutCardNumbers(q) : null
  const content = {
    ...{ source, format, timeZone: time_zone },
    ...(created_at?.gte ? { from: created_at.gte } : {}),
    ...(created_at?.lt ? { to: created_at.lt } : {}),
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
      if (format === "json") return await afterFirstBatch(asJson(container, batches, source))
      return source === "payouts"
        ? await tableFile(format, lines(batches, payoutLines(time_zone, locale)), locale, PAYOUTS)
        : await tableFile(format, lines(batches, entryLines(time_zone)), locale, PAYOUT_JOURNAL)
    },
  }
}

async function* lines<Line>(
  batches: AsyncGenerator<PayoutBatch>,
  of: (batch: PayoutBatch) => Line
) {
  for await (const batch of batches) yield of(batch)
}

async function* asJson(
  container: MedusaContainer,
  batches: AsyncGenerator<PayoutBatch>,
  source: "payouts" | "payout_journal"
): AsyncGenerator<Piece, void, undefined> {
  const accounts = await paymentServiceModule(container).accounts()
  let begin = "["
  for await (const { rows, journal } of batches) {
    const views = await payoutViews(container, rows, { accounts, reader: null })
    const records: object[] =
      source === "payout_journal"
        ? journal.map((entry) => ({ payout_id: entry.payout_id, ...shownEntry(entry) }))
        : views.map(({ actions: _actions, needs_card_number: _needs, ...view }) => ({
            ...view,
            journal: journal.filter(({ payout_id }) => payout_id === view.id).map(shownEntry),
          }))
    const texts = records.map((record) => JSON.stringify(record))
    if (texts.length) {
      yield { bytes: Buffer.from(begin + texts.join(",\n")), records: texts.length }
      begin = ",\n"
    }
  }
  yield { bytes: Buffer.from(begin === "[" ? "[]" : "]"), records: 0 }
}

function shownEntry({ payout_id: _payout, by, by_name, ...entry }: JournaledPayout) {
  return { ...entry, by: by === null ? null : { id: by, name: by_name ?? by } }
}
