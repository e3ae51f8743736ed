import { LayoutComposer, SectionRow } from "@medusajs/dashboard/components"
import { ExclamationCircle } from "@medusajs/icons"
import { Alert, clx, Container, Heading, Skeleton, StatusBadge, Text } from "@medusajs/ui"
import { type ComponentProps, type ReactNode, useEffect, useReducer, useRef } from "react"
import { Link, type UIMatch, useHref } from "react-router-dom"

import { useFormat } from "../lib/format"
import { browsersZone } from "../lib/period"
import { Action, LinkTo } from "./link-to"

interface CardsPageProps {
  /** The beginning of the names of the places for a store's own widgets, which get `data`. */
  zone: string
  data?: object
  /** The cards by their names in admins' own layouts; `side` makes a second column. */
  main: Record<string, ReactNode>
  side?: Record<string, ReactNode>
  /** The list that a page of one of its entries belongs to. */
  list?: "transactions" | "problems" | "payouts" | "subscriptions" | "comparison"
}

/** A page of cards that admins may rearrange, as Medusa's own pages are. */
export const CardsPage = ({ zone, data, main, side, list }: CardsPageProps) => {
  const page = { widgetsZonePrefix: zone, data }
  const sections = { main: entriesOf(main) }
  const { t } = useFormat()
  return (
    <>
      {list && <MarkInSidebar list={list} />}
      {browsersZone() === null && (
        <Alert variant="info" className="mb-3">
          {t("noZone")}
        </Alert>
      )}
      {side ? (
        <LayoutComposer
          {...page}
          preferredLayoutId="core:two-column"
          sections={{ ...sections, side: entriesOf(side) }}
        />
      ) : (
        <LayoutComposer {...page} preferredLayoutId="core:single-column" sections={sections} />
      )}
    </>
  )
}

/** Marks a list in the sidebar, where Medusa marks the section instead for every page but the list's own. */
const MarkInSidebar = ({ list }: { list: string }) => {
  const section = useHref("/payment-service")
  const link = (path: string) => `aside a[href="${path}"]`
  return (
    <style>
      {`${link(section)} { background: none; box-shadow: none; }
        ${link(`${section}/${list}`)} { background: var(--bg-base); box-shadow: var(--elevation-card-rest); color: var(--fg-base); }`}
    </style>
  )
}

const entriesOf = (cards: Record<string, ReactNode>) =>
  Object.entries(cards).map(
    ([id, card]) =>
      card && (
        <LayoutComposer.Entry key={id} id={id}>
          {card}
        </LayoutComposer.Entry>
      )
  )

/** The name of a page in the bar above it. */
export const titled = (key: string) => {
  const Crumb = () => <>{useFormat().t(key)}</>
  return { breadcrumb: () => <Crumb /> }
}

/** The name of an entry's page in the bar above it, and of its window, from the answer of its loader. */
export const named = <Answer,>(titleOf: (answer: Answer) => string) => {
  type Match = UIMatch<Answer | undefined>
  const title = ({ loaderData }: Match) => loaderData && titleOf(loaderData)
  return {
    breadcrumb: (match: Match) => <>{title(match)}</>,
    seo: (match: Match) => ({ title: title(match) }),
  }
}

interface CardProps {
  title: string
  /** A page's own heading is of the first level. */
  level?: "h1" | "h2"
  /** The list of what the card counts. */
  to?: string
  note?: ReactNode
  action?: ReactNode
  /** Values by the keys of their titles, above what else the card has. */
  of?: Record<string, ReactNode>
  children?: ReactNode
}

/** A card with rows below its title. */
export const Card = ({ title, level = "h2", to, note, action, of, children }: CardProps) => (
  <Container className="divide-y p-0">
    <div className={clx("flex items-center justify-between gap-3 px-6 py-4", !note && "flex-wrap")}>
      <div>
        <Heading level={level}>
          {to ? (
            <Link to={to} className="hover:text-ui-fg-interactive-hover transition-fg">
              {title}
            </Link>
          ) : (
            title
          )}
        </Heading>
        {note && <Subtle>{note}</Subtle>}
      </div>
      {action}
    </div>
    {of && <Fields of={of} />}
    {children}
  </Container>
)

/** A row of a card that leads to the list of what it counts. */
export const RowTo = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link
    to={to}
    className="hover:bg-ui-bg-base-hover transition-fg flex items-center justify-between gap-x-4 px-6 py-3"
  >
    {children}
  </Link>
)

/** Values by the keys of their titles; rows without a value are left out. */
export const Fields = ({ of }: { of: Record<string, ReactNode> }) => {
  const { t } = useFormat()
  return Object.entries(of).map(
    ([key, value]) => value && <SectionRow key={key} title={t(key)} value={value} />
  )
}

type TextProps = ComponentProps<typeof Text>

/** Words beside what matters more. */
export const Subtle = ({ className, ...text }: TextProps) => (
  <Text size="small" className={clx("text-ui-fg-subtle", className)} {...text} />
)

/** A sentence that stands for the rows of a card, or explains them. */
export const Note = (text: TextProps) => <Subtle className="px-6 py-4" {...text} />

