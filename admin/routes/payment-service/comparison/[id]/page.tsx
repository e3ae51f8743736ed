import type { PropsWithChildren } from "react"
import { useParams, useSearchParams } from "react-router-dom"

import { Card, CardsPage, named, NotRead } from "../../../../components/cards"
import {
  COMPARING_EVERY_MS,
  ComparisonBadge,
} from "../../../../components/comparison/comparison-badge"
import { Id, LinkTo, OrderLink, RowLink } from "../../../../components/link-to"
import { ListTable, useIsNarrow, useList } from "../../../../components/list-table"
import { KindBadge } from "../../../../components/problems/problem-text"
import { pageIn } from "../../../../lib/address"
import type { Comparison, Difference, Reads } from "../../../../lib/answers"
import { formatForTitle, useFormat } from "../../../../lib/format"
import { entryOf, loading } from "../../../../lib/sdk"

/** One comparison: what it counted, and each difference that a person has to look at. */
const ComparisonPage = () => {
  const { t, text } = useFormat()
  const { id = "" } = useParams()
  const [params] = useSearchParams()
  const isNarrow = useIsNarrow()
  const answer = useList(entryOf("comparisons", id), pageIn(params), {
    refetchInterval: ({ state: { data } }) =>
      data?.comparison.state === "running" ? COMPARING_EVERY_MS : false,
  })
  const { data } = answer
  if (!data) return <NotRead answer={answer} />
  const said = (one: Difference) => (
    <span className="block min-w-[240px] whitespace-normal py-2">
      <RowLink to={problemOf(one)}>{text(one.messages)}</RowLink>
    </span>
  )
  // On a phone, all of a difference stands in one column.
  const whole = (one: Difference) => (
    <div className="flex min-w-0 flex-col items-start gap-y-1 whitespace-normal py-3">
      <KindBadge {...one} />
      {said(one)}
      {t("comparison.fields.service")}: <ServiceSide of={one} />
      {t("comparison.fields.shop")}: <ShopSide of={one} />
    </div>
  )
  return (
    <CardsPage
      zone="payment_service_comparison.details"
      list="comparison"
      data={data.comparison}
      main={{
        PaymentServiceComparison: <Counted comparison={data.comparison} />,
        PaymentServiceDifferences: (
          <ListTable
            answer={answer}
            rows={data.differences}
            getRowId={({ problem_id }) => problem_id}
            columns={(column) =>
              isNarrow
                ? [column("kind", "fields.problem", whole)]
                : [
                    column("kind", "fields.problem", (one) => <KindBadge {...one} />),
                    column("service", "comparison.fields.service", (one) => (
                      <ServiceSide of={one} />
                    )),
                    column("shop", "comparison.fields.shop", (one) => <ShopSide of={one} />),
                    column("messages", "fields.what", said),
                  ]
            }
            pageOf={problemOf}
            isSearched={false}
            heading={t("comparison.toLookAt")}
            subHeading={t("comparison.asTheyAre")}
            empty="comparison.noDifference"
          />
        ),
      }}
    />
  )
}

const problemOf = ({ problem_id: id }: Difference) => `/payment-service/problems/${id}`

const Counted = ({ comparison }: { comparison: Comparison }) => {
  const { moment, days, number, text } = useFormat()
  const { from, to, state, error_messages: why, finished_at } = comparison
  const counted = (count: number) => (finished_at ? number(count) : "–")
  return (
    <Card
      title={days(from, to)}
      level="h1"
      action={<ComparisonBadge state={state} />}
      of={{
        "comparison.fields.started_at": moment(comparison.started_at),
        "comparison.fields.records": counted(comparison.records),
        "comparison.fields.matched": counted(comparison.matched),
        "comparison.fields.differences": counted(comparison.differences),
        "comparison.fields.settled": counted(comparison.settled),
        "comparison.fields.error": why && text(why),
        "fields.merchant": <Id value={comparison.merchant_id} />,
      }}
    />
  )
}

/** The first characters of an id, as payers are told them. */
const SHORT = 8

const ServiceSide = ({ of: { service } }: { of: Difference }) => (
  <Side of={service}>
    {service?.status}
    {service?.id && (
      <LinkTo to={`/payment-service/records/${service.id}`}>{service.id.slice(0, SHORT)}</LinkTo>
    )}
  </Side>
)

const ShopSide = ({ of: { shop, order_id, order_number } }: { of: Difference }) => {
  const { word } = useFormat()
  return (
    <Side of={shop}>
      {shop?.standing && (
        <LinkTo to={shop.row_id && `/payment-service/transactions/${shop.row_id}`}>
          {word("standings", shop.standing)}
        </LinkTo>
      )}
      {order_id && <OrderLink id={order_id} number={order_number} />}
    </Side>
  )
}

/** A side's sums, and below them what else it has. */
const Side = ({ of, children }: PropsWithChildren<{ of: Difference["service" | "shop"] }>) => {
  const { t, money } = useFormat()
  if (of === null) return <>{t("comparison.nothing")}</>
  return (
    <span className="flex flex-col gap-y-1 py-2">
      {of.sums.map(({ amount, currency }) => money(amount, currency)).join(" + ") || "–"}
      <span className="txt-compact-xsmall flex gap-x-2">{children}</span>
    </span>
  )
}

export const loader = loading("comparisons")

export const handle = named<Reads[`comparisons/${string}`]>(({ comparison: { from, to } }) =>
  formatForTitle().days(from, to)
)

export default ComparisonPage
