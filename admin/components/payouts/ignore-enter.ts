import type { KeyboardEvent } from "react"

/** Enter in a field submits nothing, because only a button may send money. */
export function ignoreEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault()
}
