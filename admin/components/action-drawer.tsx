import { RouteDrawer } from "@medusajs/dashboard/components"
import { type ReactNode, useEffect, useState } from "react"

interface ActionDrawerProps {
  /** Whether the reader may and can do the action now; false until that is known. */
  isPossible: boolean
  children: ReactNode
}

/**
 * An action's drawer with an address of its own, over its page. It opens when the action is possible, and stays until the action has told
 * what became of it, when it may no longer be possible. Until then the address shows the page alone.
 */
export const ActionDrawer = ({ isPossible, children }: ActionDrawerProps) => {
  const [isOpen, setIsOpen] = useState(isPossible)
  useEffect(() => {
    if (isPossible) setIsOpen(true)
  }, [isPossible])
  return isOpen ? <RouteDrawer>{children}</RouteDrawer> : null
}
