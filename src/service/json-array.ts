/** A larger element is refused; in characters. */
const LARGEST_ELEMENT = 4 * 1024 * 1024

/**
 * The elements of a JSON array in batches, as its text comes. Its brackets and commas are followed only to find where elements end;
 * those that have ended are parsed together. More text is asked for as batches are taken.
 *
 * @param texts the array's text from its first bracket on
 * @throws RangeError for an element of more than 4 MB; SyntaxError when the text is no JSON or ends too early
 */
export async function* elementsOf(
  texts: AsyncIterable<string>
): AsyncGenerator<unknown[], void, undefined> {
  /** The text that is not parsed yet: elements behind the bracket or comma before them. */
  let unparsed = ""
  let depth = 0
  let isInString = false
  let isEscaped = false
  let isComplete = false
  for await (const text of texts) {
    let parsableUpTo = 0
    for (let index = 0; index < text.length && !isComplete; index++) {
      const sign = text[index]
      if (isEscaped) isEscaped = false
      else if (sign === "\\") isEscaped = isInString
      else if (sign === '"') isInString = !isInString
      else if (isInString) continue
      else if (sign === "," && depth === 1) parsableUpTo = unparsed.length + index
      else if (sign === "[" || sign === "{") depth++
      else if (sign === "]" || sign === "}") {
        isComplete = --depth === 0
        if (isComplete) parsableUpTo = unparsed.length + index + 1
      }
    }
    unparsed += text
    if (parsableUpTo > 0) {
      const elements = parsed(unparsed.slice(0, parsableUpTo) + (isComplete ? "" : "]"))
      // An array that is complete may be followed by white space only, which `[]` may be, too.
      unparsed = (isComplete ? "[]" : "") + unparsed.slice(parsableUpTo)
      if (elements.length > 0) yield elements
    }
    if (unparsed.length > LARGEST_ELEMENT) throw new RangeError("an element is too large")
  }
  JSON.parse(unparsed)
}

/** The elements of an array, or of a later part of one, which begins with a comma. */
function parsed(part: string): unknown[] {
  if (!part.startsWith(",")) return JSON.parse(part) as unknown[]
  return (JSON.parse(`[0${part}`) as unknown[]).slice(1)
}
