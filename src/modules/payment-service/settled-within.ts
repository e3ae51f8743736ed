import { setTimeout as sleep } from "node:timers/promises"

/** Waits until the work has ended, successfully or not, but no longer than this. */
export async function settledWithin(ms: number, work: Promise<unknown>): Promise<void> {
  const ended = new AbortController()
  await Promise.race([work, sleep(ms, undefined, { signal: ended.signal, ref: false })]).catch(
    () => undefined
  )
  ended.abort()
}
