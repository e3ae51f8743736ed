const [QUOTE, BACKSLASH] = [0x22, 0x5c]

/** Skips the strings in the bytes of JSON, however these are cut into pieces. */
export class JsonStrings {
  private isInside = false
  private isEscaped = false

  /** Returns the position of the first byte outside a string that began in an earlier piece. */
  begin(piece: Uint8Array): number {
    return this.isInside && piece.length ? this.endOf(piece, 0) + 1 : 0
  }

  /**
   * Returns the position of the quote that ends a string, or the piece's length. Most bytes are in strings, and `indexOf` takes
   * half the time of looking at each.
   *
   * @param from the first byte of the string, behind its quote
   */
  endOf(piece: Uint8Array, from: number): number {
    let begin = this.isEscaped ? from + 1 : from
    for (;;) {
      const quote = piece.indexOf(QUOTE, begin)
      const end = quote < 0 ? piece.length : quote
      let backslashes = 0
      while (end - backslashes > begin && piece[end - backslashes - 1] === BACKSLASH) backslashes++
      const isEscaped = backslashes % 2 === 1
      if (quote < 0 || !isEscaped) {
        this.isInside = quote < 0
        this.isEscaped = isEscaped
        return end
      }
      begin = quote + 1
    }
  }
}
