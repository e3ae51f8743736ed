import type { Call } from "./call"
import { malformed } from "./errors"
import { JsonStrings } from "./json-strings"
import { type ExportedTransaction, type OddTransaction, readRecord } from "./schemas"
import { utf8Text } from "./utf8"

const QUOTE = 0x22
const [OPENING_BRACKET, OPENING_BRACE] = [0x5b, 0x7b]
const [CLOSING_BRACKET, CLOSING_BRACE] = [0x5d, 0x7d]
const SPACES = [0x20, 0x09, 0x0a, 0x0d]
const MAX_RECORD_BYTES = 4 * 1024 * 1024

/** A part of an export as the service sent it. */
export interface ExportedBytes {
  bytes: Buffer
  /** Number of records that end in these bytes. */
  records: number
}

/** A record's own bytes with the parsed record, which is null when they are not JSON. */
export interface ExportedSource {
  bytes: Buffer
  record: ExportedTransaction | OddTransaction | null
}

/**
 * Finds the records of a JSON array in its bytes, however these are cut into pieces. It looks only for brackets and strings, and
 * does not check that a record is JSON.
 */
class RecordFinder {
  private depth = 0
  private readonly strings = new JsonStrings()
  private begunAt = -1
  /** Whether the array has ended, with nothing but white space after it. */
  isComplete = false
  isBroken = false

  /** Calls `found` for each record that ends in this piece; `from` is -1 when it began in an earlier one. */
  look(piece: Buffer, found: (from: number, to: number) => void): void {
    let { depth } = this
    let at = this.strings.begin(piece)
    for (; at < piece.length && !this.isComplete; at++) {
      const byte = piece[at]
      if (byte === QUOTE) {
        at = this.strings.endOf(piece, at + 1)
      } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        if (depth++ === 1) this.begunAt = at
      } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
        depth--
        if (depth === 0) this.isComplete = true
        if (depth === 1) {
          found(this.begunAt, at + 1)
          this.begunAt = -1
        }
      }
    }
    this.depth = depth
    this.isBroken ||= !piece.subarray(at).every((byte) => SPACES.includes(byte))
  }

  /** Returns where an unfinished record begins in this piece; -1 when there is none, or when it began earlier. */
  takeBeginning(): number {
    const { begunAt } = this
    this.begunAt = -1
    return begunAt
  }

  /** Whether a record has begun and not ended. */
  get isInRecord(): boolean {
    return this.depth > 1
  }
}

/** The array's bytes as they come, unparsed. An incomplete list is `malformed`, and its last piece is not handed on. */
export async function* wholeArray(
  call: Call,
  pieces: AsyncGenerator<Buffer, void>
): AsyncGenerator<ExportedBytes, void, undefined> {
  const finder = new RecordFinder()
  let count = 0
  for await (const bytes of pieces) {
    let records = 0
    finder.look(bytes, () => records++)
    count += records
    if (finder.isBroken) break
    yield { bytes, records }
  }
  requireComplete(call, finder, count)
}

/** The records that end in each piece, with their own bytes. */
export async function* sources(
  call: Call,
  pieces: AsyncGenerator<Buffer, void>
): AsyncGenerator<ExportedSource[], void, undefined> {
  const finder = new RecordFinder()
  let begun: Buffer[] = []
  let count = 0
  for await (const piece of pieces) {
    const found: ExportedSource[] = []
    finder.look(piece, (from, to) => {
      const end = piece.subarray(Math.max(from, 0), to)
      const bytes = from < 0 ? Buffer.concat([...begun, end]) : end
      begun = []
      found.push({ bytes, record: recordIn(bytes) })
    })
    if (finder.isInRecord) {
      const from = finder.takeBeginning()
      begun.push(piece.subarray(Math.max(from, 0)))
      if (begun.reduce((sum, { length }) => sum + length, 0) > MAX_RECORD_BYTES) {
        throw malformed(call, "has a record of more than 4 MB")
      }
    }
    count += found.length
    if (found.length) yield found
    if (finder.isBroken) break
  }
  requireComplete(call, finder, count)
}

function requireComplete(call: Call, finder: RecordFinder, count: number): void {
  if (finder.isBroken || !finder.isComplete) {
    throw malformed(call, `is not complete JSON after ${count} records`)
  }
}

function recordIn(bytes: Buffer): ExportedSource["record"] {
  try {
    return readRecord(JSON.parse(utf8Text(bytes)))
  } catch {
    return null
  }
}
