import type { Readable } from "node:stream"
import { ArrayCutter } from "./array-cutter"
import { PaymentServiceError } from "./errors"
import { exportedTransaction, read, type ExportedTransaction } from "./schemas"
import { connectionFailure, givenUp, limitedTo, malformed, timedOut, type Call } from "./transport"
import { utf8Decoder } from "./utf8"

const MAX_RECORD_CHARACTERS = 1024 * 1024
const MAX_LINK_CHARACTERS = 8 * 1024

/** What an export's reply turned out to be: "either a link to the file or the array of records". */
export type ExportReply =
  { link: string } | { records: AsyncGenerator<ExportedTransaction, void, undefined> }

/** How long the service may be silent, in milliseconds, and what gives the export up. */
export interface ExportLimits {
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
  const pieces = piecesOf(call, body, limits)
  const beginning = await beginningOf(call, pieces)
  if (beginning.startsWith("[")) return { records: records(call, beginning, pieces) }
  return { link: linkIn(call, await restOf(call, beginning, pieces)) }
}

/**
 * The records one by one, at the pace of whoever takes them: nothing is asked of the service while there are records
 * that came before, so none of them is lost when the service falls silent. One that is not as specified is passed over,
 * so that it hides none that come after it, and named at the end.
 */
async function* records(call: Call, beginning: string, pieces: AsyncGenerator<string, void>) {
  const cutter = new ArrayCutter()
  let index = 0
  let unreadable: PaymentServiceError | null = null
  for (let piece: string | undefined = beginning; piece !== undefined; piece = await next(pieces)) {
    for (const element of cutter.cut(piece)) {
      const record = read(exportedTransaction, elementOf(call, element, index))
      if (record.ok) {
        yield record.value
      } else {
        const { field, reason } = record
        const problem = `has a record ${index} whose ${field || "shape"} ${reason}`
        unreadable ??= malformed(call, problem, field)
      }
      index++
    }
    if (cutter.uncutCharacters > MAX_RECORD_CHARACTERS) {
      throw malformed(call, "has a record of more than 1 MB")
    }
  }
  if (!cutter.isComplete) throw incomplete(call, index)
  if (unreadable) throw unreadable
}

function elementOf(call: Call, text: string, index: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw incomplete(call, index)
  }
}

function incomplete(call: Call, index: number): PaymentServiceError {
  return malformed(call, `is not complete JSON after ${index} records`)
}

/** The first piece that says what the reply is, from its first character that is not white space. */
async function beginningOf(call: Call, pieces: AsyncGenerator<string, void>): Promise<string> {
  let skipped = 0
  for (let piece = await next(pieces); piece !== undefined; piece = await next(pieces)) {
    const text = piece.replace(/^[ \t\r\n]+/, "")
    if (text) return text
    skipped += piece.length
    if (skipped > MAX_RECORD_CHARACTERS) break
  }
  throw malformed(call, "is empty")
}

async function restOf(call: Call, beginning: string, pieces: AsyncGenerator<string, void>) {
  let text = ""
  for (let piece: string | undefined = beginning; piece !== undefined; piece = await next(pieces)) {
    text += piece
    if (text.length > MAX_LINK_CHARACTERS) {
      throw malformed(call, "is neither an array of records nor a link")
    }
  }
  return text.trimEnd()
}

function linkIn(call: Call, text: string): string {
  const link = text.startsWith('"') ? parsed(text) : text
  // A word or a page of HTML is not an address, and must not be asked for as one relative to ours.
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

async function next(pieces: AsyncGenerator<string, void>): Promise<string | undefined> {
  const piece = await pieces.next()
  return piece.done ? undefined : piece.value
}

/** The reply's text, in pieces as they come. Only the wait for each piece is limited. */
async function* piecesOf(
  call: Call,
  body: Readable,
  limits: ExportLimits
): AsyncGenerator<string, void> {
  const decoder = utf8Decoder()
  const chunks = (body as AsyncIterable<Buffer, undefined>)[Symbol.asyncIterator]()
  for (;;) {
    const chunk = await nextChunk(call, body, chunks, limits)
    if (!chunk) break
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}

async function nextChunk(
  call: Call,
  body: Readable,
  chunks: AsyncIterator<Buffer, undefined>,
  { silenceMs, signal }: ExportLimits
): Promise<Buffer | undefined> {
  const limit = limitedTo(silenceMs, signal)
  const stop = () => body.destroy(signal?.aborted ? givenUp(call) : timedOut(call))
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
