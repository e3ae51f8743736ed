/**
 * Lets so many pieces of work run at the same time and the others wait for their turn, first come first
 * served: what comes in masses then slows down itself, and not everything else in the process.
 */
export function fewAtATime(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most) {
      // Whoever ends hands over its turn, so that nobody slips in between.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
