const going = new Map<string, Promise<unknown>>()
const next = new Map<string, Promise<unknown>>()

/**
 * Runs `work` once at a time for each key, in this process. Callers that come during a run share the next one, which begins after
 * all of them came, so its reads are fresh enough for each.
 */
export function shareNext<T>(key: string, work: () => Promise<T>): Promise<T> {
  const known = next.get(key)
  if (known) return known as Promise<T>
  const begin = () => {
    next.delete(key)
    const run = work().finally(() => {
      if (going.get(key) === run) going.delete(key)
    })
    going.set(key, run)
    return run
  }
  const mine = (going.get(key) ?? Promise.resolve()).then(begin, begin)
  next.set(key, mine)
  return mine
}
