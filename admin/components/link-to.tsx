import type { ReactNode } from "react"
import { Link } from "react-router-dom"

/** A link within the dashboard; plain text where there is nowhere to go. */
export const LinkTo = ({ to, children }: { to: string | null; children: ReactNode }) =>
  to === null ? (
    <>{children}</>
  ) : (
    <Link
      to={to}
      // In a row of a table, the row itself would be opened, too.
      onClick={(event) => event.stopPropagation()}
      className="text-ui-fg-base decoration-ui-fg-muted hover:decoration-ui-fg-base break-all underline underline-offset-4"
    >
      {children}
    </Link>
  )
