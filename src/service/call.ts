import { createHash, createHmac } from "node:crypto"
import http from "node:http"
import https from "node:https"
import type { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import axios, { type AxiosResponse } from "axios"
import {
  answererOf,
  connectionFailure,
  failureOf,
  givenUp,
  PaymentServiceError,
  shownPath,
} from "./errors"
import { redactingLogger, type ServiceLogger } from "./redact"
import { isAccepted, refusalOf } from "./refusal"

/** The service's address, and the merchant's credentials there. */
export interface ServiceConnection {
  /** http or https, with or without a path. */
  baseUrl: string
  merchantId: string
  secret: string
  /** Needed only for cards and payouts. */
  signingSecret?: string
  /** Prefix of the signed scheme, by default `DEFAULT_SCHEME`. */
  signatureScheme?: string
  timeouts?: Partial<typeof DEFAULT_TIMEOUTS>
  export?: {
    /** Hosts, as `URL` spells them, to which the link of an export may lead besides the service's own. */
    linkHosts?: readonly string[]
  }
}

/** Budgets in milliseconds of whole calls, retries and waits included. */
export const DEFAULT_TIMEOUTS = {
  /** A shopper waits for this call. */
  createMs: 7_000,
  readMs: 5_000,
  /** The longest wait for the beginning of the export, and then for each further part. */
  exportMs: 60_000,
  payoutMs: 30_000,
}

export const DEFAULT_SCHEME = "SVC-HMAC"

/** Per-call settings, which only narrow the connection's settings. */
export interface CallOptions {
  /** Budget of the whole call in milliseconds, retries and waits included; for the export see `exportTransactions`. */
  timeoutMs?: number
  /** Gives the call up; it then fails with kind `timeout`. */
  signal?: AbortSignal
  /** Further attempts after the first, by default 2. Payouts are never repeated. */
  retries?: number
  /** Called for each reply of the service itself, whatever its status. */
  onReply?: (reply: ReplyFacts) => void
}

/** The facts of a reply that do not depend on its body. */
export interface ReplyFacts {
  httpStatus: number
  /** Seconds that this server's clock is ahead of the service's; null when the reply has no `Date`. */
  clockAheadSeconds: number | null
}

/** One request to any endpoint. */
export interface Call {
  method: "GET" | "POST"
  url: URL
  /** Further headers than those that tell who is asking. */
  headers?: Record<string, string>
  /** The JSON that is sent, to the byte. */
  body?: Buffer
  /** Decides what may be repeated: reads always, a creation only if it was not sent, a payout never. */
  effect: "read" | "creation" | "payout"
  budgetMs: number
  /** The payout area asks for a signature instead of the merchant key. */
  isSigned?: boolean
  /** The host to which the link of an export leads: its refusals say nothing about the merchant's credentials. */
  linkHost?: string
  /** Texts of the request that must not come back in an error message. */
  confidential?: string[]
  /** The refusal's text is not quoted, because it may contain data that is unknown here and cannot be masked. */
  isUnquotable?: boolean
}

const FIRST_WAIT_MS = 200

// Shared by the process: clients are made anew per call, connections are not. A write takes a fresh connection, because
// a kept one may be closed by the other side at the very moment of use, and the reset would leave open whether the
// payment was created. Idle connections are dropped before the usual 5 s of servers.
const kept = { keepAlive: true, timeout: 4_000, scheduling: "lifo" } as const
const agentsForReads = { httpAgent: new http.Agent(kept), httpsAgent: new https.Agent(kept) }
const agentsForWrites = { httpAgent: new http.Agent(), httpsAgent: new https.Agent() }

// `proxy` keeps its default: the environment's HTTPS_PROXY is the only way out for some stores, and NO_PROXY exempts a simulator.
const client = axios.create({
  adapter: "http",
  responseType: "stream",
  maxRedirects: 0,
  validateStatus: null,
})

/** Makes the calls of one merchant at one address. */
export class ServiceCaller {
  /** A `#` field, so that printing a client does not print its secrets. */
  readonly #connection: ServiceConnection
  readonly base: URL
  readonly linkHosts: readonly string[]
  protected readonly timeouts: typeof DEFAULT_TIMEOUTS
  protected readonly logger?: ServiceLogger
  private readonly now: () => number

  /** @param deps.now the wall clock in milliseconds, used for signatures */
  constructor(
    connection: ServiceConnection,
    { logger, now = Date.now }: { logger?: ServiceLogger; now?: () => number } = {}
  ) {
    this.#connection = connection
    this.base = new URL(connection.baseUrl)
    // With the slash, a relative link is resolved below the base address and not beside it.
    if (!this.base.pathname.endsWith("/")) this.base.pathname += "/"
    this.linkHosts = [this.base.hostname, ...(connection.export?.linkHosts ?? [])]
    this.timeouts = { ...DEFAULT_TIMEOUTS, ...connection.timeouts }
    this.logger = logger && redactingLogger(logger)
    this.now = now
  }

  url(path: string, query: Record<string, string | number | boolean | undefined> = {}): URL {
    const url = new URL(path.slice(1), this.base)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    return url
  }

  /**
   * Makes the call, again where that is safe and may help, and hands the body of a 2xx reply to `read`. All of that has one time
   * budget, which does not limit a body that `read` returns unread. Every failure is a `PaymentServiceError`.
   */
  async call<Result>(
    call: Call,
    options: CallOptions,
    read: (body: Readable) => Promise<Result>
  ): Promise<Result> {
    const { timeoutMs = call.budgetMs, retries = 2, signal } = options
    const endsAt = performance.now() + timeoutMs
    for (let attempt = 0; ; attempt++) {
      try {
        // A slow answer may use the whole budget; a retry gets only the rest.
        return await this.attempt(call, endsAt - performance.now(), options, read)
      } catch (error) {
        if (!(error instanceof PaymentServiceError)) throw error
        const { retryAfterMs = FIRST_WAIT_MS * 2 ** attempt } = error
        const waitMs = retryAfterMs + Math.random() * FIRST_WAIT_MS
        const mayRetry = attempt < retries && isRepeatable(call, error) && !signal?.aborted
        if (!mayRetry || waitMs >= endsAt - performance.now()) throw error
        await sleep(waitMs, undefined, { signal }).catch(() => {
          throw givenUp(call)
        })
      }
    }
  }

  private async attempt<Result>(
    call: Call,
    budgetMs: number,
    { signal, onReply }: CallOptions,
    read: (body: Readable) => Promise<Result>
  ): Promise<Result> {
    const limit = limitedTo(call, budgetMs, signal)
    const startedAt = performance.now()
    let reply: AxiosResponse<Readable> | undefined
    let failure: PaymentServiceError | undefined
    try {
      reply = await client.request<Readable>({
        ...(call.effect === "read" ? agentsForReads : agentsForWrites),
        method: call.method,
        url: call.url.href,
        headers: {
          ...(call.body && { "Content-Type": "application/json" }),
          ...call.headers,
          ...this.credentialsFor(call),
        },
        data: call.body,
        signal: limit.signal,
      })
      // Without this listener, Node would end the process when the connection breaks after the reading has stopped.
      reply.data.on("error", () => undefined)
      const aheadSeconds = Math.round((this.now() - Date.parse(String(reply.headers.date))) / 1_000)
      const clockAheadSeconds = Number.isNaN(aheadSeconds) ? null : aheadSeconds
      if (call.linkHost === undefined) onReply?.({ httpStatus: reply.status, clockAheadSeconds })
      if (!isAccepted(call, reply.status)) throw await refusalOf(call, reply, this.now())
      return await read(reply.data)
    } catch (error) {
      reply?.data.destroy()
      if (error instanceof PaymentServiceError) failure = error
      else if (limit.signal.aborted) failure = limit.signal.reason as PaymentServiceError
      else failure = connectionFailure(call, error)
      throw failure
    } finally {
      limit.release()
      this.log(call, reply?.status, performance.now() - startedAt, failure)
    }
  }

  private log(call: Call, status: number | undefined, ms: number, failure?: PaymentServiceError) {
    const asked = `Payment Service ${call.method} ${shownPath(call)}`
    const line = `${asked} ${status ?? "no reply"} ${Math.round(ms)} ms`
    if (failure) this.logger?.warn(`${line} (${failure.kind})`)
    else if (call.effect === "read") this.logger?.debug(line)
    else this.logger?.info(line)
  }

  /** Two headers with the merchant key, or a signature of exactly what is sent. Only the service's own address gets them. */
  private credentialsFor({ method, url, headers, body, isSigned }: Call): Record<string, string> {
    if (!this.isOwnAddress(url)) return {}
    const { merchantId, secret, signingSecret, signatureScheme = DEFAULT_SCHEME } = this.#connection
    if (!isSigned) return { "X-MerchantId": merchantId, "X-Secret": secret }

    if (!signingSecret) throw new PaymentServiceError("invalid", "The signing secret is not set")
    const timestamp = Math.floor(this.now() / 1000)
    const idempotencyKey = headers?.["Idempotency-Key"] ?? ""
    const digest = createHash("sha256")
      .update(body ?? "")
      .digest("hex")
    const text = [method, url.pathname, timestamp, idempotencyKey, digest].join("\n")
    const signature = createHmac("sha256", signingSecret).update(text).digest("base64")
    return {
      Authorization: `${signatureScheme} kid=${merchantId}, ts=${timestamp}, sig=${signature}`,
    }
  }

  /**
   * Whether a URL is the base address or below its path, at the same scheme, host and port: other paths of that host may belong
   * to others. A URL with an encoded slash does not count, since a proxy that decodes it may go up in the path.
   */
  private isOwnAddress(url: URL): boolean {
    const { origin, pathname } = this.base
    const below = url.pathname.slice(pathname.length)
    const isBelow = url.origin === origin && url.pathname.startsWith(pathname)
    return isBelow && !/%(?:2f|5c)/i.test(below)
  }
}

function isRepeatable(call: Call, error: PaymentServiceError): boolean {
  if (call.effect === "payout") return false
  if (call.effect === "creation") return error.kind === "unavailable" && !error.mayHaveTakenEffect
  return ["unavailable", "timeout", "rate_limited"].includes(error.kind)
}

/**
 * A signal that aborts after `ms`, or together with `outer`, with the call's error as its reason; call `release` when the work is
 * done. An answer that came while this process was busy counts as in time: it is read before the signal aborts.
 * `AbortSignal.timeout` aborts before that, and each `AbortSignal.any` stays in the memory of a long-lived `outer`.
 */
export function limitedTo(call: Call, ms: number, outer?: AbortSignal) {
  const limit = new AbortController()
  const giveUp = () => limit.abort(givenUp(call))
  if (outer?.aborted) giveUp()
  outer?.addEventListener("abort", giveUp)
  let afterReading: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    afterReading = setImmediate(() =>
      limit.abort(failureOf(call, "timeout", `${answererOf(call)} did not answer in time`))
    )
  }, ms)
  return {
    signal: limit.signal,
    release: () => {
      clearTimeout(timer)
      clearImmediate(afterReading)
      outer?.removeEventListener("abort", giveUp)
    },
  }
}

/** Whether this host, as `URL` spells it, is the machine itself. */
export const isLoopback = (hostname: string) =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
