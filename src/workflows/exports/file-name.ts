import type { ExportFormat, ExportSource } from "../../modules/payment-service/models/entries"
import { type Code, text } from "../../texts"
import { type Reader, readerOf } from "./table"

/** The facts in a file's name; `to` is the first moment after the period. */
export interface FileContent {
  source: ExportSource
  format: ExportFormat
  from?: Date
  to?: Date
}

/** A name such as `payouts_2026-11-01_2026-11-30.csv`, without filters, because one may be an e-mail address. */
export function fileName({ source, format, from, to }: FileContent, { locale, clock }: Reader) {
  const word = (code: Code<"fileNames">, day = "") => text("fileNames", code, { day })[locale]
  const first = from && clock(from).slice(0, 10)
  const last = to && clock(new Date(to.getTime() - 1)).slice(0, 10)
  const begin = first && (last ? first : word("from", first))
  const end = last && (first ? last : word("until", last))
  const name = [word(source), begin, end === begin ? undefined : end]
  return `${name.filter(Boolean).join("_")}.${format}`
}

/** The header that gives a file its name in the reader's language, and in English for programs that know ASCII alone. */
export function contentDisposition(content: FileContent, reader: Reader): string {
  const english = fileName(content, readerOf("en", reader.timeZone))
  const own = encodeURIComponent(fileName(content, reader))
  return `attachment; filename="${english}"; filename*=UTF-8''${own}`
}
