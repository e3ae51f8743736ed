import type { FormEvent } from "react"

import { withoutCardNumbers } from "../../lib/card-number"

/**
 * Cuts card numbers out of what is typed or pasted into a field, before the field itself hears of it: Medusa's table
 * writes its search into the address bar at once.
 */
export function keepNumbersOut({ target }: FormEvent): void {
  if (!(target instanceof HTMLInputElement)) return
  const cut = withoutCardNumbers(target.value)
  if (cut === target.value) return
  // React notices what its own setter of the field is given, and would not tell the field of the change any more.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(target, cut)
}
