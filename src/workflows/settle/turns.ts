import pLimit from "p-limit"

import { settledWithin } from "../../modules/payment-service/settled-within"

/**
 * Begins work only while less than `atOnce` of it goes on. Work that takes longer than `longestMs` goes on, but gives up
 * its turn, so that what hangs holds up nothing else for longer.
 *
 * @returns runs work in its turn, and answers as the work does
 */
export function turnsOf(
  atOnce: number,
  longestMs: number
): <T>(work: () => Promise<T>) => Promise<T> {
  const limit = pLimit(atOnce)
  return (work) =>
    new Promise((resolve, reject) => {
      void limit(async () => {
        const working = work()
        working.then(resolve, reject)
        await settledWithin(longestMs, working)
      })
    })
}
