import type { Readable } from "node:stream"
import type { z } from "zod"
import { numberFromDecimal } from "./decimal"
import { invalidRequest } from "./errors"
import { readExport, type ExportLimits } from "./export-stream"
import { isLoopback } from "./loopback"
import { registerSecret, type ServiceLogger } from "./redact"
import * as schemas from "./schemas"
import type {
  CreatedPayout,
  CreatedTransaction,
  ExportedTransaction,
  SavedCard,
  Subscription,
  SubscriptionPage,
  TransactionDetails,
} from "./schemas"
import { authorizationHeader, sign, stringToSign } from "./signature"
import { WHOLE_UUID } from "./uuid"
import { malformed, Transport, type Call, type CallOptions } from "./transport"

export type { ServiceLogger } from "./redact"
export type {
  CreatedPayout,
  CreatedTransaction,
  ExportedTransaction,
  SavedCard,
  Subscription,
  SubscriptionListItem,
  SubscriptionPage,
  TransactionDetails,
} from "./schemas"
export type { CallOptions } from "./transport"

/** Where the service is and who we are there. */
export interface ServiceConnection {
  /** http or https, with or without a path. */
  baseUrl: string
  merchantId: string
  secret: string
  /** Only for cards and payouts. */
  signingSecret?: string
  /** Prefix of the signed scheme, `SVC-HMAC` unless told. */
  signatureScheme?: string
  timeouts?: Partial<ServiceTimeouts>
  export?: {
    /** Hosts, as `URL` spells them, to which the link of an export may lead besides the service's own. */
    linkHosts?: readonly string[]
  }
}

/** Budgets in milliseconds of whole calls, retries and waits included; of the export, its longest silence. */
export interface ServiceTimeouts {
  /** A shopper waits for it. */
  createMs: number
  readMs: number
  /** Until the export begins to be answered, and then the longest wait for more of it. */
  exportMs: number
  payoutMs: number
}

export const DEFAULT_TIMEOUTS: ServiceTimeouts = {
  createMs: 7_000,
  readMs: 5_000,
  exportMs: 60_000,
  payoutMs: 30_000,
}

export interface CreateTransactionRequest {
  /** Numeric code of the method: 2 is SBP, 13 crypto. */
  paymentMethod: number
  /** Decimal text such as "1199.99". */
  amount: string
  currency: string
  description: string
  /** Where the payer goes after paying. */
  returnUrl: string
  /** Where the payer goes after failing to pay. */
  failedUrl: string
  /** Comes back with the transaction. */
  payload: string
  metadata?: { userId?: string; userName?: string; clientIp?: string }
}

export interface ExportFilter {
  /** Numeric codes written as text; none means all. */
  statuses?: string[]
  /** Numeric codes written as text; none means all. */
  paymentMethods?: string[]
  from: Date
  to: Date
  /** `UTC` unless told. */
  timeZoneId?: string
}

export interface SubscriptionQuery {
  /** Numeric code. */
  status?: number
  from?: Date
  to?: Date
  page?: number
  size?: number
}

export type CreatePayoutRequest = ({ cardId: string } | { cardNumber: string }) & {
  /** Whole rubles, 1000 to 87500. */
  amountRub: number
}

const MIN_PAYOUT_RUB = 1_000
const MAX_PAYOUT_RUB = 87_500
/** A name of a host has no more characters. */
const LONGEST_QUOTED_HOST = 253

/**
 * The Payment Service's HTTP interface: one method per endpoint that the specification gives a shape to. Every failure
 * is a `PaymentServiceError`. Clients are cheap; connections are shared by the process.
 */
export class PaymentServiceClient {
  /** Private to the runtime, too: whoever prints a client does not print its secrets. */
  readonly #connection: ServiceConnection
  private readonly base: URL
  private readonly timeouts: ServiceTimeouts
  private readonly transport: Transport
  private readonly now: () => number

  /**
   * `deps.now` is the wall clock in milliseconds, used for signatures. Throws `invalid` when the connection cannot be
   * used as it is.
   */
  constructor(
    connection: ServiceConnection,
    deps: { logger?: ServiceLogger; now?: () => number } = {}
  ) {
    this.#connection = connection
    const { baseUrl, merchantId, secret, signingSecret, signatureScheme, timeouts } = connection
    this.base = parseBaseUrl(baseUrl)
    requireHeaderText(merchantId, "merchantId", "The merchant id")
    requireHeaderText(secret, "secret", "The merchant secret")
    requireHeaderText(signatureScheme ?? "-", "signatureScheme", "The signature's scheme")
    registerSecret(secret)
    if (signingSecret) registerSecret(signingSecret)
    this.timeouts = { ...DEFAULT_TIMEOUTS, ...timeouts }
    this.now = deps.now ?? Date.now
    this.transport = new Transport(deps.logger, this.now)
  }

