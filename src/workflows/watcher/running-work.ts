import { setTimeout as sleep } from "node:timers/promises"

/** Counts work that runs in parallel, so that more can begin as soon as any of it ends. */
export class RunningWork {
  private readonly going = new Set<Promise<void>>()

  get size(): number {
    return this.going.size
  }

  /** @param work must not fail */
  start(work: () => Promise<void>): void {
    const going = work().finally(() => this.going.delete(going))
    this.going.add(going)
  }

  /** Waits until any of the work ends, but no longer than `longestMs`. */
  async oneEnds(longestMs: number): Promise<void> {
    await Promise.race([...this.going, sleep(longestMs)])
  }
}
