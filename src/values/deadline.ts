import { setTimeout as sleep } from "node:timers/promises"

/** The work took too long and is no longer waited for. It may still end. */
export class TookTooLong extends Error {}

/** Waits for background work, but not for ever (`TookTooLong`), so that hanging work does not hold up the rest. */
export async function withDeadline<T>(longestMs: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const tooLong = async () => {
    await sleep(longestMs, undefined, { signal: ended.signal, ref: false })
    throw new TookTooLong(`it took longer than ${longestMs / 1_000} s, and is not waited for`)
  }
  try {
    return await Promise.race([work, tooLong()])
  } finally {
    ended.abort()
  }
}
