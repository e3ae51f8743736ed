import { BigNumber } from "bignumber.js"
import { z } from "zod"

/**
 * The Payment Service's replies; only here are the misspelt names of the wire (`mechantId`, `comission…`). Fields that we cannot work
 * without are required; those that decide about money may be absent, but not of another type; those that are only displayed become null
 * when they are not as expected. Unknown fields are ignored.
 */

/** No real name, description or reference is longer; the rest of a longer one is cut off. */
const LONGEST_TEXT = 200
/** An address, a QR code's too, is not cut, because it would lead elsewhere. */
const LONGEST_ADDRESS = 4_000

const UUID = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"

/** The service's ids: UUIDs of any version, in any case. */
export const WHOLE_UUID = new RegExp(`^${UUID}$`, "i")
export const EACH_UUID = new RegExp(UUID, "gi")

/** A JSON number as decimal text: 1e-7 is "0.0000001". Up to 15 digits, that is the text of the wire (trailing zeros aside). */
export function decimalFromNumber(value: number): string {
  const text = String(value)
  return text.includes("e") ? new BigNumber(text).toFixed() : text
}

/** An amount as a JSON number; null when it is no plain positive decimal, or too long for one. */
export function numberFromDecimal(text: string): number | null {
  if (!/^\d+(?:\.\d+)?$/.test(text)) return null
  const value = Number(text)
  return value > 0 && new BigNumber(decimalFromNumber(value)).eq(text) ? value : null
}

/** Postgres refuses a text that contains NUL, and a refused read would never be recorded. */
const storable = (text: string) => text.replaceAll("\0", "\uFFFD")

function cut(text: string): string {
  if (text.length <= LONGEST_TEXT) return storable(text)
  // Without the first half of a pair.
  const part = storable(text.slice(0, LONGEST_TEXT - 1)).replace(/[\uD800-\uDBFF]$/, "")
  // JavaScript keeps a whole text in memory as long as a part of it is used; a copy does not.
  return `${Buffer.from(part).toString()}…`
}

