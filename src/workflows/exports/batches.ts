import type { Piece } from "./service-rows"

/** Streams of batches. A batch is the number of rows that are in memory at a time. */

/** Regroups batches of any size into batches of one size. */
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

/** Asks for the next batch while the current one is being processed. */
export async function* prefetchingOne<T>(
  source: AsyncGenerator<T, void, undefined>
): AsyncGenerator<T, void, undefined> {
  const following = () => {
    const next = source.next()
    // The consumer that takes this batch gets its error; without this handler, an untaken batch would end the process.
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

/** Waits for the first batch and throws its error. The returned stream begins with that batch. */
export async function afterFirstBatch<T>(
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

/** Changes each batch. */
export async function* mapped<From, To>(
  source: AsyncIterable<From>,
  change: (batch: From) => To
): AsyncGenerator<To, void, undefined> {
  for await (const batch of source) yield change(batch)
}

/** Writes records, each of which is JSON, as an array with a line for each. */
export async function* jsonArray(
  batches: AsyncIterable<Uint8Array[]>
): AsyncGenerator<Piece, void, undefined> {
  let begin = "["
  for await (const records of batches) {
    const parts: Uint8Array[] = []
    for (const record of records) {
      parts.push(Buffer.from(begin), record)
      begin = ",\n"
    }
    if (records.length) yield { bytes: Buffer.concat(parts), records: records.length }
  }
  yield { bytes: Buffer.from(begin === "[" ? "[]" : "]"), records: 0 }
}
