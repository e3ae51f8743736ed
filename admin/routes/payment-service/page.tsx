import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CreditCard } from "@medusajs/icons"
import { Container, Heading, Text } from "@medusajs/ui"
import { useMatches, useSearchParams } from "react-router-dom"

import { CardsPage } from "../../components/cards"
import { FigureCard } from "../../components/overview/figure"
import { MachineryCard } from "../../components/overview/machinery-card"
import { NotPaidCard } from "../../components/overview/not-paid-card"
import { PaidCard } from "../../components/overview/paid-card"
import { NotRead } from "../../components/not-read"
import { PeriodSelect } from "../../components/address-select"
import { UnderWayCard } from "../../components/overview/under-way-card"
import { WaitingCard } from "../../components/overview/waiting-card"
import { useFormat } from "../../lib/format"
import { openedIn, paidIn, transactionsAt } from "../../lib/lists"
import { useMeasures } from "../../lib/measures"
import type { OverviewAnswer } from "../../lib/api"
import { useOverview } from "../../lib/overview-queries"
import { periodIn, spanOf } from "../../lib/period"

/** The overview for an owner's morning. Every card links to its list. */
const OverviewPage = () => {
  const { t, days } = useFormat()
  const [params] = useSearchParams()
  const period = periodIn(params.get("period"))
  const query = spanOf(period)
  const answer = useOverview(query)
  const { data } = answer
  // An earlier answer stays visible when a later read fails.
  if (!data) return <NotRead answer={answer} />
  return (
    <CardsPage
      zone="payment_service_overview"
      data={data}
      main={{
        PaymentServiceOverviewPeriod: (
          <Container className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
            <div>
              <Heading>{t("overview.title")}</Heading>
              <Text size="small" className="text-ui-fg-subtle">
                {t("overview.against", { days: days(data.before.from, lastOf(data.before)) })}
              </Text>
            </div>
            <PeriodSelect period={period} />
          </Container>
        ),
        PaymentServicePaid: <PaidCard overview={data} />,
        PaymentServiceFigures: <Figures overview={data} />,
      }}
      side={{
        PaymentServiceWaiting: <WaitingCard waiting={data.waiting} />,
        PaymentServiceUnderWay: <UnderWayCard underWay={data.under_way} />,
        PaymentServiceNotPaid: <NotPaidCard overview={data} />,
        PaymentServiceMachinery: <MachineryCard machinery={data.machinery} />,
      }}
    />
  )
}

/** A moment of the last day of a period. */
const lastOf = ({ to }: { to: string }) => new Date(new Date(to).getTime() - 1).toISOString()

/** The share of paid carts, and the time that paying took. */
const Figures = ({ overview }: { overview: OverviewAnswer }) => {
  const { t, number } = useFormat()
  const { percent, duration } = useMeasures()
  const { carts, time_to_pay: time } = overview
  const share = ({ opened, paid }: { opened: number; paid: number }) =>
    opened === 0 ? "–" : percent(paid / opened)
  const before = (value: string) => t("overview.before", { value })
  return (
    <div className="grid grid-cols-1 gap-3 lg:grid-cols-2">
      <FigureCard
        title={t("overview.carts.title")}
        to={transactionsAt(openedIn(overview))}
        note={t("overview.carts.note")}
        figures={[
          {
            label: t("overview.carts.share"),
            value: share(carts),
            before: before(share(carts.before)),
          },
          {
            label: t("overview.carts.paid"),
            value: t("overview.carts.of", {
              paid: number(carts.paid),
              opened: number(carts.opened),
            }),
            before: before(
              t("overview.carts.of", {
                paid: number(carts.before.paid),
                opened: number(carts.before.opened),
              })
            ),
          },
        ]}
      />
      <FigureCard
        title={t("overview.time.title")}
        to={transactionsAt({ state: ["paid"], ...paidIn(overview) })}
        note={t("overview.time.note")}
        figures={[
          {
            label: t("overview.time.median"),
            value: duration(time.median),
            before: before(duration(time.before.median)),
          },
          {
            label: t("overview.time.p90"),
            value: duration(time.p90),
            before: before(duration(time.before.p90)),
          },
        ]}
      />
    </div>
  )
}

export const config = defineRouteConfig({
  label: "menu.section",
  translationNs: "paymentService",
  icon: CreditCard,
})

export const handle = {
  breadcrumb: () => <SectionBreadcrumb />,
}

type Crumb = Partial<typeof handle>

/** A narrow top bar has no room for this name before those of a list and of one of its entries. */
const SectionBreadcrumb = () => {
  const { t } = useFormat()
  const crumbs = useMatches().filter(({ handle: of }) => (of as Crumb | undefined)?.breadcrumb)
  if (crumbs.length < 3) return <>{t("menu.section")}</>
  return (
    <>
      <span className="sr-only lg:not-sr-only">{t("menu.section")}</span>
      <span className="lg:hidden" aria-hidden>
        …
      </span>
    </>
  )
}

export default OverviewPage
