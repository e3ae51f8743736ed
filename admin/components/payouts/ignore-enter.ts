import type { KeyboardEvent } from "react"

/** Enter in a field submits nothing: money is sent by a button. */
export function ignoreEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault()
}
