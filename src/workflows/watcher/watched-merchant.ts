import type { WatcherRunRow } from "../../modules/payment-service"
import { PaymentServiceError, type PaymentServiceErrorKind } from "../../service/errors"
import type { MerchantAccount } from "../../settlement/merchant-account"

/** After so many reads in a row without an answer, the service at that merchant gets a pause to recover. */
const MOST_IN_VAIN = 10
/** While the service at a merchant answers nothing at all: 4, 8, 16 … s between rounds, with jitter. */
const FIRST_PAUSE_MS = 4_000
const LONGEST_PAUSE_MS = 2 * 60_000
/** The longest `Retry-After` that is obeyed; a longer one counts as this. */
const LONGEST_WISH_MS = 10 * 60_000
/** Kinds of errors that may have nothing to do with the transaction that was read. */
const OUT_OF_ORDER = new Set<PaymentServiceErrorKind>([
  "unauthorized",
  "rate_limited",
  "unavailable",
  "timeout",
  "malformed",
])

/** A merchant at an address of the service, and how the pass stands there. */
export class WatchedMerchant {
  /** How many of its transactions are being read. */
  reading = 0
  /** When it last had its turn, and until when it is known to have nothing due (`performance.now()`). */
  lastTurn = 0
  emptyUntil = 0
  silentPasses: number
  silentSince: Date | null
  pausedUntil: Date | null
  /** Counts of this round, which ends when nothing more is due, or nothing is answered. */
  settled = 0
  failed = 0
  answered = false
  inVain = 0

  constructor(
    readonly merchant: MerchantAccount,
    before?: Pick<WatcherRunRow, "silent_passes" | "silent_since" | "paused_until">
  ) {
    this.silentPasses = before?.silent_passes ?? 0
    this.silentSince = before?.silent_since ?? null
    this.pausedUntil = before?.paused_until ?? null
  }

  /** Whether another of its transactions may be read now; `hasRoom` says whether there is room for that. */
  canBegin(now: Date): boolean {
    const isPaused = this.pausedUntil !== null && this.pausedUntil > now
    const isGivenUp = this.inVain > 0 && this.inVain + this.reading >= MOST_IN_VAIN
    return !isPaused && !isGivenUp && this.emptyUntil <= performance.now()
  }

  /**
   * Whether it may have one more of the reads that go on at the same time. Until it has answered, it gets no
   * more than its share; and the last free read is for a merchant that has none and is not known to be silent.
   */
  hasRoom(free: number, concurrency: number, merchants: number): boolean {
    const share = this.answered ? concurrency : Math.max(1, Math.floor(concurrency / merchants))
    const leavesTheLast =
      merchants > 1 && concurrency > 1 && (this.silentPasses > 0 || this.reading > 0)
    return this.reading < share && free > (leavesTheLast ? 1 : 0)
  }

  /** @param failure why the transaction could not be settled, or null */
  count(failure: Error | null, now: Date): void {
    const answer = failure instanceof PaymentServiceError ? failure : null
    if (failure) this.failed++
    else this.settled++
    if (answer && OUT_OF_ORDER.has(answer.kind)) {
      this.inVain++
    } else {
      this.answered = true
      this.inVain = 0
      this.silentPasses = 0
      this.silentSince = null
    }
    this.pauseFor(Math.min(answer?.retryAfterMs ?? 0, LONGEST_WISH_MS), now)
  }

  isRoundOver(): boolean {
    const isIdle = this.emptyUntil > 0 || this.pausedUntil !== null || this.inVain >= MOST_IN_VAIN
    return isIdle && this.reading === 0 && this.settled + this.failed > 0
  }

  /** To be called when none of its transactions is being read. */
  endRound(now: Date): void {
    if (this.inVain >= MOST_IN_VAIN || (this.failed > 0 && !this.answered)) {
      this.silentPasses++
      this.silentSince ??= now
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (this.silentPasses - 1), LONGEST_PAUSE_MS)
      this.pauseFor(pause * (0.75 + Math.random() / 2), now)
    }
  }

  forgetRound(): void {
    this.settled = this.failed = this.inVain = 0
    this.answered = false
  }

  private pauseFor(ms: number, now: Date): void {
    const until = now.getTime() + ms
    if (ms > 0 && until > (this.pausedUntil?.getTime() ?? 0)) this.pausedUntil = new Date(until)
  }
}
