import { Button, Copy } from "@medusajs/ui"
import { type ComponentProps, forwardRef, type ReactNode } from "react"
import { useTranslation } from "react-i18next"
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

interface CustomerCellProps {
  id: string | null
  name?: string | null
  email?: string | null
}

/** A customer by name, or by e-mail address where the name is not known. */
export const CustomerCell = ({ id, name, email }: CustomerCellProps) =>
  email ? (
    <span className="block truncate" title={email}>
      <LinkTo to={id && `/customers/${id}`}>{name ?? email}</LinkTo>
    </span>
  ) : (
    <>–</>
  )

/** An id that can be copied, and with an address leads there. */
export const Id = ({ value, to = null }: { value: string | null; to?: string | null }) => {
  const { t } = useTranslation()
  if (value === null) return <>–</>
  return (
    <span className="flex min-w-0 items-center gap-x-1">
      <span className="break-all font-mono">
        <LinkTo to={to}>{value}</LinkTo>
      </span>
      <Copy content={value} aria-label={t("actions.copy")} className="text-ui-fg-muted shrink-0" />
    </span>
  )
}

type ActionProps = Omit<ComponentProps<typeof Button>, "ref">
type Element = HTMLButtonElement

export const Action = forwardRef<Element, ActionProps>((props, ref) => (
  <Button ref={ref} size="small" variant="secondary" {...props} />
))

export const ActionLink = forwardRef<Element, ActionProps & Pick<LinkProps, "to">>(
  ({ to, children, ...button }, ref) => (
    <Action ref={ref} {...button} asChild>
      <Link to={to}>{children}</Link>
    </Action>
  )
)
