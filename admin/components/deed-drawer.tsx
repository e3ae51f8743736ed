import { RouteDrawer } from "@medusajs/dashboard/components"
import { type ReactNode, useEffect, useState } from "react"

interface DeedDrawerProps {
  /** Whether the reader may and can do the deed now; false until that is known. */
  isPossible: boolean
  children: ReactNode
}

/**
 * A deed's drawer with an address of its own, over its page. It opens when the deed is possible, and stays until the deed has told
 * what became of it, when it may no longer be possible. Until then the address shows the page alone.
 */
export const DeedDrawer = ({ isPossible, children }: DeedDrawerProps) => {
  const [isOpen, setIsOpen] = useState(isPossible)
  useEffect(() => {
    if (isPossible) setIsOpen(true)
  }, [isPossible])
  return isOpen ? <RouteDrawer>{children}</RouteDrawer> : null
}
