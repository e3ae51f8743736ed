import { createHash, createHmac } from "node:crypto"
import http from "node:http"
import https from "node:https"
import type { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import axios, { type AxiosRequestConfig, type AxiosResponse } from "axios"
import type { z } from "zod"
import {
  answererOf,
  connectionFailure,
  failed,
  isAccepted,
  jsonIn,
  malformed,
  PaymentServiceError,
  quoteOf,
  readText,
  refusalOf,
  shownPath,
} from "./errors"
import { downloadExport } from "./export"
import { redactingLogger, type ServiceLogger } from "./redact"
import * as schemas from "./schemas"

export type * from "./schemas"

export interface ServiceConnection {
  baseUrl: string
  merchantId: string
  secret: string
  /** Needed only for cards and payouts. */
  signingSecret?: string
  signatureScheme?: string
  /** Hosts, as `URL` spells them, to which the link of an export may lead besides the service's own. */
  export?: { linkHosts?: readonly string[] }
}

/** Budgets in milliseconds of whole calls, retries and waits included. Tests shorten them. */
export const TIMEOUTS = {
  createMs: 7_000,
  readMs: 5_000,
  /** The longest wait for the beginning of the export, and then for each further part. */
  exportMs: 60_000,
  payoutMs: 30_000,
}

export const DEFAULT_SCHEME = "SVC-HMAC"
const FIRST_WAIT_MS = 200
const MAX_REPLY_BYTES = 1024 * 1024

export interface CallOptions {
  /** By default that of `TIMEOUTS`. */
  timeoutMs?: number
  /** Gives the call up; it then fails with kind `timeout`, or with the failure after which it was just waiting. */
  signal?: AbortSignal
  /** Further attempts after the first, by default 2. Payouts are never repeated. */
  retries?: number
  /** Called for each reply of the service itself, whatever its status. */
  onReply?: (reply: ReturnType<typeof factsOf>) => void
}

export interface Call extends Pick<AxiosRequestConfig, "params"> {
  method: "GET" | "POST"
  url: string
  headers?: Record<string, string>
  data?: Buffer
  /** Decides what may be repeated: reads always, a creation only if it was not sent, a payout never. */
  effect: "read" | "creation" | "payout"
  budgetMs: number
  isSigned?: boolean
  /** The host to which the link of an export leads: its refusals say nothing about the merchant's credentials. */
  linkHost?: string
  /** Texts of the request that must not come back in an error message. */
  confidential?: string[]
  /** The refusal's text may contain data that is unknown here and cannot be masked, so it is not quoted. */
  isUnquotable?: boolean
}

interface CreateTransactionRequest {
  /** The code of the method. */
  paymentMethod: number
  /** Decimal text such as "1199.99". */
  amount: string
  currency: string
  description: string
  /** The payer's addresses after paying, and after failing to. */
  returnUrl: string
  failedUrl: string
  /** Our reference, which the service returns with the transaction. */
  payload: string
  metadata?: { userId?: string; userName?: string; clientIp?: string }
}

/** Selects the transactions of an export. Codes are numeric, as text; none means all. */
export interface ExportFilter {
  statuses?: string[]
  paymentMethods?: string[]
  from: Date
  to: Date
  timeZoneId?: string
}

export interface SubscriptionQuery {
  status?: number
  from?: Date
  to?: Date
  page?: number
  size?: number
}

type CreatePayoutRequest = ({ cardId: string } | { cardNumber: string }) & { amountRub: number }

// Shared by the process. A write takes a fresh connection, because a kept one may be closed by the other side at the very moment of
// use, and that would leave open whether the payment was created. Idle connections are dropped before the usual 5 s of servers.
const kept = { keepAlive: true, timeout: 4_000, scheduling: "lifo" } as const
const agentsForReads = { httpAgent: new http.Agent(kept), httpsAgent: new https.Agent(kept) }
const agentsForWrites = { httpAgent: new http.Agent(), httpsAgent: new https.Agent() }

/** The Payment Service's HTTP interface for one merchant: a method per specified endpoint. Every failure is a `PaymentServiceError`. */
export class PaymentServiceClient {
  readonly base: URL
  readonly linkHosts: readonly string[]
  private readonly logger?: ServiceLogger
  private readonly credentialsFor: (call: Call) => Record<string, string>
  // `proxy` keeps its default: the environment's HTTPS_PROXY is the only way out for some stores, and NO_PROXY exempts a
  // simulator. Axios' `timeout` does not limit a body that drips, and its `maxContentLength` would limit an export.
  private readonly axios = axios.create({
    adapter: "http",
    responseType: "stream",
    maxRedirects: 0,
    validateStatus: null,
    paramsSerializer: { encode: encodeURIComponent },
    headers: { post: { "Content-Type": "application/json" } },
  })

  constructor(connection: ServiceConnection, { logger }: { logger?: ServiceLogger } = {}) {
    this.base = new URL(connection.baseUrl)
    // With the slash, a relative link is resolved below the base address and not beside it.
    if (!this.base.pathname.endsWith("/")) this.base.pathname += "/"
    this.linkHosts = [this.base.hostname, ...(connection.export?.linkHosts ?? [])]
    this.logger = logger && redactingLogger(logger)
    // The function holds the credentials, so that printing a client does not print them.
    this.credentialsFor = (call) =>
      isBelow(this.base, call.url) ? credentials(connection, call) : {}
  }

  /** Creates a transaction with a chosen method (`POST /transaction/process`); repeated only when it provably was not sent. */
  async createTransaction(request: CreateTransactionRequest, options: CallOptions = {}) {
    const amount = schemas.numberFromDecimal(request.amount)
    if (amount === null) {
      throw new PaymentServiceError("invalid", "The amount is not a positive decimal number")
    }
    const { userId, userName, clientIp } = request.metadata ?? {}
    const confidential = [userId, userName, clientIp].filter((value) => value !== undefined)
    const call: Call = {
      method: "POST",
      url: this.at("/transaction/process"),
      data: jsonBytes({
        paymentMethod: request.paymentMethod,
        paymentDetails: { amount, currency: request.currency },
        description: request.description,
        return: request.returnUrl,
        failedUrl: request.failedUrl,
        payload: request.payload,
        metadata: confidential.length ? { userId, userName, clientIp } : undefined,
      }),
      effect: "creation",
      budgetMs: TIMEOUTS.createMs,
      confidential,
    }
    return this.ask(call, options, schemas.createdTransaction)
  }

  /** Reads a transaction (`GET /transaction/{id}`): `not_found` when it is unknown, `malformed` when another one is answered. */
  async getTransaction(id: string, options: CallOptions = {}) {
    return this.readOne("transaction", id, options, schemas.transactionDetails)
  }

  /**
   * The transactions of a time span (`POST /transaction/export/json`) in batches as they arrive and as the service wrote them; `readRecord`
   * reads one. The time-out limits each silence of the service, and not the time that the consumer takes; only `options.signal` ends an
   * export that goes on for ever. When a connection breaks, records that the consumer has not asked for yet may be lost.
   */
  exportTransactions(filter: ExportFilter, options: CallOptions = {}) {
    const call: Call = {
      method: "POST",
      url: this.at("/transaction/export/json"),
      headers: { accept: "text/plain" },
      data: jsonBytes({
        statuses: filter.statuses ?? [],
        paymentMethods: filter.paymentMethods ?? [],
        from: filter.from.toISOString(),
        to: filter.to.toISOString(),
        timeZoneId: filter.timeZoneId ?? "UTC",
      }),
      effect: "read",
      budgetMs: TIMEOUTS.exportMs,
    }
    return downloadExport(this, call, options)
  }

  /** One page of subscriptions (`GET /subscription`). What its 404 means is not specified; it is passed on as `not_found`. */
  async listSubscriptions(query: SubscriptionQuery = {}, options: CallOptions = {}) {
    const span = { from: query.from?.toISOString(), to: query.to?.toISOString() }
    const call = this.read("/subscription", { ...query, ...span })
    return this.ask(call, options, schemas.subscriptionPage)
  }

  async getSubscription(id: string, options: CallOptions = {}) {
    return this.readOne("subscription", id, options, schemas.subscription)
  }

  /** The saved cards (`GET /api/v1/cards`, signed), by default active ones; `unreadable` counts those not as specified. */
  async listCards({ onlyActive }: { onlyActive?: boolean } = {}, options: CallOptions = {}) {
    const call = { ...this.read("/api/v1/cards", { onlyActive }), isSigned: true }
    return this.ask(call, options, schemas.savedCards)
  }

  /**
   * Prepares a payout to a ruble card (`POST /api/v1/payouts/card-rub`, signed), whose `body` is exactly what each `send` sends; it
   * holds the card number, if one was given. `idempotencyKey` is a new unique text per payout. No sending is repeated automatically:
   * after an error that `mayHaveTakenEffect` the outcome is unknown.
   */
  preparePayout(request: CreatePayoutRequest, idempotencyKey: string) {
    const { amountRub, ...recipient } = request
    const kind = { payoutMethod: "CARD", currencyRequested: "RUB" }
    const body = jsonBytes({ ...recipient, amountRub, ...kind })
    const call: Call = {
      method: "POST",
      url: this.at("/api/v1/payouts/card-rub"),
      headers: { "Idempotency-Key": idempotencyKey },
      data: body,
      effect: "payout",
      budgetMs: TIMEOUTS.payoutMs,
      isSigned: true,
      // A refusal may repeat the card number in any form.
      isUnquotable: "cardNumber" in request,
    }
    const send = (options: CallOptions = {}) => this.ask(call, options, schemas.createdPayout)
    return { body, send }
  }

  private read(path: string, params?: object): Call {
    return { method: "GET", url: this.at(path), params, effect: "read", budgetMs: TIMEOUTS.readMs }
  }

  private at(path: string): string {
    return new URL(path.slice(1), this.base).href
  }

  /** Reads the object with an id. A text that is not a UUID never becomes part of an address. */
  private async readOne<Schema extends z.ZodType<{ id: string }>>(
    what: "transaction" | "subscription",
    id: string,
    options: CallOptions,
    schema: Schema
  ): Promise<z.output<Schema>> {
    if (!schemas.WHOLE_UUID.test(id)) {
      throw new PaymentServiceError("invalid", `This is not a ${what} id: it must be a UUID`)
    }
    const call = { ...this.read(`/${what}/${id}`), isUnquotable: what === "transaction" }
    const found = await this.ask(call, options, schema)
    if (found.id.toLowerCase() === id.toLowerCase()) return found
    throw malformed(call, "is malformed: id is not the one that was asked for")
  }

  private ask<Schema extends z.ZodType>(call: Call, options: CallOptions, schema: Schema) {
    return this.call(call, options, async (body): Promise<z.output<Schema>> => {
      const text = await readText(body, MAX_REPLY_BYTES)
      if (text === null) throw malformed(call, "is larger than 1 MB")
      const wire = jsonIn(text)
      if (wire === undefined) throw malformed(call, "is not JSON")
      const { success, data, error } = schema.safeParse(wire)
      if (success) return data
      // A service may refuse a payment in a reply that looks like a success.
      const said = call.effect === "creation" ? quoteOf(call, text) : undefined
      const { field, reason } = schemas.faultOf(error)
      throw malformed(call, `is malformed: ${field || "it"} ${reason}`, said)
    })
  }

  /** Calls, again where that is safe and may help, and `read`s a 2xx reply, in one time budget; it does not limit a body returned unread. */
  async call<Result>(call: Call, options: CallOptions, read: (body: Readable) => Promise<Result>) {
    const { timeoutMs = call.budgetMs, retries = 2, signal, onReply } = options
    const endsAt = performance.now() + timeoutMs
    for (let attempt = 0; ; attempt++) {
      const startedAt = performance.now()
      let reply: AxiosResponse<Readable> | undefined
      try {
        const result = await limited(call, endsAt - startedAt, signal, async (limit) => {
          const agents = call.effect === "read" ? agentsForReads : agentsForWrites
          const headers = { ...call.headers, ...this.credentialsFor(call) }
          reply = await this.axios.request<Readable>({ ...call, ...agents, headers, signal: limit })
          // Without this listener, Node would end the process when the connection breaks after the reading has stopped.
          reply.data.on("error", () => undefined)
          if (call.linkHost === undefined) onReply?.(factsOf(reply))
          if (!isAccepted(call, reply.status)) throw await refusalOf(call, reply)
          return await read(reply.data)
        })
        this.log(call, startedAt, reply)
        return result
      } catch (error) {
        const failure = error as PaymentServiceError
        reply?.data.destroy()
        this.log(call, startedAt, reply, failure)
        const { retryAfterMs = FIRST_WAIT_MS * 2 ** attempt } = failure
        const waitMs = retryAfterMs + Math.random() * FIRST_WAIT_MS
        const mayRetry = attempt < retries && isRepeatable(call, failure)
        if (!mayRetry || waitMs >= endsAt - performance.now()) throw failure
        await sleep(waitMs, undefined, { signal }).catch(() => {
          throw failure
        })
      }
    }
  }

  /** A line for each attempt, written when its reply has been read: a reply of status 200 may be malformed. */
  private log(call: Call, startedAt: number, reply?: AxiosResponse, failure?: PaymentServiceError) {
    const took = `${Math.round(performance.now() - startedAt)} ms`
    const line = `Payment Service ${call.method} ${shownPath(call)} ${reply?.status ?? "no reply"} ${took}`
    if (failure) this.logger?.warn(`${line} (${failure.kind})`)
    else if (call.effect === "read") this.logger?.debug(line)
    else this.logger?.info(line)
  }
}

const jsonBytes = (value: object) => Buffer.from(JSON.stringify(value))

/** With the seconds that this server's clock is ahead of the service's; null when the reply has no `Date`. */
function factsOf({ status, headers }: AxiosResponse) {
  const ahead = Math.round((Date.now() - Date.parse(String(headers.date))) / 1_000)
  return { httpStatus: status, clockAheadSeconds: Number.isNaN(ahead) ? null : ahead }
}

/** Two headers with the merchant key, or a signature of exactly what is sent. */
function credentials(
  { merchantId, secret, signingSecret, signatureScheme = DEFAULT_SCHEME }: ServiceConnection,
  { method, url, headers, data = Buffer.alloc(0), isSigned }: Call
): Record<string, string> {
  if (!isSigned) return { "X-MerchantId": merchantId, "X-Secret": secret }
  if (!signingSecret) throw new PaymentServiceError("invalid", "The signing secret is not set")
  const timestamp = Math.floor(Date.now() / 1000)
  const digest = createHash("sha256").update(data).digest("hex")
  const key = headers?.["Idempotency-Key"] ?? ""
  const text = [method, new URL(url).pathname, timestamp, key, digest].join("\n")
  const signature = createHmac("sha256", signingSecret).update(text).digest("base64")
  const fields = `kid=${merchantId}, ts=${timestamp}, sig=${signature}`
  return { Authorization: `${signatureScheme} ${fields}` }
}

/** Only such addresses get the credentials: other paths may be others'. A proxy that decodes an encoded slash may go up in the path. */
function isBelow(base: URL, address: string): boolean {
  const { origin, pathname } = new URL(address)
  const isInside = origin === base.origin && pathname.startsWith(base.pathname)
  return isInside && !/%(?:2f|5c)/i.test(pathname.slice(base.pathname.length))
}

function isRepeatable(call: Call, error: PaymentServiceError): boolean {
  if (call.effect === "payout") return false
  if (call.effect === "creation") return error.kind === "unavailable" && !error.mayHaveTakenEffect
  return ["unavailable", "timeout", "rate_limited"].includes(error.kind)
}

/**
 * Does a part of a call with a signal that aborts after `ms`, or together with `outer`. Every failure becomes a
 * `PaymentServiceError`. An answer that came while this process was busy counts as in time: it is read before the signal aborts.
 * `AbortSignal.timeout` aborts before that, and each `AbortSignal.any` stays in the memory of a long-lived `outer`.
 */
export async function limited<Result>(
  call: Call,
  ms: number,
  outer: AbortSignal | undefined,
  work: (limit: AbortSignal) => Promise<Result>
): Promise<Result> {
  const limit = new AbortController()
  const end = (message: string) => limit.abort(failed(call, "timeout", message))
  const giveUp = () => end("The call to the Payment Service was given up")
  if (outer?.aborted) giveUp()
  outer?.addEventListener("abort", giveUp)
  let afterReading: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    afterReading = setImmediate(() => end(`${answererOf(call)} did not answer in time`))
  }, ms)
  try {
    return await work(limit.signal)
  } catch (error) {
    if (error instanceof PaymentServiceError) throw error
    throw limit.signal.aborted ? limit.signal.reason : connectionFailure(call, error)
  } finally {
    clearTimeout(timer)
    clearImmediate(afterReading)
    outer?.removeEventListener("abort", giveUp)
  }
}

export const isLoopback = (hostname: string) =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)

const IN_PRIVATE_NETWORK =
  /^(?:(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+|\[f[cd].+|[^.:]+)$/

/** Whether http will do there: on the machine itself; outside production also in a private network, or at a container's name (no dot). */
export const mayUseHttp = (hostname: string) =>
  isLoopback(hostname) ||
  (process.env.NODE_ENV !== "production" && IN_PRIVATE_NETWORK.test(hostname))
