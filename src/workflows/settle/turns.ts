import { AsyncResource } from "node:async_hooks"
import pLimit from "p-limit"

import { settledWithin } from "../../modules/payment-service/settled-within"

/**
 * Begins work only while less than `atOnce` of it runs. Work that takes longer than `longestMs` gives up its turn and runs on, so
 * that hanging work does not hold up the rest, up to `most` unfinished works.
 *
 * @returns a function that runs work in its turn, with the work's result
 */
export function turnsOf(
  atOnce: number,
  { longestMs, most }: { longestMs: number; most: number }
): <T>(work: () => Promise<T>) => Promise<T> {
  const turns = pLimit(atOnce)
  const unfinished = pLimit(most)
  const inTurn = <T>(work: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      void turns(async () => {
        const working = work()
        working.then(resolve, reject)
        await settledWithin(longestMs, working)
      })
    })
  // Otherwise queued work would begin in the async context of the work that has just ended, which may be another request.
  return (work) => {
    const ownWork = AsyncResource.bind(work)
    return unfinished(() => inTurn(ownWork))
  }
}
