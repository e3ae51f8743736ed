import type { ReactElement } from "react"
import type { Part } from "../parts.js"
import { useGivenLook } from "./look.js"
import type { Deed, Failure } from "./use-deed.js"

/** A button that shows when it is at work. It keeps the focus then, unlike a disabled one. */
export function DeedButton(props: { deed: Deed; name: Part; label: string }): ReactElement {
  const { deed, name, label } = props
  const { t, part } = useGivenLook()
  return (
    <button {...part(name)} type="button" aria-disabled={deed.busy} onClick={() => void deed.run()}>
      {deed.busy ? t.preparing : label}
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
