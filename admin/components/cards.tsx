import { LayoutComposer, SectionRow } from "@medusajs/dashboard/components"
import { Container, Heading } from "@medusajs/ui"
import type { ReactNode } from "react"

interface CardsPageProps {
  /** The beginning of the names of the places for a store's own widgets. */
  zone: string
  /** The props that Medusa gives to such widgets. */
  data?: object
  /** The cards by their names in admins' own layouts; `side` makes a second column. */
  main: Record<string, ReactNode>
  side?: Record<string, ReactNode>
}

/** A page of cards that admins may rearrange, as Medusa's own pages are. */
export const CardsPage = ({ zone, data, main, side }: CardsPageProps) =>
  side ? (
    <LayoutComposer
      widgetsZonePrefix={zone}
      preferredLayoutId="core:two-column"
      data={data}
      sections={{ main: entriesOf(main), side: entriesOf(side) }}
    />
  ) : (
    <LayoutComposer
      widgetsZonePrefix={zone}
      preferredLayoutId="core:single-column"
      data={data}
      sections={{ main: entriesOf(main) }}
    />
  )

const entriesOf = (cards: Record<string, ReactNode>) =>
  Object.entries(cards).map(
    ([id, card]) =>
      card && (
        <LayoutComposer.Entry key={id} id={id}>
          {card}
        </LayoutComposer.Entry>
      )
  )

/** A card with rows below its title. */
export const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <Container className="divide-y p-0">
    <Heading level="h2" className="px-6 py-4">
      {title}
    </Heading>
    {children}
  </Container>
)

/** Rows of a title and a value; those without a value are left out. */
export const Rows = ({ of }: { of: readonly (readonly [title: string, value: ReactNode])[] }) =>
  of.map(([title, value]) =>
    value ? <SectionRow key={title} title={title} value={value} /> : null
  )
