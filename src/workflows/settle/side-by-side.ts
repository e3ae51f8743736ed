import { setTimeout as sleep } from "node:timers/promises"

/** Work that goes on side by side. One that ends makes room at once: nobody waits for the slowest. */
export class SideBySide {
  private readonly going = new Set<Promise<void>>()

  get size(): number {
    return this.going.size
  }

  /** @param work must not fail */
  start(work: () => Promise<void>): void {
    const going = work().finally(() => this.going.delete(going))
    this.going.add(going)
  }

  /** Waits until one of them ends, for so long at most. */
  async oneEnds(longestMs: number): Promise<void> {
    await Promise.race([...this.going, sleep(longestMs)])
  }
}