/** The least important text: a time, a source. */
export const Tiny = (text: TextProps) => (
  <Text size="xsmall" className="text-ui-fg-subtle [overflow-wrap:anywhere]" {...text} />
)

/** Words in a row of several. */
export const Line = (text: TextProps) => <Text size="small" leading="compact" {...text} />

type StateProps = ComponentProps<typeof StatusBadge> & { note?: ReactNode; to?: string }

/** A state with a sentence that explains it, and the page that says more. */
export const State = ({ note, to, ...badge }: StateProps) => (
  <span className="flex min-w-0 flex-col items-start gap-y-1">
    <LinkTo to={to ?? null}>
      <StatusBadge {...badge} />
    </LinkTo>
    {note && <Tiny>{note}</Tiny>}
  </span>
)

/** The time since a moment (with `isAsked`, since the service was asked), as it goes on; its tooltip has the moment itself. */
export const Ago = ({ at, isAsked = false }: { at: string | null; isAsked?: boolean }) => {
  const { t, ago, moment } = useFormat()
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [])
  if (at === null) return <>{t(isAsked ? "verdict.neverAsked" : "overview.machinery.never")}</>
  return (
    <time dateTime={at} title={moment(at)}>
      {isAsked ? t("verdict.asked", { ago: ago(at) }) : ago(at)}
    </time>
  )
}

interface TimelineEntry {
  at: string
  sentence: string
  note?: string | null
  by?: string | null
}

/** A journal, newest first: each entry with its time and person. */
export const Timeline = ({ entries }: { entries: TimelineEntry[] }) => {
  const { t, moment } = useFormat()
  return (
    <Card title={t("journal.title")}>
      <ol className="flex flex-col px-6 py-4">
        {[...entries].reverse().map(({ at, sentence, note, by }, index) => (
          <li key={index} className="flex gap-x-3">
            <div className="flex flex-col items-center" aria-hidden="true">
              <div className="bg-ui-tag-neutral-icon mt-1.5 size-2 shrink-0 rounded-full" />
              {index < entries.length - 1 && <div className="bg-ui-border-base my-1 w-px flex-1" />}
            </div>
            <div className="min-w-0 pb-4">
              <Line weight="plus">{sentence}</Line>
              {note && (
                <Text size="small" className="break-words">
                  {note}
                </Text>
              )}
              <Tiny>
                <time dateTime={at}>{moment(at)}</time>
                {by ? ` · ${by}` : ""}
              </Tiny>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** Replaces a part that could not be read, with the reason, because the rest of the page is still useful. */
export const Failed = ({ error, retry }: { error: unknown; retry: () => unknown }) => {
  const { t, reasonOf } = useFormat()
  const { status } = (error ?? {}) as { status?: number }
  // Medusa's own page of errors leads to the login.
  if (status === 401) throw error
  const isForbidden = status === 403
  const reason = error instanceof TypeError ? t("failed.silent") : reasonOf(error)
  return (
    <div role="alert" className="flex flex-col items-center gap-y-3 px-6 py-16 text-center">
      <ExclamationCircle className="text-ui-fg-subtle" />
      <Subtle className="max-w-prose">{isForbidden ? t("failed.notAllowed") : reason}</Subtle>
      {!isForbidden && (
        <Action type="button" onClick={() => void retry()}>
          {t("failed.retry")}
        </Action>
      )}
    </div>
  )
}

/** Why something was not done, beside its button; a long form scrolls to it. */
export const NotDone = ({ error }: { error: unknown }) => {
  const { reasonOf } = useFormat()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The braces drop the result: newer browsers return a promise, which is no clean-up.
    element.current?.scrollIntoView({ block: "nearest" })
  }, [error])
  return error ? (
    <div ref={element} role="alert" className="w-full">
      <Alert variant="error">{reasonOf(error)}</Alert>
    </div>
  ) : null
}

interface NotReadProps {
  answer: { isError: boolean; error: unknown; refetch: () => unknown }
  /** The part that is not read: a page of two columns, a card, or rows within a card. */
  shape?: keyof typeof SHAPES
}

const SHAPES = { page: ["h-24 h-96", "h-36 h-72"], card: ["h-72"], rows: ["h-5 h-5 h-5"] }

/** Stands for what is not read yet, as Medusa's own pages do, or says why it could not be read. Used only without an earlier answer. */
export const NotRead = ({ answer: { isError, error, refetch }, shape = "page" }: NotReadProps) => {
  const { t } = useFormat()
  if (isError) {
    const failed = <Failed error={error} retry={refetch} />
    return shape === "rows" ? failed : <Container>{failed}</Container>
  }
  return (
    <div
      role="status"
      aria-label={t("loading")}
      className={clx(
        "flex w-full flex-col gap-x-4 gap-y-3",
        shape === "page" && "xl:grid xl:grid-cols-[minmax(0,_1fr)_440px]",
        shape === "rows" && "px-6 py-4"
      )}
    >
      {SHAPES[shape].map((heights) => (
        <div key={heights} className="flex flex-col gap-y-3">
          {heights.split(" ").map((height, index) => (
            <Skeleton key={index} className={`${height} rounded-lg`} />
          ))}
        </div>
      ))}
    </div>
  )
}
