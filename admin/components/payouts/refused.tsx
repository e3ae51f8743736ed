import { Alert } from "@medusajs/ui"
import { useEffect, useRef } from "react"

/** Why something was not done, where it was to be done; a long form is scrolled to it. */
export const Refused = ({ refusal }: { refusal: string | null }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Newer browsers answer with a promise, which is no clean-up.
    place.current?.scrollIntoView({ block: "nearest" })
  }, [refusal])
  if (refusal === null) return null
  return (
    <div ref={place} role="alert">
      <Alert variant="error">{refusal}</Alert>
    </div>
  )
}
