import { EACH_UUID } from "../../service/schemas"

const MOST_IDS = 10
/** In characters. A check of an address is short. */
const LONGEST_CHECK = 1_000
/** A UUID as 32 hex digits, which are not a part of a longer word, a digest for example. */
const WITHOUT_DASHES =
  /(?<![0-9a-z])([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})(?![0-9a-z])/gi

/**
 * Candidate transaction ids in the body of a callback of any form: the specification does not show it. JSON, a form, and JSON in a
 * form's field or in a text are all searched as text, so nesting and repeated names hide nothing and cost nothing. They are hints to
 * look at our own rows, never evidence of anything.
 *
 * @returns at most 10 different UUIDs in lower case, in the order of the body
 */
export function callbackIds(body: string): string[] {
  const ids = new Set<string>()
  const text = withoutPercents(body).replace(WITHOUT_DASHES, "$1-$2-$3-$4-$5")
  for (const [id] of text.matchAll(EACH_UUID)) {
    if (ids.size === MOST_IDS) break
    ids.add(id.toLowerCase())
  }
  return [...ids]
}

/**
 * Whether a body is only a check that somebody takes callbacks here: it is empty, or short JSON without any digit, as `{}` or
 * `{"event":"test"}`. A callback about a transaction has a digit in its id, its sum or its time.
 */
export function isAddressCheck(body: string): boolean {
  return body === "" || (body.length <= LONGEST_CHECK && !/\d/.test(body) && isJson(body))
}

export function isJson(body: string): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}

/** A form writes some signs so, and an id behind one of them would seem to begin with its digits. */
function withoutPercents(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_sign, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16))
  )
}
