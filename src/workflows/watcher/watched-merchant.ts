import type { WatcherRunRow } from "../../modules/payment-service"
import { PaymentServiceError, type PaymentServiceErrorKind } from "../../service/errors"
import type { MerchantAccount } from "../../settlement/merchant-account"

/** After this many reads in a row without an answer, the service gets a pause for that merchant. */
const MOST_UNANSWERED = 10
/** While the service answers nothing for a merchant: 4, 8, 16 … s between rounds, with jitter. */
const FIRST_PAUSE_MS = 4_000
const LONGEST_PAUSE_MS = 2 * 60_000
/** The longest `Retry-After` that is obeyed; a longer one is cut to this. */
const LONGEST_RETRY_AFTER_MS = 10 * 60_000
/** Kinds of errors that may be unrelated to the transaction that was read. */
const OUT_OF_ORDER = new Set<PaymentServiceErrorKind>([
  "unauthorized",
  "rate_limited",
  "unavailable",
  "timeout",
  "malformed",
])

/** A merchant account and its state in this pass. */
export class WatchedMerchant {
  /** The number of its transactions that are being read. */
  reading = 0
  silentPasses: number
  silentSince: Date | null
  pausedUntil: Date | null
  /** Counts of this round, which ends when nothing more is due, or nothing is answered. */
  settled = 0
  failed = 0
  answered = false
  unanswered = 0

  constructor(
    readonly merchant: MerchantAccount,
    before?: Pick<WatcherRunRow, "silent_passes" | "silent_since" | "paused_until">
  ) {
    this.silentPasses = before?.silent_passes ?? 0
    this.silentSince = before?.silent_since ?? null
    this.pausedUntil = before?.paused_until ?? null
  }

  /** Whether another of its transactions may be read now. */
  canBegin(now: Date): boolean {
    const isPaused = this.pausedUntil !== null && this.pausedUntil > now
    const isGivenUp = this.unanswered > 0 && this.unanswered + this.reading >= MOST_UNANSWERED
    return !isPaused && !isGivenUp
  }

  /** @param failure the error of an unsettled transaction, or null */
  count(failure: Error | null, now: Date): void {
    const answer = failure instanceof PaymentServiceError ? failure : null
    if (failure) this.failed++
    else this.settled++
    if (answer && OUT_OF_ORDER.has(answer.kind)) {
      this.unanswered++
    } else {
      this.answered = true
      this.unanswered = 0
      this.silentPasses = 0
      this.silentSince = null
    }
    this.pauseFor(Math.min(answer?.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS), now)
  }

  /** Call it when none of its transactions is being read. */
  endRound(now: Date): void {
    if (this.pausedUntil && this.pausedUntil <= now) this.pausedUntil = null
    if (this.unanswered >= MOST_UNANSWERED || (this.failed > 0 && !this.answered)) {
      this.silentPasses++
      this.silentSince ??= now
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (this.silentPasses - 1), LONGEST_PAUSE_MS)
      this.pauseFor(pause * (0.75 + Math.random() / 2), now)
    }
  }

  forgetRound(): void {
    this.settled = this.failed = this.unanswered = 0
    this.answered = false
  }

  private pauseFor(ms: number, now: Date): void {
    const until = now.getTime() + ms
    if (ms > 0 && until > (this.pausedUntil?.getTime() ?? 0)) this.pausedUntil = new Date(until)
  }
}
