import type { LabelledPoint } from "../../src/database/labelled-points"
import { gate, untilTheTestEnds } from "./until-the-test-ends"

const HOOK = Symbol.for("medusa-payment-sbp-crypto.labelled-points")

/**
 * Runs a function at each labelled point that the store comes to from now on until the test ends.
 *
 * @returns what takes it away again
 */
export function atLabelledPoints(hook: (point: LabelledPoint) => Promise<void> | void): () => void {
  const hooked = globalThis as Record<symbol, unknown>
  hooked[HOOK] = hook
  const takeAway = () => {
    if (hooked[HOOK] === hook) hooked[HOOK] = undefined
  }
  untilTheTestEnds(takeAway)
  return takeAway
}

/** The first so many to reach the point stand still there until they are told to go on, or the test ends. */
export function standStillAt(
  point: LabelledPoint,
  count = 1
): { standing: Promise<void>; goOn: () => void } {
  const [standing, released] = [gate(), gate()]
  let expected = count
  const takeAway = atLabelledPoints(async (at) => {
    if (at !== point || expected === 0) return
    expected--
    if (expected === 0) standing.pass()
    await released.passed
  })
  return {
    standing: standing.passed,
    goOn: () => {
      takeAway()
      released.pass()
    },
  }
}

/** Runs `work`, whose process dies each time that it comes to a labelled point, which it must. */
export async function diesAt<T>(point: LabelledPoint, work: () => Promise<T>): Promise<T> {
  const deaths: Error[] = []
  const letGo = atLabelledPoints((reached) => {
    if (reached !== point) return
    const death = new Error(`The process died at ${point}`)
    deaths.push(death)
    throw death
  })
  const result = await work().finally(letGo)
  if (!deaths.length) throw new Error(`Nothing came to ${point}`)
  return result
}
