/** Streams of batches: each stands for as many rows as are held in memory at a time. */

/** Regroups batches of any size into batches of one. */
export async function* inBatchesOf<T>(
  size: number,
  source: AsyncIterable<T[]>
): AsyncGenerator<T[], void, undefined> {
  let gathered: T[] = []
  for await (const batch of source) {
    for (const item of batch) gathered.push(item)
    while (gathered.length >= size) {
      yield gathered.slice(0, size)
      gathered = gathered.slice(size)
    }
  }
  if (gathered.length) yield gathered
}

/** Asks for the next batch while the last one is worked on. */
export async function* oneAhead<T>(
  source: AsyncGenerator<T, void, undefined>
): AsyncGenerator<T, void, undefined> {
  const following = () => {
    const next = source.next()
    // The one who takes it hears of its error; it may be that nobody does.
    next.catch(() => undefined)
    return next
  }
  let next = following()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = following()
      yield value
    }
  } finally {
    await source.return().catch(() => undefined)
  }
}

/** Waits for the first batch, whose error it throws. The stream that it returns begins with that batch. */
export async function begun<T>(
  source: AsyncGenerator<T, void, undefined>
): Promise<AsyncGenerator<T, void, undefined>> {
  const first = await source.next()
  return (async function* () {
    try {
      if (!first.done) {
        yield first.value
        yield* source
      }
    } finally {
      await source.return()
    }
  })()
}
