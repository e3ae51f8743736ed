import { randomUUID } from "node:crypto"

import { z } from "zod"

import {
  checked,
  json,
  readJson,
  Refusal,
  text,
  utcTime,
  type Exchange,
  type Reply,
} from "./exchange"
import type { Settings } from "./options"
import { methodName } from "./transaction-messages"
import type { SimulatedTransaction } from "./transactions"

const code = z.string().regex(/^\d+$/, "is not a numeric code written as a string")

const exportRequest = z.strictObject({
  statuses: z.array(code),
  paymentMethods: z.array(code),
  from: utcTime,
  to: utcTime,
  timeZoneId: z.string().refine((zone) => {
    try {
      new Intl.DateTimeFormat("en", { timeZone: zone })
      return zone !== ""
    } catch {
      return false
    }
  }, "is not a time-zone identifier"),
})

const FILES_KEPT = 20

/** The latest files for export links; each can be fetched once. */
export class ExportFiles {
  private readonly files = new Map<string, string>()

  /** Keeps a file and returns its path. The oldest unfetched file is dropped. */
  put(body: string): string {
    const path = `/files/${randomUUID()}.json`
    this.files.set(path, body)
    const [oldest] = this.files.keys()
    if (oldest && this.files.size > FILES_KEPT) this.files.delete(oldest)
    return path
  }

  /** `GET /files/…`. @throws Refusal 404, also for the second time */
  take(path: string): Reply {
    const body = this.files.get(path)
    if (body === undefined) throw new Refusal(404, "not_found", "There is no such file (any more).")
    this.files.delete(path)
    return { ...json(200, null), body }
  }
}

/**
 * `POST /transaction/export/json`. Empty filters mean no filter; bounds are inclusive and apply to the time of creation (neither
 * is specified). @throws Refusal 400, 406
 */
export function exportTransactions(
  exchange: Exchange,
  settings: Settings,
  transactions: SimulatedTransaction[],
  files: ExportFiles
): Reply {
  // The specification shows `accept` as text/plain.
  const accept = exchange.headers.accept ?? "*/*"
  if (!/text\/plain|text\/\*|\*\/\*/.test(accept)) {
    throw new Refusal(406, "not_acceptable", "accept must allow text/plain.")
  }
  const request = checked(exportRequest, readJson(exchange))
  const from = Date.parse(request.from)
  const to = Date.parse(request.to)
  if (from > to) throw new Refusal(400, "invalid_input", "from is later than to.")
  const statuses = request.statuses.map((value) => statusName(settings, Number(value)))
  const methods = request.paymentMethods.map(Number)
  for (const method of methods) {
    if (!settings.methods[method]) {
      throw new Refusal(400, "invalid_input", `paymentMethods: ${method} is unknown.`)
    }
  }
  const localTime = localTimeIn(request.timeZoneId)
  const records = transactions
    .filter(({ createdAt }) => createdAt >= from && createdAt <= to)
    .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
    .filter(({ paymentMethod }) => methods.length === 0 || methods.includes(paymentMethod))
    .map((transaction) => ({
      recordId: settings.recordIds === "own" ? transaction.externalId : transaction.id,
      createdAt: localTime(transaction.createdAt),
      amount: transaction.amount,
      currencyCode: transaction.currency,
      status: transaction.status,
      paymentMethod: methodName(settings, transaction.paymentMethod),
      description: transaction.description,
      payload: transaction.payload,
    }))
  if (settings.exportAs === "array") return json(200, records)
  return text(200, `${settings.publicUrl}${files.put(JSON.stringify(records))}`)
}

function statusName(settings: Settings, code: number): string {
  for (const [meaning, known] of Object.entries(settings.statusCodes)) {
    if (known === code) return settings.statuses[meaning as keyof Settings["statuses"]]
  }
  throw new Refusal(400, "invalid_input", `statuses: ${code} is unknown.`)
}

/** Writes moments as `YYYY-MM-DD HH:mm:ss` in a time zone. Making a format is slow, so it is made once. */
export function localTimeIn(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  })
  return (at) => {
    const parts = format.formatToParts(at)
    const part = (type: Intl.DateTimeFormatPartTypes) =>
      parts.find((candidate) => candidate.type === type)?.value ?? ""
    return `${part("year")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")}:${part("second")}`
  }
}
