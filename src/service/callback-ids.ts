import { EACH_UUID } from "./schemas"

const MOST_IDS = 10
const LONGEST_CHECK_IN_CHARACTERS = 1_000
/** A UUID as 32 hex digits, which are not a part of a longer word, a digest for example. */
const WITHOUT_DASHES =
  /(?<![0-9a-z])([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})(?![0-9a-z])/gi

/**
 * Candidate transaction ids in the body of a callback, at most ten, in lower case. The specification does not show its form, so JSON,
 * a form, and JSON in a form's field are all searched as text. They are hints to look at our own rows, never evidence of anything.
 */
export function callbackIds(body: string): string[] {
  // A form writes some signs as their codes, and an id behind one of them would seem to begin with its digits.
  const unescaped = body.replace(/%([0-7][0-9a-f])/gi, (_sign, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16))
  )
  const text = unescaped.replace(WITHOUT_DASHES, "$1-$2-$3-$4-$5")
  const ids = Array.from(text.matchAll(EACH_UUID), ([id]) => id.toLowerCase())
  return [...new Set(ids)].slice(0, MOST_IDS)
}

/** Whether a body only checks that somebody takes callbacks: empty, or short JSON without a digit, which an id, a sum or a time has. */
export const isAddressCheck = (body: string) =>
  body === "" || (body.length <= LONGEST_CHECK_IN_CHARACTERS && !/\d/.test(body) && isJson(body))

export function isJson(body: string): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}
