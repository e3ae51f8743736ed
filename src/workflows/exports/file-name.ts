import type { ExportFormat, ExportSource } from "../../modules/payment-service/models/export-record"
import { type Reader, readerOf } from "./table"

/** The facts in a file's name; `to` is the first moment after the period. */
interface FileContent {
  source: ExportSource
  format: ExportFormat
  from?: Date
  to?: Date
}

const NAMES = {
  store: { en: "transactions_store", ru: "транзакции_магазин" },
  service: { en: "transactions_service", ru: "транзакции_сервис" },
  payouts: { en: "payouts", ru: "выплаты" },
}
const FROM = { en: "from_", ru: "с_" }
const UNTIL = { en: "until_", ru: "по_" }

/** A name such as `payouts_2026-11-01_2026-11-30.csv`, without filters, because one may be an e-mail address. */
export function fileName({ source, format, from, to }: FileContent, { locale, clock }: Reader) {
  const day = (moment: Date) => clock(moment).slice(0, 10)
  const first = from && (to ? "" : FROM[locale]) + day(from)
  const last = to && (from ? "" : UNTIL[locale]) + day(new Date(to.getTime() - 1))
  const name = [NAMES[source][locale], first, last === first ? undefined : last]
  return `${name.filter(Boolean).join("_")}.${format}`
}

/** The header that gives a file its name in the reader's language, and in English for programs that know ASCII alone. */
export function contentDisposition(content: FileContent, reader: Reader): string {
  const english = fileName(content, readerOf("en", reader.timeZone))
  const own = encodeURIComponent(fileName(content, reader))
  return `attachment; filename="${english}"; filename*=UTF-8''${own}`
}
