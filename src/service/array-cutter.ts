import { StringDecoder } from "node:string_decoder"
import { JsonStrings } from "./json-strings"

const [QUOTE, COMMA] = [0x22, 0x2c]
const [OPENING_BRACKET, OPENING_BRACE] = [0x5b, 0x7b]
const [CLOSING_BRACKET, CLOSING_BRACE] = [0x5d, 0x7d]

/**
 * Reads the elements of a JSON array from its bytes, however these are cut into pieces. An object is read as soon as it
 * ends. The cutter itself looks only for brackets, commas and strings, to find where the last complete element of a
 * piece ends: `JSON.parse` reads all elements up to there at once, and says whether they are JSON.
 */
export class ArrayCutter {
  private readonly decoder = new StringDecoder("utf8")
  private uncut = ""
  private depth = 0
  private readonly strings = new JsonStrings()
  /** Whether an element has ended before, so that the next text begins with a comma. */
  private isBegun = false
  private array: "open" | "ended" | "broken" = "open"

  /** Characters of an element that has not ended yet, or of text between and after elements. */
  get uncutCharacters(): number {
    return this.uncut.length
  }

  /** Whether the bytes so far can never become JSON. */
  get isBroken(): boolean {
    return this.array === "broken"
  }

  /** Whether the array has ended in order, with only white space after it; asked after the last piece. */
  isComplete(): boolean {
    return this.array === "ended" && /^[ \t\r\n]*$/.test(this.uncut + this.decoder.end())
  }

  /** Returns the elements that end in this piece. The first byte of the first piece is the array's bracket. */
  cut(piece: Uint8Array): unknown[] {
    const end = this.array === "open" && piece.length ? this.endOfElements(piece) : -1
    if (end < 0) {
      this.uncut += this.decoder.write(piece)
      return []
    }
    const text = this.uncut + this.decoder.write(piece.subarray(0, end))
    this.uncut = this.decoder.write(piece.subarray(end))
    // Text behind an element begins with a comma, so the `0` stands for that element.
    const beginning = this.isBegun ? `[0${text}` : text
    let elements: unknown[]
    try {
      const array = this.array === "ended" ? beginning : `${beginning}]`
      elements = JSON.parse(array) as unknown[]
    } catch {
      this.array = "broken"
      // A single byte ends one element at most: when that one is broken, none comes before it.
      elements = piece.length > 1 ? elementsAtTheBeginningOf(beginning) : []
    }
    if (this.isBegun) elements.shift()
    this.isBegun ||= elements.length > 0
    return elements
  }

  /**
   * Returns where the last element of this piece ends: behind its own or the array's last bracket, or before a comma; -1 when
   * none ends.
   */
  private endOfElements(piece: Uint8Array): number {
    let { depth } = this
    let end = -1
    for (let at = this.strings.begin(piece); at < piece.length; at++) {
      const byte = piece[at]
      if (byte === QUOTE) {
        at = this.strings.endOf(piece, at + 1)
      } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        depth++
      } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
        depth--
        if (depth <= 1) end = at + 1
        if (depth === 0) {
          this.array = "ended"
          break
        }
      } else if (byte === COMMA && depth === 1) {
        end = at
      }
    }
    this.depth = depth
    return end
  }
}

/** Returns the elements before the first one that is not JSON. */
function elementsAtTheBeginningOf(array: string): unknown[] {
  const cutter = new ArrayCutter()
  const elements: unknown[] = []
  for (const byte of Buffer.from(array)) elements.push(...cutter.cut(Uint8Array.of(byte)))
  return elements
}
