import type { Accounts } from "../modules/payment-service"
import { refusedPayment } from "../refusals/refused"
import { withDeadline } from "../values/deadline"
import { LONGEST_CHANGE_MS } from "./rules/timing"

/** This process reads so many transactions at once. */
const READS_AT_ONCE = 8
/** The queue and the reads beside it leave each other so many places, so that neither waits for ever. */
const LEFT_TO_OTHERS = 2

export type Reader = "queue" | "beside"

/** Merchants (`merchantAccountId`) share the places of reads, so that a slow one delays no other. */
class ReadPlaces {
  /** A read that takes longer gives back its place. It may be repeated, because one that is answered later undoes nothing. */
  longestMs = LONGEST_CHANGE_MS
  private readonly running = new Set<{ merchant: string; by: Reader }>()
  private readonly waiting = new Set<() => void>()

  /** Whether a merchant has a place for one more read, and `kept` others are left. */
  isFree(accounts: Accounts, merchant: string, by: Reader, kept = 0): boolean {
    const share = Math.max(2, Math.floor(READS_AT_ONCE / accounts.merchantAccounts().length))
    const ofKind = [...this.running].filter((read) => read.by === by)
    const own = ofKind.filter((read) => read.merchant === merchant).length
    const isAlone = by === "queue" && this.waiting.size === 0
    const most = READS_AT_ONCE - (isAlone ? kept : Math.max(kept, LEFT_TO_OTHERS))
    return (
      this.running.size < READS_AT_ONCE - kept &&
      ofKind.length < most &&
      own < Math.max(1, share - kept)
    )
  }

  /**
   * Waits for a place, and reads in it in what is left of the time then.
   *
   * @throws MedusaError `UNEXPECTED_STATE` when no place gets free in time; TookTooLong when the read hangs
   */
  async take<T>(
    accounts: Accounts,
    merchant: string,
    { timeoutMs, by }: { timeoutMs: number; by: Reader },
    read: (leftMs: number) => Promise<T>
  ): Promise<T> {
    const giveUpAt = performance.now() + timeoutMs
    while (!this.isFree(accounts, merchant, by)) {
      const freed = new Promise<void>((goOn) => this.waiting.add(goOn))
      await withDeadline(giveUpAt - performance.now(), freed).catch(() => {
        throw refusedPayment("busy")
      })
    }
    const running = { merchant, by }
    this.running.add(running)
    try {
      return await withDeadline(this.longestMs, read(giveUpAt - performance.now()))
    } finally {
      this.running.delete(running)
      const waiting = [...this.waiting]
      this.waiting.clear()
      for (const goOn of waiting) goOn()
    }
  }
}

export const readPlaces = new ReadPlaces()
