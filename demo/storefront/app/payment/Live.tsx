import type { ReactNode } from "react"

/**
 * Reads out what changes about a payment. It outlives the panels inside, because a screen reader follows only a region that was
 * there before its text.
 */
export function Live({ children }: { children: ReactNode }) {
  return (
    <div className="live" aria-live="polite">
      {children}
    </div>
  )
}
