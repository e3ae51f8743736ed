import http from "node:http"
import https from "node:https"
import type { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import axios from "axios"
import { PaymentServiceError, type PaymentServiceErrorKind, type RefusalTopic } from "./errors"
import { redact, redactingLogger, type ServiceLogger } from "./redact"
import { topicOf } from "./refusal-topic"
import { isAccepted, isWithoutEffect, meaningOf, PAYOUT_REFUSALS } from "./status-meaning"
import { utf8Text } from "./utf8"

/** Per-call settings. All of them narrow what the connection's settings allow. */
export interface CallOptions {
  /** Budget of the whole call in milliseconds, retries and waits included; for the export see `exportTransactions`. */
  timeoutMs?: number
  /** Gives the call up; it then fails with kind `timeout`. */
  signal?: AbortSignal
  /** Further attempts after the first: by default 2, at most 5. Payouts are never repeated. */
  retries?: number
  /** Hears of each reply of the service itself, whatever its status; `date` is what its own clock shows. */
  onReply?: (reply: { httpStatus: number; date: Date | null }) => void
}

/** One request as it is to be made, whatever the endpoint. */
export interface Call {
  method: "GET" | "POST"
  url: URL
  /** The path that the log shows; never with query string. */
  logPath: string
  /** Called for each attempt, since a signature contains the time. */
  headers: () => Record<string, string>
  body?: Buffer
  /** Decides what may be repeated: reads always, a creation only if it was not sent, a payout never. */
  effect: "read" | "creation" | "payout"
  scheme: "merchant key" | "signed" | "none"
  budgetMs: number
  /** The host to which the link of an export leads: its refusals say nothing about the merchant's credentials. */
  linkHost?: string
  /** Texts of the request that must not come back in an error message. */
  confidential?: string[]
  /** The refusal's text is not quoted, because it may contain data that is not known here and cannot be masked. */
  unquotable?: boolean
}

const MAX_REPLY_BYTES = 1024 * 1024
const MAX_RETRIES = 5
const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 2_000
const CLOCK_TOLERANCE_MS = 300_000
const QUOTABLE_REPLY_BYTES = 16 * 1024
const QUOTED_REPLY_CHARACTERS = 200
/** Twelve digits and more, however they are grouped. */
const LONG_DIGITS = /\d(?:[ -]?\d){11,}/g

// Shared by the process: clients are made anew per call, connections are not. A write takes a fresh connection, because
// a kept one may be closed by the other side at the very moment of use, and the reset would leave open whether the
// payment was created. Idle connections are dropped before the usual 5 s of servers.
const kept = { keepAlive: true, timeout: 4_000, scheduling: "lifo" } as const
const agentsForReads = { httpAgent: new http.Agent(kept), httpsAgent: new https.Agent(kept) }
const agentsForWrites = { httpAgent: new http.Agent(), httpsAgent: new https.Agent() }

// Bodies pass through as bytes in both directions, and every status is judged in this file. `proxy` is left alone: the
// environment's HTTPS_PROXY is the only way out for some stores, and NO_PROXY exempts a simulator.
const client = axios.create({
  adapter: "http",
  responseType: "stream",
  maxRedirects: 0,
  transformRequest: [(data: unknown) => data],
  transformResponse: [(data: unknown) => data],
  validateStatus: () => true,
})

/** Makes requests: one time budget per call, retries, the log, and every failure as a `PaymentServiceError`. */
export class Transport {
  private readonly logger?: ServiceLogger

  constructor(
    logger: ServiceLogger | undefined,
    private readonly now: () => number
  ) {
    this.logger = logger && redactingLogger(logger)
  }

  /**
   * Makes the call and hands the body of a 2xx reply to `consume`, within the same attempt. A body that `consume`
   * returns unread is not bound by the budget any more.
   */
  async request<Result>(
    call: Call,
    options: CallOptions,
    consume: (body: Readable) => Promise<Result>
  ): Promise<Result> {
    const endsAt = performance.now() + (options.timeoutMs ?? call.budgetMs)
    const retries = call.effect === "payout" ? 0 : Math.min(options.retries ?? 2, MAX_RETRIES)

    for (let attempt = 0; ; attempt++) {
      try {
        // A slow answer may take all of the time; a retry gets what is left of it.
        return await this.attempt(call, endsAt - performance.now(), options, consume)
      } catch (error) {
        if (!(error instanceof PaymentServiceError)) throw error
        const waitMs = waitBeforeRetry(error, attempt)
        const worthwhile = attempt < retries && mayRetry(call, error) && !options.signal?.aborted
        if (!worthwhile || waitMs >= endsAt - performance.now()) throw error
        await sleep(waitMs, undefined, { signal: options.signal }).catch(() => {
          throw givenUp(call)
        })
      }
    }
  }

  /** Makes the call and hands the text of the 2xx reply to `parse`; more than 1 MB is `malformed`. */
  requestText<Result>(
    call: Call,
    options: CallOptions,
    parse: (text: string) => Result
  ): Promise<Result> {
    return this.request(call, options, async (body) => {
      const text = await readText(body, MAX_REPLY_BYTES)
      if (text === null) throw malformed(call, "is larger than 1 MB")
      return parse(text)
    })
  }

  private async attempt<Result>(
    call: Call,
    budgetMs: number,
    { signal, onReply }: CallOptions,
    consume: (body: Readable) => Promise<Result>
  ): Promise<Result> {
    const limit = limitedTo(budgetMs, signal)
    const startedAt = performance.now()
    let status: number | undefined
    let failure: PaymentServiceError | undefined
    try {
      const reply = await client.request<Readable>({
        ...(call.effect === "read" ? agentsForReads : agentsForWrites),
        method: call.method,
        url: call.url.href,
        headers: call.headers(),
        data: call.body,
        signal: limit.signal,
      })
      status = reply.status
      if (call.linkHost === undefined) {
        onReply?.({ httpStatus: status, date: dateOf(header(reply.headers, "date")) })
      }
      // When a connection breaks after nobody reads any more, Node would end the process without this listener.
      reply.data.on("error", () => undefined)
      if (isAccepted(call, status)) return await consume(reply.data)

      const said = await this.readRefusal(call, status, reply.data)
      reply.data.destroy()
      throw this.refusal(call, status, reply.headers, said)
    } catch (error) {
      if (error instanceof PaymentServiceError) failure = error
      else if (signal?.aborted) failure = givenUp(call)
      else if (limit.signal.aborted) failure = timedOut(call)
      else failure = connectionFailure(call, error)
      throw failure
    } finally {
      limit.release()
      this.log(call, status, performance.now() - startedAt, failure)
    }
  }

  /** The error for a reply that is not 2xx ("Errors"). */
  private refusal(call: Call, httpStatus: number, headers: object, { detail, topic }: SaidRefusal) {
    const [kind, meaning] = meaningOf(httpStatus, call)
    const message = `${answererOf(call)} ${meaning} (${httpStatus})${detail && `: ${detail}`}`
    return new PaymentServiceError(
      kind,
      message + this.clockRemark(call, kind, header(headers, "date")),
      {
        // A refusal of a key that was used tells that an earlier request has arrived.
        mayHaveTakenEffect:
          call.effect !== "read" && (topic === "key" || !isWithoutEffect(call, httpStatus)),
        httpStatus,
        retryAfterMs: retryAfterMs(header(headers, "retry-after"), this.now()),
        topic,
        detail: detail || undefined,
      }
    )
  }

  /**
   * A wrong clock is the usual cause of a refused signature, and nothing else tells of it. The status of such a refusal
   * is "not shown", so the remark is made on 400 too.
   */
  private clockRemark(call: Call, kind: PaymentServiceErrorKind, date: string): string {
    if (call.scheme !== "signed" || (kind !== "unauthorized" && kind !== "invalid")) return ""
    const offMs = this.now() - Date.parse(date)
    if (!(Math.abs(offMs) > CLOCK_TOLERANCE_MS)) return ""
    const off = `${Math.round(Math.abs(offMs) / 1000)} s ${offMs > 0 ? "ahead of" : "behind"}`
    return `. This server's clock is ${off} the Payment Service's, which accepts 300 s: set the clock`
  }

  /** The text of a refusal: its beginning for the merchant, "" when it is not to be shown, and what it is about. */
  private async readRefusal(call: Call, status: number, body: Readable): Promise<SaidRefusal> {
    const isPayout = call.effect === "payout"
    const isSigned = call.scheme === "signed"
    const isQuoted = (status === 400 || status === 422) && !call.unquotable
    if (!isQuoted && !(isSigned && PAYOUT_REFUSALS.has(status))) return { detail: "" }
    const text = await readText(body, QUOTABLE_REPLY_BYTES).catch(() => null)
    if (!text || text.trimStart().startsWith("<")) return { detail: "" }
    let shown = unescaped(text)
    const topic = isSigned ? topicOf(shown) : undefined
    if (!isQuoted) return { detail: "", topic }
    for (const value of call.confidential ?? []) {
      const written = JSON.stringify(value).slice(1, -1)
      if (value) shown = shown.replaceAll(value, "***").replaceAll(written, "***")
    }
    // A payout's refusal may name a card in a form that the redactor does not know.
    if (isPayout) shown = shown.replace(LONG_DIGITS, "***")
    const detail = redact(shown).replace(/\s+/g, " ").trim().slice(0, QUOTED_REPLY_CHARACTERS)
    return { detail, topic }
  }

  private log(call: Call, status: number | undefined, ms: number, failure?: PaymentServiceError) {
    const line = `Payment Service ${call.method} ${call.logPath} ${status ?? "no reply"} ${Math.round(ms)} ms`
    if (failure) this.logger?.warn(`${line} (${failure.kind})`)
    else if (call.effect === "read") this.logger?.debug(line)
    else this.logger?.info(line)
  }
}

/** The facts that the text of a refusal tells. */
interface SaidRefusal {
  detail: string
  topic?: RefusalTopic
}

/** Subject of a sentence about the other side. */
function answererOf({ linkHost }: Pick<Call, "linkHost">): string {
  return linkHost === undefined
    ? "The Payment Service"
    : `The host ${linkHost}, to which the Payment Service's export leads,`
}

/** The error for a reply that is not as specified. `problem` completes "The Payment Service's reply to … ". */
export function malformed(call: Call, problem: string, field?: string): PaymentServiceError {
  return new PaymentServiceError(
    "malformed",
    `The Payment Service's reply to ${call.method} ${call.logPath} ${problem}`,
    { mayHaveTakenEffect: call.effect !== "read", field }
  )
}

/** The error for a call whose time is over. */
export function timedOut(call: Call): PaymentServiceError {
  return new PaymentServiceError("timeout", `${answererOf(call)} did not answer in time`, {
    mayHaveTakenEffect: call.effect !== "read",
  })
}

/** The error for a call that its caller gave up. */
export function givenUp(call: Call): PaymentServiceError {
  return new PaymentServiceError("timeout", "The call to the Payment Service was given up", {
    mayHaveTakenEffect: call.effect !== "read",
  })
}

/** The error for a connection that could not be made, or broke. */
export function connectionFailure(call: Call, error: unknown): PaymentServiceError {
  const code = codeOf(error)
  const unsent = neverConnected(error)
  const what = unsent ? "could not be reached" : "broke the connection off"
  const message = `${answererOf(call)} ${what}${code && ` (${code})`}`
  return new PaymentServiceError("unavailable", message, {
    mayHaveTakenEffect: call.effect !== "read" && !unsent,
  })
}

/** The text of a body, or null when it is longer than `maxBytes`; the rest is then not read. */
async function readText(body: Readable, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  return utf8Text(Buffer.concat(chunks))
}

function mayRetry(call: Call, error: PaymentServiceError): boolean {
  if (call.effect === "creation") return error.kind === "unavailable" && !error.mayHaveTakenEffect
  return ["unavailable", "timeout", "rate_limited"].includes(error.kind)
}

/** Milliseconds: what the service asked for, else doubling from 200 ms to 2 s, less up to half of it at random. */
function waitBeforeRetry(error: PaymentServiceError, attempt: number): number {
  if (error.retryAfterMs !== undefined) return error.retryAfterMs + Math.random() * FIRST_WAIT_MS
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2)
}

