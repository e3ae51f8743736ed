import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CreditCard } from "@medusajs/icons"
import { Container, Heading } from "@medusajs/ui"
import { keepPreviousData } from "@tanstack/react-query"
import { useMatches, useSearchParams } from "react-router-dom"

import { CardsPage, NotRead, Subtle } from "../../components/cards"
import { PeriodSelect } from "../../components/list-table"
import {
  NotPaidCard,
  PaidCard,
  UnderWayCard,
  WaitingCard,
} from "../../components/overview/overview"
import { lastDayBefore } from "../../lib/address"
import { useFormat } from "../../lib/format"
import { periodIn, spanOf } from "../../lib/period"
import { useRead } from "../../lib/sdk"

/** The overview for an owner's morning. Every card links to its list. */
const OverviewPage = () => {
  const { t, days } = useFormat()
  const [params] = useSearchParams()
  const period = periodIn(params.get("period"))
  const answer = useRead("overview", spanOf(period), {
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  const { data } = answer
  if (!data) return <NotRead answer={answer} />
  const { before } = data
  return (
    <CardsPage
      zone="payment_service_overview"
      data={data}
      main={{
        PaymentServiceOverviewPeriod: (
          <Container className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
            <div>
              <Heading>{t("overview.title")}</Heading>
              <Subtle>
                {t("overview.against", { days: days(before.from, lastDayBefore(before.to)) })}
              </Subtle>
            </div>
            <PeriodSelect period={period} />
          </Container>
        ),
        PaymentServicePaid: <PaidCard overview={data} />,
      }}
      side={{
        PaymentServiceWaiting: <WaitingCard waiting={data.waiting} />,
        PaymentServiceUnderWay: <UnderWayCard under_way={data.under_way} />,
        PaymentServiceNotPaid: <NotPaidCard overview={data} />,
      }}
    />
  )
}

export const config = defineRouteConfig({
  label: "menu.section",
  translationNs: "paymentService",
  icon: CreditCard,
})

export const handle = { breadcrumb: () => <SectionBreadcrumb /> }

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
