import type { ExportFormat, ExportSource } from "../../modules/payment-service/export-records"
import type { Locale } from "./table"
import { textOfDate, wallClockIn } from "./wall-clock"

interface Span {
  from?: Date | undefined
  /** The first moment after the span. */
  to?: Date | undefined
}

/** The facts in a file's name. */
interface FileContent extends Span {
  source: ExportSource
  format: ExportFormat
  /** The period of their payment, besides that of the list itself. */
  paid?: Span
  timeZone: string
  /** Values of the other filters. */
  filters: string[]
}

const WORDS = {
  en: {
    transactions: "transactions",
    payouts: "payouts",
    payout_journal: "payout-journal",
    store: "store",
    service: "service",
    until: "until",
    from: "from",
    paid: "paid",
  },
  ru: {
    transactions: "транзакции",
    payouts: "выплаты",
    payout_journal: "журнал-выплат",
    store: "магазин",
    service: "сервис",
    until: "по",
    from: "с",
    paid: "оплачены",
  },
}
const LONGEST = 150

/** The name of an exported file: its content, period and filters. */
export function fileName(content: FileContent, locale: Locale): string {
  const words = WORDS[locale]
  const { source } = content
  const isOfTransactions = source === "store" || source === "service"
  const paid = period(content.paid, content.timeZone, locale)
  const parts = [
    ...(isOfTransactions ? [words.transactions] : []),
    words[source],
    ...period(content, content.timeZone, locale),
    ...(paid.length ? [words.paid, ...paid] : []),
  ]
  const filters = content.filters.map((value) => value.replace(/[^\p{L}\p{N}.@-]+/gu, "-"))
  const name = [...parts, ...filters].join("_").slice(0, LONGEST)
  return `${name}.${content.format}`
}

function period({ from, to }: Span = {}, timeZone: string, locale: Locale): string[] {
  const wallClock = wallClockIn(timeZone)
  const day = (moment: Date) => textOfDate(wallClock(moment)).slice(0, 10)
  const first = from && day(from)
  const last = to && day(new Date(to.getTime() - 1))
  if (first && last) return first === last ? [first] : [first, last]
  if (first) return [WORDS[locale].from, first]
  return last ? [WORDS[locale].until, last] : []
}

/** The header that gives a file its name, in letters of any language, and in ASCII for old programs. */
export function contentDisposition(content: FileContent, locale: Locale): string {
  const plain = fileName(content, "en").replace(/[^\x20-\x7e]/g, "-")
  const name = encodeURIComponent(fileName(content, locale)).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${name}`
}