  /**
   * Creates a transaction with a chosen method (`POST /transaction/process`). Repeated by itself only when the request
   * provably was not sent.
   */
  async createTransaction(
    request: CreateTransactionRequest,
    options: CallOptions = {}
  ): Promise<CreatedTransaction> {
    const amount = numberFromDecimal(request.amount)
    if (amount === null) {
      throw invalidRequest("The amount is not a positive decimal number", "amount")
    }

    const { userId, userName, clientIp } = request.metadata ?? {}
    const hasMetadata = [userId, userName, clientIp].some((value) => value !== undefined)
    const call = this.merchantCall("POST", this.url("/transaction/process"), {
      effect: "creation",
      budgetMs: this.timeouts.createMs,
      confidential: [userId, userName, clientIp].filter((value) => value !== undefined),
      body: {
        paymentMethod: request.paymentMethod,
        paymentDetails: { amount, currency: request.currency },
        description: request.description,
        return: request.returnUrl,
        failedUrl: request.failedUrl,
        payload: request.payload,
        metadata: hasMetadata ? { userId, userName, clientIp } : undefined,
      },
    })
    return this.fetch(call, options, schemas.createdTransaction)
  }

  /**
   * Reads a transaction (`GET /transaction/{id}`). `not_found` when the service does not know it, `malformed` when the
   * service answers with another one.
   */
  async getTransaction(id: string, options: CallOptions = {}): Promise<TransactionDetails> {
    const call = {
      ...this.readCall(`/transaction/${uuidSegment(id, "transaction")}`),
      unquotable: true,
    }
    const details = await this.fetch(call, options, schemas.transactionDetails)
    requireSameId(call, id, details.id)
    return details
  }

  /**
   * The transactions of a time span, one by one (`POST /transaction/export/json`), whether the service answers with the
   * records or with a link to them. The budget is the longest silence: until the service begins to answer, and then
   * each time until it sends more; the time that the consumer takes over a record is not counted. Every record that
   * came is handed on before a time-out is thrown; a connection that breaks may take along some that nobody had asked
   * for yet. An export that goes on for ever, however slowly, ends by `options.signal` only. Ending the loop early ends
   * the download. Records that are not as specified are passed over; the first of them is what is thrown in the end.
   *
   * A link is followed once, to the service's own host or one of `export.linkHosts`. What it refuses is `file_refused`.
   */
  async *exportTransactions(
    filter: ExportFilter,
    options: CallOptions = {}
  ): AsyncGenerator<ExportedTransaction, void, undefined> {
    const call = this.merchantCall("POST", this.url("/transaction/export/json"), {
      effect: "read",
      budgetMs: this.timeouts.exportMs,
      body: {
        statuses: filter.statuses ?? [],
        paymentMethods: filter.paymentMethods ?? [],
        from: isoTime(filter.from, "from"),
        to: isoTime(filter.to, "to"),
        timeZoneId: filter.timeZoneId ?? "UTC",
      },
      headers: { accept: "text/plain" },
    })
    const link = yield* this.exportFrom(call, options)
    if (link === undefined) return

    const linked = this.linkedFileCall(call, link)
    const further = yield* this.exportFrom(linked, options)
    if (further !== undefined) throw malformed(linked, "is not an array of records")
  }

  /**
   * One page of recurring subscriptions (`GET /subscription`). 404 "is listed" without a meaning, and is passed on as
   * `not_found`.
   */
  async listSubscriptions(
    query: SubscriptionQuery = {},
    options: CallOptions = {}
  ): Promise<SubscriptionPage> {
    const call = this.readCall("/subscription", {
      status: query.status,
      from: query.from && isoTime(query.from, "from"),
      to: query.to && isoTime(query.to, "to"),
      page: query.page,
      size: query.size,
    })
    return this.fetch(call, options, schemas.subscriptionPage)
  }

  /** Reads a subscription (`GET /subscription/{subscriptionId}`). */
  async getSubscription(id: string, options: CallOptions = {}): Promise<Subscription> {
    const call = this.readCall(`/subscription/${uuidSegment(id, "subscription")}`)
    const subscription = await this.fetch(call, options, schemas.subscription)
    requireSameId(call, id, subscription.id)
    return subscription
  }

