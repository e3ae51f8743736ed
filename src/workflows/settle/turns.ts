import { AsyncResource } from "node:async_hooks"
import pLimit from "p-limit"

import { settledWithin } from "../../modules/payment-service/settled-within"

/**
 * Begins work only while less than `atOnce` of it goes on. Work that takes longer than `longestMs` goes on, but gives up
 * its turn, so that work which hangs does not hold up the rest: not until `most` of it has not ended.
 *
 * @returns runs work in its turn, and answers as the work does
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
  // Queued work would else begin in the async context of the work that has just ended, which may be another request.
  return (work) => {
    const ownWork = AsyncResource.bind(work)
    return unfinished(() => inTurn(ownWork))
  }
}
