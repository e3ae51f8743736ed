/**
 * Moments between two writes at which a process may die, or another one may come first. Nothing happens at them, unless a test
 * has put a hook in the process that waits or kills there.
 */
export type LabelledPoint =
  | "creation:written"
  | "creation:answered"
  | "callback:kept"
  | "callback:answered"
  | "callback:settled"
  | "read:answered"
  | "read:recorded"
  | "apply:decided"
  | "authorize:judged"
  | "apply:order placed"
  | "apply:authorized"
  | "apply:done"
  | "apply:recorded"
  | "subscription:answered"
  | "payout:committed"
  | "payout:answered"
  | "payout:recorded"
  | "refund:proved"
  | "refund:booked"
  | "reconciliation:listed"
  | "reconciliation:bound"

const HOOK = Symbol.for("medusa-payment-sbp-crypto.labelled-points")

type Hooked = typeof globalThis & { [HOOK]?: (point: LabelledPoint) => Promise<void> | void }

export async function atLabelledPoint(point: LabelledPoint): Promise<void> {
  await (globalThis as Hooked)[HOOK]?.(point)
}
