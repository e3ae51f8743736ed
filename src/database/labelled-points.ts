/** Moments between two writes at which a process may die, or another one may come first. Only a test's hook waits or kills there. */
export type LabelledPoint =
  | `creation:${"written" | "answered"}`
  | `callback:${"kept" | "answered"}`
  | `read:${"answered" | "recorded"}`
  | "authorize:judged"
  | `apply:${"decided" | "order placed" | "done" | "recorded"}`
  | "subscription:answered"
  | `payout:${"committed" | "answered" | "recorded"}`
  | `refund:${"proved" | "booked"}`
  | "reconciliation:bound"

const HOOK = Symbol.for("medusa-payment-sbp-crypto.labelled-points")

type Hooked = typeof globalThis & { [HOOK]?: (point: LabelledPoint) => Promise<void> | void }

export async function atLabelledPoint(point: LabelledPoint): Promise<void> {
  await (globalThis as Hooked)[HOOK]?.(point)
}
