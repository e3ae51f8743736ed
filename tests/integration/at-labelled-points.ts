import type { LabelledPoint } from "../../src/database/labelled-points"

const HOOK = Symbol.for("medusa-payment-sbp-crypto.labelled-points")

/**
 * Runs a function at each labelled point that the store comes to from now on.
 *
 * @returns what takes it away again
 */
export function atLabelledPoints(hook: (point: LabelledPoint) => Promise<void> | void): () => void {
  const hooked = globalThis as Record<symbol, unknown>
  hooked[HOOK] = hook
  return () => {
    hooked[HOOK] = undefined
  }
}

/** Runs `work`, whose process dies each time that it comes to a labelled point. */
export async function diesAt<T>(point: LabelledPoint, work: () => Promise<T>): Promise<T> {
  const letGo = atLabelledPoints((reached) => {
    if (reached === point) throw new Error(`The process died at ${point}`)
  })
  return await work().finally(letGo)
}
