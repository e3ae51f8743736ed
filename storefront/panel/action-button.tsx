import type { ReactElement } from "react"
import type { Part } from "../parts.js"
import { useGivenLook } from "./look.js"
import type { Action, Failure } from "./use-action.js"

/** A button that shows when it is at work. It keeps the focus then, unlike a disabled one. */
export function ActionButton(props: { action: Action; name: Part; label: string }): ReactElement {
  const { action, name, label } = props
  const { t, part } = useGivenLook()
  return (
    <button
      {...part(name)}
      type="button"
      aria-disabled={action.busy}
      onClick={() => void action.run()}
    >
      {action.busy ? t.preparing : label}
    </button>
  )
}

export function FailureNote({ failure }: { failure: Failure | null }): ReactElement | null {
  const { part } = useGivenLook()
  return failure ? (
    <div {...part("failure")} role="alert">
      <p>{failure.sentence}</p>
      {failure.detail && <p>{failure.detail}</p>}
    </div>
  ) : null
}