function dateOf(text: string): Date | null {
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : new Date(at)
}

/** `Retry-After` in seconds or as HTTP date, in milliseconds from `now`. */
function retryAfterMs(text: string, now: number): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/**
 * A signal that aborts after `ms` or together with `outer`; `release` is to be called when the work is done. An answer
 * that came while this process was busy is in time: what has arrived is read before the signal aborts.
 * `AbortSignal.timeout` aborts before that and cannot be ended, and each `AbortSignal.any` stays in the memory of an
 * `outer` that lives for long.
 */
export function limitedTo(
  ms: number,
  outer?: AbortSignal
): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  let afterReading: NodeJS.Immediate | undefined
  const timer = setTimeout(() => (afterReading = setImmediate(abort)), ms)
  if (outer?.aborted) abort()
  outer?.addEventListener("abort", abort)
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer)
      clearImmediate(afterReading)
      outer?.removeEventListener("abort", abort)
    },
  }
}

/**
 * Whether the error proves that not a byte was sent: name resolution or connecting failed. Decided by the system call
 * and not by the code alone, because an established connection can also end in ETIMEDOUT, EHOSTUNREACH or ECONNRESET.
 */
function neverConnected(error: unknown): boolean {
  const { cause, errors, syscall } = partsOf(error)
  // Node tries all addresses of a host and then reports them together; axios wraps what Node reports.
  if (cause !== undefined) return neverConnected(cause)
  if (Array.isArray(errors)) return errors.length > 0 && errors.every(neverConnected)
  return syscall === "connect" || syscall === "getaddrinfo"
}

function codeOf(error: unknown): string {
  const { code } = partsOf(error)
  return typeof code === "string" ? code : ""
}

/** Reads an error by its shape, because errors of Node and of axios have no class in common. */
function partsOf(error: unknown): {
  cause?: unknown
  errors?: unknown
  syscall?: unknown
  code?: unknown
} {
  return typeof error === "object" && error !== null ? error : {}
}

function header(headers: object, name: string): string {
  const value: unknown = Reflect.get(headers, name)
  return typeof value === "string" ? value.trim() : ""
}

/** JSON text without `\u` escapes, so that confidential values are recognised in it; other text as it is. */
function unescaped(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
