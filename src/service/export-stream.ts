import { pipeline, Readable } from "node:stream"
import { parser } from "stream-json"
import { streamArray } from "stream-json/streamers/StreamArray"
import { PaymentServiceError } from "./errors"
import { exportedTransaction, read, type ExportedTransaction } from "./schemas"
import { connectionFailure, givenUp, malformed, timedOut, type Call } from "./transport"

const MAX_RECORD_BYTES = 1024 * 1024
const MAX_LINK_BYTES = 8 * 1024

/** What an export's reply turned out to be: "either a link to the file or the array of records". */
export type ExportReply =
  { link: string } | { records: AsyncGenerator<ExportedTransaction, void, undefined> }

/** How long the service may take over one record, and what gives the export up. */
export interface ExportLimits {
  timeoutMs: number
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
  const source = new ExportSource(call, body, limits)
  const beginning = await source.beginning()
  if (beginning.startsWith("[")) return { records: records(call, source) }
  return { link: linkIn(call, await source.rest(MAX_LINK_BYTES)) }
}

/**
 * The records one by one, at the pace of whoever takes them: what is not asked for stays at the service. One that is
 * not as specified is passed over, so that it hides none that come after it, and named at the end.
 */
async function* records(call: Call, source: ExportSource) {
  const tokens = parser({ packValues: true, streamValues: false })
  const elements = pipeline(Readable.from(source.chunks()), tokens, streamArray(), () => undefined)
  let index = 0
  let unreadable: PaymentServiceError | null = null
  try {
    for await (const { value } of elements as AsyncIterable<{ value: unknown }>) {
      source.recordComplete()
      const record = read(exportedTransaction, value)
      if (record.ok) {
        yield record.value
      } else {
        const { field, reason } = record
        unreadable ??= malformed(
          call,
          `has a record ${index} whose ${field || "shape"} ${reason}`,
          field
        )
      }
      index++
    }
  } catch (error) {
    if (error instanceof PaymentServiceError) throw error
    throw malformed(call, `is not complete JSON after ${index} records`)
  }
  if (unreadable) throw unreadable
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

/**
 * The bytes of the export, bounded per record in number and in time spent waiting for the service. Time that the
 * consumer takes over a record is not counted.
 */
class ExportSource {
  private readonly body: AsyncIterator<Buffer, undefined>
  private head = Buffer.alloc(0)
  private bytes = 0
  private waitedMs = 0

  constructor(
    private readonly call: Call,
    private readonly stream: Readable,
    private readonly limits: ExportLimits
  ) {
    this.body = (stream as AsyncIterable<Buffer, undefined>)[Symbol.asyncIterator]()
  }

  recordComplete() {
    this.bytes = 0
    this.waitedMs = 0
  }

  /** The first characters that are not white space. */
  async beginning(): Promise<string> {
    let text = ""
    while (text === "") {
      const chunk = await this.next()
      if (!chunk) throw malformed(this.call, "is empty")
      // Latin 1 keeps bytes as they are. stream-json does not take a byte order mark.
      text = chunk.toString("latin1").replace(/^\s*(?:\xEF\xBB\xBF)?\s*/, "")
    }
    this.head = Buffer.from(text, "latin1")
    return text
  }

  async rest(maxBytes: number): Promise<string> {
    const chunks: Buffer[] = []
    for await (const chunk of this.chunks()) {
      chunks.push(chunk)
      if (this.bytes > maxBytes) {
        throw malformed(this.call, "is neither an array of records nor a link")
      }
    }
    return Buffer.concat(chunks).toString("utf8").trim()
  }

  async *chunks(): AsyncGenerator<Buffer, void, undefined> {
    yield this.head
    for (let chunk = await this.next(); chunk; chunk = await this.next()) yield chunk
  }

  private async next(): Promise<Buffer | undefined> {
    const { signal, timeoutMs } = this.limits
    const startedAt = performance.now()
    const giveUp = () => this.stream.destroy(givenUp(this.call))
    const endTime = () => this.stream.destroy(timedOut(this.call))
    const timer = setTimeout(endTime, timeoutMs - this.waitedMs)
    signal?.addEventListener("abort", giveUp)
    try {
      if (signal?.aborted) giveUp()
      const chunk = await this.body.next()
      if (chunk.done) return undefined
      this.bytes += chunk.value.length
      if (this.bytes > MAX_RECORD_BYTES) {
        throw malformed(this.call, "has a record of more than 1 MB")
      }
      return chunk.value
    } catch (error) {
      throw error instanceof PaymentServiceError ? error : connectionFailure(this.call, error)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener("abort", giveUp)
      this.waitedMs += performance.now() - startedAt
    }
  }
}
