import { Container, Heading, Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import { Link } from "react-router-dom"

/** A heading with a link to the list of the facts below it. */
export const CardHeading = ({ to, children }: { to: string; children: ReactNode }) => (
  <Heading level="h2">
    <Link to={to} className="hover:text-ui-fg-interactive-hover transition-fg">
      {children}
    </Link>
  </Heading>
)

interface Figure {
  label: string
  value: string
  /** The earlier value, as text. */
  before: string
}

/** A few figures of a period, each beside that of the period before. */
export const FigureCard = ({
  title,
  to,
  note,
  figures,
}: {
  title: string
  to: string
  note: string
  figures: Figure[]
}) => (
  <Container className="flex flex-col gap-y-4 px-6 py-4">
    <CardHeading to={to}>{title}</CardHeading>
    <dl className="flex flex-wrap gap-x-10 gap-y-4">
      {figures.map(({ label, value, before }) => (
        <div key={label} className="flex flex-col gap-y-1">
          <Text asChild size="small" leading="compact" className="text-ui-fg-subtle">
            <dt>{label}</dt>
          </Text>
          <dd className="h1-core text-ui-fg-base">{value}</dd>
          <Text asChild size="small" leading="compact" className="text-ui-fg-subtle">
            <dd>{before}</dd>
          </Text>
        </div>
      ))}
    </dl>
    <Text size="xsmall" className="text-ui-fg-subtle">
      {note}
    </Text>
  </Container>
)
