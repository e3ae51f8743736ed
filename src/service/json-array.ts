import { once } from "node:events"
import { PassThrough } from "node:stream"
import { parseChunked } from "@discoveryjs/json-ext"

/** A larger element is refused; in characters. */
const LARGEST_ELEMENT = 4 * 1024 * 1024

/**
 * The elements of a JSON array in batches, as its text comes. The library collects them in one array, from which they are taken
 * as they come, so that never more are in memory than came with a piece of text. More text is asked for as batches are taken.
 *
 * @throws RangeError for an element of more than 4 MB; SyntaxError when the text is no JSON or ends too early, or when an element
 * is itself an array
 */
export async function* elementsOf(
  texts: AsyncIterable<string>
): AsyncGenerator<unknown[], void, undefined> {
  const batches = new PassThrough({ objectMode: true, highWaterMark: 1 })
  let takenUpTo = 0
  const root = { isComplete: false }
  const take = (array: unknown[], count: number, consumed: number) => {
    // The library finds such an element by its place, which changes when those before it are taken.
    if (array.some(Array.isArray)) throw new SyntaxError("an element is an array")
    if (count > 0) {
      batches.write(array.splice(0, count))
      takenUpTo = consumed
    } else if (consumed - takenUpTo > LARGEST_ELEMENT) {
      throw new RangeError("an element is too large")
    }
  }
  let failure: unknown
  const parsing = parseChunked(inParts(texts, batches), {
    // The last element may go on in the next piece, which the library then adds to it.
    onChunk: (_parsed, _chunk, _pending, { currentRootValue: array, consumed }) => {
      if (Array.isArray(array)) take(array, array.length - 1, consumed)
    },
    onRootValue: (array: unknown[], { consumed }) => {
      root.isComplete = true
      take(array, array.length, consumed)
    },
  })
  void parsing.catch((error: unknown) => (failure = error)).finally(() => batches.end())
  yield* batches as AsyncIterable<unknown[]>
  if (failure !== undefined) throw failure as Error
  if (!root.isComplete) throw new SyntaxError("the array does not end")
}

/** The library shows elements only when a part ends at another depth, so a piece is cut behind its last object's beginning. */
async function* inParts(texts: AsyncIterable<string>, batches: PassThrough) {
  for await (const text of texts) {
    const cut = text.lastIndexOf("{") + 1
    if (cut > 0) yield text.slice(0, cut)
    if (cut < text.length) yield text.slice(cut)
    if (batches.writableNeedDrain) await once(batches, "drain")
  }
}
