/**
 * Cuts the text of a JSON array into the texts of its elements, wherever the pieces in which it comes begin and end. An
 * object is cut as soon as it ends. The cutter tells only brackets, commas and strings apart: `JSON.parse` says whether
 * an element is JSON.
 */
export class ArrayCutter {
  private uncut = ""
  private depth = 0
  private inString = false
  private isEscaped = false
  private elements = 0
  /** An element has ended, and the comma after it has not come. */
  private isCut = false
  private array: "open" | "ended" | "broken" = "open"

  /** Characters of an element that has not ended yet, or of text between and after elements. */
  get uncutCharacters(): number {
    return this.uncut.length
  }

  /** Whether the array has ended in order, with nothing but white space after it. */
  get isComplete(): boolean {
    return this.array === "ended" && isBlank(this.uncut)
  }

  /** The elements that end in this piece of text. The first character of the first piece is the array's bracket. */
  *cut(piece: string): Generator<string, void> {
    let from = 0
    for (let at = 0; at < piece.length && this.array === "open"; at++) {
      const boundary = this.boundaryAt(piece.charAt(at))
      if (boundary === null) continue

      const text = this.uncut + piece.slice(from, boundary === "bracket" ? at + 1 : at)
      this.uncut = ""
      from = at + 1
      if (boundary === "beginning") continue
      if (this.isCut) {
        if (boundary === "bracket" || !isBlank(text)) this.array = "broken"
      } else if (boundary !== "end" || this.elements > 0 || !isBlank(text)) {
        this.elements++
        yield text
      }
      this.isCut = boundary === "bracket"
    }
    this.uncut += piece.slice(from)
  }

  /** `bracket` closes an element, and belongs to it; the others stand between elements. */
  private boundaryAt(character: string): "beginning" | "bracket" | "comma" | "end" | null {
    if (this.inString) {
      if (this.isEscaped) this.isEscaped = false
      else if (character === "\\") this.isEscaped = true
      else if (character === '"') this.inString = false
      return null
    }
    switch (character) {
      case '"':
        this.inString = true
        return null
      case "[":
      case "{":
        return this.depth++ === 0 ? "beginning" : null
      case "]":
      case "}":
        this.depth--
        if (this.depth > 0) return this.depth === 1 ? "bracket" : null
        this.array = character === "]" ? "ended" : "broken"
        return "end"
      case ",":
        return this.depth === 1 ? "comma" : null
      default:
        return null
    }
  }
}

function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text)
}
