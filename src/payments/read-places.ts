import type { Accounts } from "../modules/payment-service"
import { refusedPayment } from "../refusals/refused"
import { withDeadline } from "../values/deadline"
import { LONGEST_CHANGE_MS } from "./rules/timing"

/** This process reads so many transactions at once. */
const READS_AT_ONCE = 8
/** Reads beside the queue leave it so many, so that they never stop it: one for named payments, and one for those due by themselves. */
export const LEFT_TO_THE_QUEUE = 2

/** Merchants (`merchantAccountId`) share the places of reads, so that a slow one delays no other. */
class ReadPlaces {
  /** A read that takes longer gives back its place. It may be repeated, because one that is answered later undoes nothing. */
  longestMs = LONGEST_CHANGE_MS
  private readonly taken = new Map<string, number>()
  private readonly waiting = new Set<() => void>()

  /** Whether a merchant has a place for one more read, and `kept` others are left. */
  isFree(accounts: Accounts, merchant: string, kept = 0): boolean {
    const share = Math.max(2, Math.floor(READS_AT_ONCE / accounts.merchantAccounts().length))
    const all = [...this.taken.values()].reduce((sum, reads) => sum + reads, 0)
    const own = this.taken.get(merchant) ?? 0
    return all < READS_AT_ONCE - kept && own < Math.max(1, share - kept)
  }

  /**
   * Waits for a place, and reads in it in what is left of the time then.
   *
   * @throws MedusaError `UNEXPECTED_STATE` when no place gets free in time; TookTooLong when the read hangs
   */
  async take<T>(
    accounts: Accounts,
    merchant: string,
    { timeoutMs, kept }: { timeoutMs: number; kept: number },
    read: (leftMs: number) => Promise<T>
  ): Promise<T> {
    const giveUpAt = performance.now() + timeoutMs
    while (!this.isFree(accounts, merchant, kept)) {
      const freed = new Promise<void>((goOn) => this.waiting.add(goOn))
      await withDeadline(giveUpAt - performance.now(), freed).catch(() => {
        throw refusedPayment("busy")
      })
    }
    this.taken.set(merchant, (this.taken.get(merchant) ?? 0) + 1)
    try {
      return await withDeadline(this.longestMs, read(giveUpAt - performance.now()))
    } finally {
      this.taken.set(merchant, (this.taken.get(merchant) ?? 1) - 1)
      const waiting = [...this.waiting]
      this.waiting.clear()
      for (const goOn of waiting) goOn()
    }
  }
}

export const readPlaces = new ReadPlaces()