  /** The saved cards (`GET /api/v1/cards`, signed); only active ones unless `onlyActive` is false. */
  async listCards(
    query: { onlyActive?: boolean } = {},
    options: CallOptions = {}
  ): Promise<SavedCard[]> {
    const url = this.url("/api/v1/cards", { onlyActive: query.onlyActive })
    const call = this.signedCall("GET", url, { effect: "read", budgetMs: this.timeouts.readMs })
    return this.fetch(call, options, schemas.savedCards)
  }

  /**
   * Pays out to a ruble card (`POST /api/v1/payouts/card-rub`, signed). `idempotencyKey` is a new unique text per
   * payout. Never repeated by itself: after an error that `mayHaveTakenEffect` the outcome is unknown.
   */
  async createPayout(
    request: CreatePayoutRequest,
    idempotencyKey: string,
    options: CallOptions = {}
  ): Promise<CreatedPayout> {
    requireHeaderText(idempotencyKey, "idempotencyKey", "The idempotency key")
    const { amountRub } = request
    if (!Number.isInteger(amountRub) || amountRub < MIN_PAYOUT_RUB || amountRub > MAX_PAYOUT_RUB) {
      const range = `${MIN_PAYOUT_RUB} to ${MAX_PAYOUT_RUB}`
      throw invalidRequest(`A payout is ${range} whole rubles`, "amountRub")
    }
    const call = this.signedCall("POST", this.url("/api/v1/payouts/card-rub"), {
      effect: "payout",
      budgetMs: this.timeouts.payoutMs,
      idempotencyKey,
      body: { ...recipientOf(request), amountRub, payoutMethod: "CARD", currencyRequested: "RUB" },
    })
    return this.fetch(call, options, schemas.createdPayout)
  }

  private fetch<Schema extends z.ZodType>(
    call: Call,
    options: CallOptions,
    schema: Schema
  ): Promise<z.output<Schema>> {
    return this.transport.requestText(call, options, (text) => {
      const reading = schemas.read(schema, parseJson(call, text))
      if (reading.ok) return reading.value
      const { field, reason } = reading
      throw malformed(call, `is malformed: ${field || "it"} ${reason}`, field)
    })
  }

  /** Yields the records of one reply, or returns the link that stands in their place. */
  private async *exportFrom(call: Call, options: CallOptions) {
    const limits: ExportLimits = {
      silenceMs: options.timeoutMs ?? call.budgetMs,
      signal: options.signal,
    }
    const body = await this.transport.request<Readable>(call, options, async (stream) => stream)
    try {
      const reply = await readExport(call, body, limits)
      if ("link" in reply) return reply.link
      yield* reply.records
      return undefined
    } finally {
      body.destroy()
    }
  }

  /**
   * The request for an export's file. A link may lead to the service's own host or to one of `export.linkHosts`, by
   * https; by http only from this machine to itself. The credentials go to the service's own address alone, see
   * `isOwnAddress`; a link that brings some of its own is refused.
   */
  private linkedFileCall(exportCall: Call, link: string): Call {
    const url = parseUrl(link, this.base.href)
    if (!url || url.username || url.password) {
      throw malformed(exportCall, "has a link that is not a plain address")
    }
    const staysHere =
      this.base.protocol === "http:" && isLoopback(this.base.hostname) && isLoopback(url.hostname)
    if (url.protocol !== "https:" && !(staysHere && url.protocol === "http:")) {
      throw malformed(exportCall, "has a link that does not begin with https:")
    }
    const { linkHosts = [] } = this.#connection.export ?? {}
    if (!staysHere && ![this.base.hostname, ...linkHosts].includes(url.hostname)) {
      const host = url.hostname.slice(0, LONGEST_QUOTED_HOST)
      throw malformed(
        exportCall,
        `has a link to ${host}, which is neither its own host nor in the option export.linkHosts`
      )
    }
    const options = { effect: "read", budgetMs: exportCall.budgetMs } as const
    const call = this.isOwnAddress(url)
      ? this.merchantCall("GET", url, options)
      : { ...options, method: "GET" as const, url, headers: () => ({}), scheme: "none" as const }
    // The address of the file may be all that protects it, and a refusal may repeat it.
    return { ...call, logPath: "(export file)", linkHost: url.hostname, unquotable: true }
  }

  /**
   * The service's own address is the base address and what is below its path, at the same scheme, host and port:
   * others may have other paths of that host. An encoded slash counts as leading elsewhere, since a proxy that decodes
   * it may find a way up in the path.
   */
  private isOwnAddress(url: URL): boolean {
    return (
      url.origin === this.base.origin &&
      url.pathname.startsWith(this.base.pathname) &&
      !/%(?:2f|5c)/i.test(url.pathname)
    )
  }

