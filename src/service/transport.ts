import http from "node:http"
import https from "node:https"
import type { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import axios from "axios"
import type { Call, CallOptions } from "./call"
import { connectionFailure, givenUp, malformed, timedOut } from "./call-failures"
import { PaymentServiceError } from "./errors"
import { redactingLogger, type ServiceLogger } from "./redact"
import { refusalOf } from "./refusal"
import { isAccepted } from "./status-meaning"
import { readText } from "./utf8"

const MAX_REPLY_BYTES = 1024 * 1024
const MAX_RETRIES = 5
const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 2_000

// Shared by the process: clients are made anew per call, connections are not. A write takes a fresh connection, because
// a kept one may be closed by the other side at the very moment of use, and the reset would leave open whether the
// payment was created. Idle connections are dropped before the usual 5 s of servers.
const kept = { keepAlive: true, timeout: 4_000, scheduling: "lifo" } as const
const agentsForReads = { httpAgent: new http.Agent(kept), httpsAgent: new https.Agent(kept) }
const agentsForWrites = { httpAgent: new http.Agent(), httpsAgent: new https.Agent() }

// Bodies pass through as bytes in both directions, and every status is judged in this file. `proxy` keeps its default: the
// environment's HTTPS_PROXY is the only way out for some stores, and NO_PROXY exempts a simulator.
const client = axios.create({
  adapter: "http",
  responseType: "stream",
  maxRedirects: 0,
  transformRequest: [(data: unknown) => data],
  transformResponse: [(data: unknown) => data],
  validateStatus: () => true,
})

/** Makes requests with one time budget per call, retries and a log. Every failure becomes a `PaymentServiceError`. */
export class Transport {
  private readonly logger?: ServiceLogger

  constructor(
    logger: ServiceLogger | undefined,
    private readonly now: () => number
  ) {
    this.logger = logger && redactingLogger(logger)
  }

  /**
   * Makes the call and hands the body of a 2xx reply to `consume`, within the same attempt. The budget no longer limits a body
   * that `consume` returns unread.
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
        // A slow answer may use the whole budget; a retry gets only the rest.
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
      const date = header(reply.headers, "date")
      if (call.linkHost === undefined) onReply?.({ httpStatus: status, date: dateOf(date) })
      // Without this listener, Node would end the process when the connection breaks after the reading has stopped.
      reply.data.on("error", () => undefined)
      if (isAccepted(call, status)) return await consume(reply.data)

      const retryAfter = header(reply.headers, "retry-after")
      const refusing = { status, date, retryAfter, body: reply.data }
      const refusal = await refusalOf(call, refusing, this.now)
      reply.data.destroy()
      throw refusal
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

  private log(call: Call, status: number | undefined, ms: number, failure?: PaymentServiceError) {
    const line = `Payment Service ${call.method} ${call.logPath} ${status ?? "no reply"} ${Math.round(ms)} ms`
    if (failure) this.logger?.warn(`${line} (${failure.kind})`)
    else if (call.effect === "read") this.logger?.debug(line)
    else this.logger?.info(line)
  }
}

function mayRetry(call: Call, error: PaymentServiceError): boolean {
  if (call.effect === "creation") return error.kind === "unavailable" && !error.mayHaveTakenEffect
  return ["unavailable", "timeout", "rate_limited"].includes(error.kind)
}

/** Milliseconds: as many as the service asked for, else doubling from 200 ms to 2 s, minus up to half of that at random. */
function waitBeforeRetry(error: PaymentServiceError, attempt: number): number {
  if (error.retryAfterMs !== undefined) return error.retryAfterMs + Math.random() * FIRST_WAIT_MS
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2)
}

function dateOf(text: string): Date | null {
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : new Date(at)
}

/**
 * A signal that aborts after `ms` or together with `outer`; call `release` when the work is done. An answer that came while this
 * process was busy counts as in time: it is read before the signal aborts. `AbortSignal.timeout` aborts before that and cannot be
 * ended, and each `AbortSignal.any` stays in the memory of a long-lived `outer`.
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

function header(headers: object, name: string): string {
  const value: unknown = Reflect.get(headers, name)
  return typeof value === "string" ? value.trim() : ""
}
