import { EACH_UUID } from "../../service/uuid"

const MOST_IDS = 10

/**
 * Candidate transaction ids in the body of a callback of any form: the specification does not show it. They are hints to look at
 * our own rows, never evidence of anything.
 *
 * @returns at most 10 different UUIDs in lower case, in the order of the body
 */
export function callbackIds(body: unknown): string[] {
  const ids = new Set<string>()
  const waiting: unknown[] = [body]
  // A stack instead of recursion: a body may be nested as deep as 16 kB allow.
  while (waiting.length && ids.size < MOST_IDS) {
    const value = waiting.pop()
    if (typeof value === "string") {
      for (const [id] of value.matchAll(EACH_UUID)) {
        if (ids.size < MOST_IDS) ids.add(id.toLowerCase())
      }
    } else if (typeof value === "object" && value !== null) {
      const inside: unknown[] = Array.isArray(value) ? value : Object.entries(value).flat()
      waiting.push(...inside.reverse())
    }
  }
  return [...ids]
}