const uuid = z.guid()
const name = z.string().min(1).transform(cut)
/** One spelling, because sums are added up by currency. */
const currency = name.transform((code) => code.toUpperCase())
const amount = z
  .number()
  // Beyond 2^53 a JSON number no longer says which amount was meant.
  .refine((value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER, "too large to be exact")
  .transform(decimalFromNumber)

const decisiveText = z
  .string()
  .nullish()
  .transform((value) => (value == null ? null : cut(value)))

const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().catch(null)
const shownText = orNull(z.string().transform(cut))
const shownAddress = orNull(z.string().max(LONGEST_ADDRESS).transform(storable))
const shownAmount = orNull(amount)
const shownInteger = orNull(z.number().int())

/** A longer time to pay is cut to this: an order that was placed first keeps its stock until then. Later money is still found. */
const LONGEST_TIME_TO_PAY_S = 7 * 24 * 60 * 60

/** Reads `hh:mm:ss`, or .NET's `d.hh:mm:ss.fffffff`. Any other text gives null, because it is no reason to refuse a payable transaction. */
export function secondsFromTimeSpan(text: string): number | null {
  const match = /^(?:(\d{1,6})\.)?(\d{1,6}):([0-5]\d):([0-5]\d)(?:\.\d+)?$/.exec(text)
  if (!match) return null
  const parts = match.slice(1).map((part: string | undefined) => Number(part ?? 0))
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts
  return Math.min(((days * 24 + hours) * 60 + minutes) * 60 + seconds, LONGEST_TIME_TO_PAY_S)
}

/** A blank text would make a QR code without an address, and replace a good one of an earlier answer. */
const qrText = shownAddress.transform((text) => (text?.trim() ? text : null))
const timeLeft = shownText.transform((text) => (text === null ? null : secondsFromTimeSpan(text)))

export const createdTransaction = z
  .object({
    transactionId: uuid,
    // `z.url` checks the text but does not change it: any other character would make another address.
    redirect: z
      .url({ protocol: /^https?$/ })
      .max(LONGEST_ADDRESS, "too long")
      .refine((address) => !address.includes("\0"), "has a NUL"),
    status: name,
    expiresIn: timeLeft,
    usdtRate: orNull(z.number()),
  })
  .transform(({ expiresIn, ...rest }) => ({ ...rest, expiresInSeconds: expiresIn }))

/** Reply to `GET /transaction/{id}`, with the right names. Amounts are decimal texts. */
export const transactionDetails = z
  .object({
    id: uuid,
    status: name,
    paymentDetails: z.object({ amount, currency }),
    mechantId: decisiveText,
    payload: decisiveText,
    merchantName: shownText,
    comission: shownAmount,
    comissionUsdt: shownAmount,
    comissionType: shownInteger,
    amountUsdt: shownAmount,
    paymentMethod: shownText,
    expiresIn: timeLeft,
    return: shownAddress,
    payformSuccessUrl: shownAddress,
    qr: qrText,
    externalId: shownText,
    description: shownText,
  })
  .transform(({ mechantId, comission, comissionUsdt, comissionType, ...wire }) => {
    const { paymentDetails, expiresIn, return: returnUrl, ...named } = wire
    return {
      ...named,
      ...paymentDetails,
      merchantId: mechantId,
      commission: comission,
      commissionUsdt: comissionUsdt,
      commissionType: comissionType,
      expiresInSeconds: expiresIn,
      returnUrl,
    }
  })

/** One record of the export. `createdAt` (`YYYY-MM-DD HH:mm:ss`) stays text, because it carries no zone. */
export const exportedTransaction = z.object({
  recordId: uuid,
  createdAt: shownText,
  amount,
  currencyCode: currency,
  status: name,
  paymentMethod: shownText,
  description: shownText,
  payload: decisiveText,
})

/** The same with null for a field that cannot be read. */
const oddFields = exportedTransaction.extend({
  /** As the service wrote it, even if it is no UUID; empty without one. */
  recordId: z
    .union([z.string(), z.number()])
    .transform((id) => cut(String(id)))
    .catch(""),
  amount: shownAmount,
  currencyCode: orNull(currency),
  status: orNull(name),
  payload: decisiveText.catch(null),
})
const oddTransaction = oddFields.catch(() => oddFields.parse({}))

const chargeMetrics = z.object({
  chargesTotal: shownInteger,
  chargesSuccess: shownInteger,
  chargesFailed: shownInteger,
  totalAmount: shownAmount,
  lastChargeAt: shownText,
  nextChargeAt: shownText,
})

/** Timestamps are ISO 8601 UTC. */
const anySubscription = z.object({
  id: uuid,
  nextChargeAt: shownText,
  lastChargeAt: shownText,
  description: shownText,
  createdAt: shownText,
  customerEmail: shownText,
})

/** Reply to `GET /subscription/{subscriptionId}`: status and interval by name. */
export const subscription = anySubscription.extend({
  status: name,
  amount,
  currencyCode: currency,
  intervalUnit: name,
  intervalCount: z.number().int(),
  startAt: shownText,
  chargeMetrics: orNull(chargeMetrics),
})

/** A list whose unreadable entries keep their places as null, so that they hide no others. One of its entries must be readable. */
function listOf<Schema extends z.ZodType>(schema: Schema, what: string) {
  return z
    .array(z.unknown())
    .transform((entries) => entries.map((entry) => schema.safeParse(entry).data ?? null))
    .refine(
      (entries) => entries.length === 0 || entries.some((entry) => entry !== null),
      `no ${what} can be read`
    )
}

/** Status and interval as codes, whose names the specification does not show. */
const listedSubscription = anySubscription.extend({
  status: shownInteger,
  amount: shownAmount,
  currencyCode: orNull(currency),
  intervalUnit: shownInteger,
  intervalCount: shownInteger,
  chargesCount: shownInteger,
})

export const subscriptionPage = z.object({
  items: listOf(listedSubscription, "subscription"),
  total: z.number().int(),
  page: z.number().int(),
  size: z.number().int(),
})

const savedCard = z.object({
  cardId: uuid,
  /** `ACTIVE`, `DISABLED` or `PENDING`, or a newer one. */
  status: name,
  masked: shownText,
  last4: shownText,
  brand: shownText,
  label: shownText,
})

/** Reply to `GET /api/v1/cards`. An unreadable card is only counted. */
export const savedCards = listOf(savedCard, "card").transform((listed) => {
  const cards = listed.filter((card) => card !== null)
  return { cards, unreadable: listed.length - cards.length }
})

/** Reply to `POST /api/v1/payouts/card-rub`. */
export const createdPayout = z.object({
  // An id in upper case and the same id in lower case are one payout.
  withdrawalRecordId: uuid.toLowerCase(),
  status: name,
  cardMasked: shownText,
  amountUsdtDebited: shownAmount,
})

export type CreatedTransaction = z.output<typeof createdTransaction>
export type TransactionDetails = z.output<typeof transactionDetails>
export type ExportedTransaction = z.output<typeof exportedTransaction>
/** A record of the export that is not as specified. */
export type OddTransaction = z.output<typeof oddTransaction> & { odd: ReturnType<typeof faultOf> }
export type Subscription = z.output<typeof subscription>
export type SubscriptionPage = z.output<typeof subscriptionPage>
export type SubscriptionListItem = NonNullable<SubscriptionPage["items"][number]>

/** The first field (dotted wire name, "" for the whole) that is not as specified, and why: without its value, which may be the payer's. */
export function faultOf({ issues: [issue] }: z.ZodError) {
  const missing = issue?.message.endsWith("received undefined")
  return {
    field: issue?.path.join(".") ?? "",
    reason: missing ? "is missing" : `is not as specified (${issue?.message ?? "unknown"})`,
  }
}

/** Reads a record of the export, or what can be read of one that is not as specified. */
export function readRecord(wire: unknown): ExportedTransaction | OddTransaction {
  const { data, error } = exportedTransaction.safeParse(wire)
  return data ?? { ...oddTransaction.parse(wire), odd: faultOf(error) }
}
