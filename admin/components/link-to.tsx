import type { ReactNode } from "react"
import { Link, type LinkProps } from "react-router-dom"

/** Stops the click, which would open the table's row as well. */
const InRow = (props: LinkProps) => <Link {...props} onClick={(event) => event.stopPropagation()} />

/** A link within the dashboard; plain text without an address. */
export const LinkTo = ({ to, children }: { to: string | null; children: ReactNode }) =>
  to === null ? (
    <>{children}</>
  ) : (
    <InRow
      to={to}
      className="text-ui-fg-base decoration-ui-fg-muted hover:decoration-ui-fg-base [overflow-wrap:anywhere] underline underline-offset-4"
    >
      {children}
    </InRow>
  )

/** The first cell of a row as a link to the row's page, so that it also opens by keyboard and in another tab. */
export const RowLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <InRow to={to} className="focus-visible:underline">
    {children}
  </InRow>
)

/** An order by its number, or by its id where the number is not known. */
export const OrderLink = ({ id, number }: { id: string; number: number | null }) => (
  <LinkTo to={`/orders/${id}`}>{number === null ? id : `#${number}`}</LinkTo>
)
