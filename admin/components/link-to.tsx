import type { ReactNode } from "react"
import { Link, type LinkProps } from "react-router-dom"

/** In a row of a table, the row itself would be opened, too. */
const InRow = (props: LinkProps) => <Link {...props} onClick={(event) => event.stopPropagation()} />

/** A link within the dashboard; plain text where there is nowhere to go. */
export const LinkTo = ({ to, children }: { to: string | null; children: ReactNode }) =>
  to === null ? (
    <>{children}</>
  ) : (
    <InRow
      to={to}
      className="text-ui-fg-base decoration-ui-fg-muted hover:decoration-ui-fg-base break-all underline underline-offset-4"
    >
      {children}
    </InRow>
  )

/**
 * The first cell of a row as a link to what the row opens when it is clicked, so that it opens by keyboard, too, and in
 * another tab.
 */
export const RowLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <InRow to={to} className="focus-visible:underline">
    {children}
  </InRow>
)
