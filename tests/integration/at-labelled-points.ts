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
