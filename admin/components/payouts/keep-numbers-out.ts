import type { FormEvent } from "react"

import { withoutCardNumbers } from "../../lib/card-number"

/**
 * Removes card numbers from typed or pasted text before the field's own handler sees it, because Medusa's table writes a search
 * into the address bar at once.
 */
export function keepNumbersOut({ target }: FormEvent): void {
  if (!(target instanceof HTMLInputElement)) return
  const cut = withoutCardNumbers(target.value)
  if (cut === target.value) return
  // The prototype's setter is used, because React watches the field's own one and would then not report the change.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(target, cut)
}