  private readCall(path: string, query: Query = {}): Call {
    const options = { effect: "read", budgetMs: this.timeouts.readMs } as const
    return this.merchantCall("GET", this.url(path, query), options)
  }

  /** Authentication, Merchant key scheme. */
  private merchantCall(method: Call["method"], url: URL, options: CallSettings): Call {
    const { body, headers, ...rest } = options
    const { merchantId, secret } = this.#connection
    return {
      ...rest,
      method,
      url,
      logPath: url.pathname,
      scheme: "merchant key",
      body: body && Buffer.from(JSON.stringify(body)),
      headers: () => ({
        "X-MerchantId": merchantId,
        "X-Secret": secret,
        ...(body && { "Content-Type": "application/json" }),
        ...headers,
      }),
    }
  }

  /** Authentication, Signed scheme: what is signed and what is sent is the same buffer. */
  private signedCall(
    method: Call["method"],
    url: URL,
    { idempotencyKey = "", body: content, ...rest }: CallSettings & { idempotencyKey?: string }
  ): Call {
    const { merchantId, signingSecret, signatureScheme: scheme = "SVC-HMAC" } = this.#connection
    if (!signingSecret) throw invalidRequest("The signing secret is not set", "signingSecret")

    const body = content && Buffer.from(JSON.stringify(content))
    const path = url.pathname
    const headers = () => {
      const timestamp = Math.floor(this.now() / 1000)
      const signature = sign(
        signingSecret,
        stringToSign({ method, path, timestamp, idempotencyKey, body })
      )
      return {
        Authorization: authorizationHeader({ scheme, merchantId, timestamp, signature }),
        ...(body && { "Idempotency-Key": idempotencyKey, "Content-Type": "application/json" }),
      }
    }
    return { ...rest, method, url, logPath: path, scheme: "signed", body, headers }
  }

  private url(path: string, query: Query = {}): URL {
    const url = new URL(this.base.href)
    url.pathname += path.slice(1)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    return url
  }
}

type Query = Record<string, string | number | boolean | undefined>

type CallSettings = Pick<Call, "effect" | "budgetMs" | "confidential"> & {
  body?: object
  headers?: Record<string, string>
}

function parseUrl(text: string, base?: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined
}

function parseBaseUrl(text: string): URL {
  const url = parseUrl(text)
  const hasMore = url && (url.username || url.password || url.search || url.hash)
  if (!url || !/^https?:$/.test(url.protocol) || hasMore) {
    throw invalidRequest("The base address is not a plain http(s) address", "baseUrl")
  }
  // With the slash, a link relative to the base address is looked for below it.
  if (!url.pathname.endsWith("/")) url.pathname += "/"
  return url
}

/** Anything else would end the header, or be changed on the way. */
function requireHeaderText(value: string, field: string, what: string): void {
  if (/^[!-~]+$/.test(value)) return
  throw invalidRequest(`${what} is empty or contains a space or a character outside ASCII`, field)
}

/** An id as a path segment; whatever is not a UUID never becomes part of an address. */
function uuidSegment(id: string, what: string): string {
  if (!WHOLE_UUID.test(id))
    throw invalidRequest(`This is not a ${what} id: it must be a UUID`, "id")
  return encodeURIComponent(id)
}

function parseJson(call: Call, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed(call, "is not JSON")
  }
}

function requireSameId(call: Call, asked: string, answered: string): void {
  if (asked.toLowerCase() === answered.toLowerCase()) return
  throw malformed(call, "is malformed: id is not the one that was asked for", "id")
}

function isoTime(time: Date, field: string): string {
  if (Number.isNaN(time.getTime())) throw invalidRequest(`The time "${field}" is not a time`, field)
  return time.toISOString()
}

/** Exactly one of the two is passed; the specification does not show what happens otherwise. */
function recipientOf(request: CreatePayoutRequest): { cardId: string } | { cardNumber: string } {
  const { cardId, cardNumber }: { cardId?: string; cardNumber?: string } = request
  if ((cardId === undefined) === (cardNumber === undefined)) {
    throw invalidRequest("A payout goes to either a saved card or a card number")
  }
  if (cardNumber !== undefined) {
    if (/^\d{16}$/.test(cardNumber)) return { cardNumber }
    throw invalidRequest("A card number has 16 digits", "cardNumber")
  }
  if (cardId !== undefined && WHOLE_UUID.test(cardId)) return { cardId }
  throw invalidRequest("This is not a saved card's id: it must be a UUID", "cardId")
}
