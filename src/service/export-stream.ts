import type { Readable } from "node:stream"
import { ArrayCutter } from "./array-cutter"
import { type Call, limitedTo } from "./call"
import { connectionFailure, malformed, PaymentServiceError } from "./errors"
import { type ExportedTransaction, type OddTransaction, readRecord } from "./schemas"
import { utf8Decoder } from "./utf8"

const MAX_RECORD_CHARACTERS = 1024 * 1024
const MAX_LINK_CHARACTERS = 8 * 1024

/** An export's reply, by the specification "either a link to the file or the array of records". */
type ExportReply = { link: string } | { array: AsyncGenerator<Buffer, void> }

/** The milliseconds that the service may be silent, and the signal by which the caller gives up. */
interface ExportLimits {
  silenceMs: number
  signal?: AbortSignal
}

/**
 * Tells a link from an array of records by its first character, without reading the array. The caller destroys `body`
 * when it has finished with the records.
 */
export async function readExport(
  call: Call,
  body: Readable,
  limits: ExportLimits
): Promise<ExportReply> {
  const chunks = chunksOf(call, body, limits)
  const decoder = utf8Decoder()
  let skipped = 0
  for (let chunk = await next(chunks); chunk; chunk = await next(chunks)) {
    const text = decoder.decode(chunk, { stream: true }).replace(/^[ \t\r\n]+/, "")
    if (text.startsWith("[")) {
      return { array: following(chunk.subarray(chunk.indexOf("[")), chunks) }
    }
    if (text) return { link: linkIn(call, await restOf(call, text, chunks, decoder)) }
    skipped += chunk.length
    if (skipped > MAX_RECORD_CHARACTERS) break
  }
  throw malformed(call, "is empty")
}

/**
 * The records as they come, also those that are not as specified. More is read from the service only after the consumer has taken
 * everything that came, so no record is lost when the service falls silent.
 */
export async function* batches(
  call: Call,
  chunks: AsyncGenerator<Buffer, void>
): AsyncGenerator<(ExportedTransaction | OddTransaction)[], void, undefined> {
  const cutter = new ArrayCutter()
  let count = 0
  for await (const chunk of chunks) {
    const records = cutter.cut(chunk).map(readRecord)
    count += records.length
    if (records.length) yield records
    if (cutter.isBroken) break
    if (cutter.uncutCharacters > MAX_RECORD_CHARACTERS) {
      throw malformed(call, "has a record of more than 1 MB")
    }
  }
  if (!cutter.isComplete()) throw malformed(call, `is not complete JSON after ${count} records`)
}

/**
 * The same without the records that are not as specified. They hide no later one, because the error of the first of them is thrown
 * at the end.
 */
export async function* batchesAsSpecified(
  call: Call,
  chunks: AsyncGenerator<Buffer, void>
): AsyncGenerator<ExportedTransaction[], void, undefined> {
  let count = 0
  let unreadable = 0
  let first: string | null = null
  for await (const batch of batches(call, chunks)) {
    const records: ExportedTransaction[] = []
    for (const record of batch) {
      if ("odd" in record) {
        const { field, reason } = record.odd
        first ??= `has a record ${count} whose ${field || "shape"} ${reason}`
        unreadable++
      } else {
        records.push(record)
      }
      count++
    }
    if (records.length) yield records
  }
  if (first) throw malformed(call, first, unreadable)
}

/** The array's bytes, beginning with its bracket. */
async function* following(beginning: Buffer, chunks: AsyncGenerator<Buffer, void>) {
  yield beginning
  yield* chunks
}

async function restOf(
  call: Call,
  beginning: string,
  chunks: AsyncGenerator<Buffer, void>,
  decoder: ReturnType<typeof utf8Decoder>
): Promise<string> {
  let text = beginning
  for (let chunk = await next(chunks); chunk; chunk = await next(chunks)) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_LINK_CHARACTERS) {
      throw malformed(call, "is neither an array of records nor a link")
    }
  }
  return (text + decoder.decode()).trimEnd()
}

function linkIn(call: Call, text: string): string {
  const link = text.startsWith('"') ? parsed(text) : text
  // A word or a page of HTML is not an address, and must not be resolved against ours.
  if (typeof link !== "string" || !/^[^\s<>{}"]*\/[^\s<>{}"]*$/.test(link)) {
    throw malformed(call, "is neither an array of records nor a link")
  }
  return link
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function next(chunks: AsyncGenerator<Buffer, void>): Promise<Buffer | undefined> {
  const chunk = await chunks.next()
  return chunk.done ? undefined : chunk.value
}

/** The reply's bytes as they come. Only the wait for each chunk is limited. */
async function* chunksOf(call: Call, body: Readable, limits: ExportLimits) {
  const chunks = (body as AsyncIterable<Buffer, undefined>)[Symbol.asyncIterator]()
  for (;;) {
    const chunk = await nextChunk(call, body, chunks, limits)
    if (!chunk) return
    yield chunk
  }
}

async function nextChunk(
  call: Call,
  body: Readable,
  chunks: AsyncIterator<Buffer, undefined>,
  { silenceMs, signal }: ExportLimits
): Promise<Buffer | undefined> {
  const limit = limitedTo(call, silenceMs, signal)
  const stop = () => body.destroy(limit.signal.reason as PaymentServiceError)
  limit.signal.addEventListener("abort", stop)
  try {
    if (limit.signal.aborted) stop()
    return (await chunks.next()).value
  } catch (error) {
    throw error instanceof PaymentServiceError ? error : connectionFailure(call, error)
  } finally {
    limit.signal.removeEventListener("abort", stop)
    limit.release()
  }
}
