import { setTimeout as sleep } from "node:timers/promises"

import pLimit from "p-limit"

import { beginning, BoundedList } from "./bounded-list"
import { masked } from "./masking"
import type { CallbackBody, CallbackSubject, Settings } from "./options"

/**
 * One attempt to deliver a callback; `status` is null until an answer comes, or without one. The first 16 KB of the body are
 * kept, with secrets and card numbers masked.
 */
export interface SentCallback {
  url: string
  transactionId: string | null
  body: string
  status: number | null
  error: string | null
  at: number
}

/** The mode of callbacks about changes. `sendCallback` ignores it. */
export interface CallbackMode {
  /** Further copies of each callback. */
  duplicate: number
  /** Sends no callbacks. */
  drop: boolean
  delayMs: number
  /** Holds each callback until the next one was sent, or for a second. */
  reorder: boolean
}

const TIMEOUT_MS = 5_000
const HELD_FOR_MS = 1_000
/** Ten thousand payments may expire in the same moment, which must not open as many connections to the receiver. */
const AT_ONCE = 100
const KEPT = 5_000

/** Sends callbacks and keeps their answers. */
export class Callbacks {
  private readonly sent = new BoundedList<SentCallback>(KEPT)
  private readonly closing = new AbortController()
  private mode: CallbackMode = { duplicate: 0, drop: false, delayMs: 0, reorder: false }
  private held: { id: string | null; body: string } | null = null
  private readonly inTurn = pLimit(AT_ONCE)

  constructor(
    private readonly settings: Settings,
    private readonly now: () => number
  ) {}

  setMode(mode: Partial<CallbackMode>): CallbackMode {
    this.mode = { ...this.mode, ...mode }
    if (!this.mode.reorder) void this.release()
    return this.mode
  }

  currentMode(): CallbackMode {
    return { ...this.mode }
  }

  all(): SentCallback[] {
    return this.sent.all().map((callback) => ({ ...callback }))
  }

  /** The newest callbacks, newest first. */
  latest(count: number): SentCallback[] {
    return this.sent.latest(count)
  }

  clear(): void {
    this.sent.clear()
  }

  /**
   * Sends a callback about a change in the current mode. Resolves after its answer; at once when there is no receiver, callbacks
   * are dropped, or this one is held for reordering.
   */
  async announce(transaction: CallbackSubject): Promise<void> {
    const { mode } = this
    if (mode.drop || !this.settings.callbackUrl) return
    // The body is built now, so that a delayed callback describes the moment of the change.
    const body = serialized(callbackBody(this.settings.callbackBody, transaction))
    await this.sleep(mode.delayMs)
    if (mode.reorder && !this.held) {
      const held = { id: transaction.id, body }
      this.held = held
      void this.sleep(HELD_FOR_MS).then(() => (this.held === held ? this.release() : undefined))
      return
    }
    await this.post(transaction.id, body, 1 + mode.duplicate)
    await this.release()
  }

  /** Sends a callback about a transaction, whatever the mode. Returns one HTTP status per copy, 0 for none. */
  async send(
    transaction: CallbackSubject,
    options: { times?: number; delayMs?: number; body?: unknown } = {}
  ): Promise<number[]> {
    const body =
      options.body === undefined
        ? callbackBody(this.settings.callbackBody, transaction)
        : options.body
    return this.sendBody(transaction.id, body, options)
  }

  /** Sends any body; a string is sent unchanged, everything else as JSON. */
  async sendBody(
    transactionId: string | null,
    body: unknown,
    options: { times?: number; delayMs?: number } = {}
  ): Promise<number[]> {
    if (!this.settings.callbackUrl) return []
    const bytes = serialized(body)
    await this.sleep(options.delayMs ?? 0)
    return this.post(transactionId, bytes, options.times ?? 1)
  }

  /** Ends waits and running requests. */
  close(): void {
    this.held = null
    this.closing.abort()
  }

  private async release(): Promise<void> {
    const { held } = this
    this.held = null
    if (held) await this.post(held.id, held.body, 1 + this.mode.duplicate)
  }

  private async post(id: string | null, body: string, times: number): Promise<number[]> {
    const answers: number[] = []
    for (let copy = 0; copy < times; copy++) {
      answers.push(await this.inTurn(() => this.deliver(id, body)))
    }
    return answers
  }

  private async deliver(transactionId: string | null, body: string): Promise<number> {
    const url = this.settings.callbackUrl
    if (!url || this.closing.signal.aborted) return 0
    const record: SentCallback = {
      url,
      transactionId,
      body: beginning(masked(body, this.settings)),
      status: null,
      error: null,
      at: this.now(),
    }
    this.sent.add(record)
    try {
      const response = await fetch(url, {
        method: "POST",
        // Without keep-alive the receiver can be shut down at once.
        headers: { "content-type": "application/json", connection: "close" },
        body,
        redirect: "manual",
        signal: AbortSignal.any([this.closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      await response.body?.cancel()
      record.status = response.status
      return response.status
    } catch (error) {
      record.error = reason(error)
      return 0
    }
  }

  private async sleep(ms: number): Promise<void> {
    if (ms > 0) await pause(ms, this.closing.signal)
  }
}

/** A text is sent unchanged, so that a body can also be invalid JSON. */
function serialized(body: unknown): string {
  if (typeof body === "string") return body
  return body === undefined ? "null" : JSON.stringify(body)
}

/** The cause says more than fetch's own "fetch failed". */
function reason(error: unknown): string {
  const { cause, message } = error as { cause?: { message?: string }; message?: string }
  return cause?.message || message || String(error)
}

/** Waits without keeping the process alive; an abort ends the wait early, without an error. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
}

/** The three shapes that services of this kind are known to use. */
function callbackBody(shape: CallbackBody, transaction: CallbackSubject): unknown {
  const { id, merchantId, status, amount, currency, payload, paymentMethod } = transaction
  const flat = { transactionId: id, merchantId, status, amount, currency, payload, paymentMethod }
  if (shape === "flat") return flat
  const object = { id, merchantId, status, amount, currency, payload, paymentMethod }
  if (shape === "nested") return { event: "transaction.status", data: { object } }
  return [object]
}
