import { Alert } from "@medusajs/ui"
import { useEffect, useRef } from "react"

/** Why the action was refused, beside its button; a long form scrolls to it. */
export const Refused = ({ refusal }: { refusal: string | null }) => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The braces drop the result: newer browsers return a promise, which is no clean-up.
    element.current?.scrollIntoView({ block: "nearest" })
  }, [refusal])
  if (refusal === null) return null
  return (
    <div ref={element} role="alert">
      <Alert variant="error">{refusal}</Alert>
    </div>
  )
}
