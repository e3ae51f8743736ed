import { SectionRow } from "@medusajs/dashboard/components"
import { Badge, Container, Heading, Text } from "@medusajs/ui"
import { useQuery } from "@tanstack/react-query"
import { type UIMatch, useParams } from "react-router-dom"

import { Card, CardsPage, Note, NotRead, Rows } from "../../../../components/cards"
import { Id, LinkTo } from "../../../../components/link-to"
import { NamesToKeep } from "../../../../components/subscriptions/names-to-keep"
import type { ShownSubscription, SubscriptionAnswer } from "../../../../lib/answers"
import { formatForTitle, useFormat } from "../../../../lib/format"
import { reading } from "../../../../lib/sdk"

const useSubscription = (id: string) =>
  useQuery({
    ...reading<SubscriptionAnswer>(`subscriptions/${encodeURIComponent(id)}`),
    retry: false,
  })

/** One recurring payment with its charges. It has no `loader`, because the service's failure would replace the page. */
const SubscriptionPage = () => {
  const { id = "" } = useParams()
  const answer = useSubscription(id)
  // An earlier answer stays visible when a later read fails.
  if (!answer.data) return <NotRead answer={answer} />
  const { subscription } = answer.data
  return (
    <CardsPage
      zone="payment_service_subscription.details"
      list="subscriptions"
      data={subscription}
      main={{
        SubscriptionNames: <NamesToKeep subscription={subscription} />,
        SubscriptionSummary: <SubscriptionSummary subscription={subscription} />,
        SubscriptionCharges: <SubscriptionCharges subscription={subscription} />,
      }}
      side={{ SubscriptionPayer: <SubscriptionPayer subscription={subscription} /> }}
    />
  )
}

interface Shown {
  subscription: ShownSubscription
}

/** The charges of a subscription: their sum and frequency, and whether they continue. */
const SubscriptionSummary = ({ subscription }: Shown) => {
  const { t, money, interval, word, moment } = useFormat()
  const named = (name: string) => t(`subscriptions.fields.${name}`)
  const moments = ["start_at", "next_charge_at", "last_charge_at", "created_at"] as const
  return (
    <Container className="divide-y p-0">
      <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
        <div className="flex flex-wrap items-center gap-3">
          <Heading>{money(subscription.amount, subscription.currency)}</Heading>
          <Text className="text-ui-fg-subtle">
            {interval(subscription.interval_unit, subscription.interval_count)}
          </Text>
        </div>
        <Badge size="2xsmall">{word("subscriptions.statuses", subscription.status)}</Badge>
      </div>
      <Rows
        of={[
          [named("description"), subscription.description || "–"],
          ...moments.map((name) => [named(name), moment(subscription[name])] as const),
          [named("id"), <Id key="id" value={subscription.id} />],
          [named("merchant"), <Id key="merchant" value={subscription.merchant_id} />],
        ]}
      />
    </Container>
  )
}

/** The results of its charges so far. */
const SubscriptionCharges = ({ subscription }: Shown) => {
  const { t, money, moment, number } = useFormat()
  const named = (name: string) => t(`subscriptions.fields.${name}`)
  const { charge_metrics: metrics, currency } = subscription
  const counts = ["charges_total", "charges_success", "charges_failed"] as const
  const moments = ["last_charge_at", "next_charge_at"] as const
  return (
    <Card title={t("subscriptions.metrics")}>
      {metrics === null ? (
        <Note>{t("subscriptions.noMetrics")}</Note>
      ) : (
        <Rows
          of={[
            ...counts.map((name) => [named(name), number(metrics[name])] as const),
            [named("total_amount"), money(metrics.total_amount, currency)],
            ...moments.map((name) => [named(name), moment(metrics[name])] as const),
          ]}
        />
      )}
    </Card>
  )
}

/** The charged payer, and the customer of this store with the same e-mail address. */
const SubscriptionPayer = ({ subscription }: Shown) => {
  const { t } = useFormat()
  const { customer_email: email, customer_id: id } = subscription
  return (
    <Card title={t("subscriptions.payer")}>
      <SectionRow
        title={t("subscriptions.fields.email")}
        value={
          <LinkTo to={email && id && `/customers/${id}`}>
            {email ?? t("subscriptions.noEmail")}
          </LinkTo>
        }
      />
      {email !== null && id === null && <Note>{t("subscriptions.noCustomer")}</Note>}
    </Card>
  )
}

export const handle = {
  breadcrumb: ({ params }: UIMatch) => <SubscriptionBreadcrumb id={params.id ?? ""} />,
  seo: ({ params }: UIMatch) => ({
    title: `${formatForTitle().t("subscriptions.one")} · ${params.id ?? ""}`,
  }),
}

const SubscriptionBreadcrumb = ({ id }: { id: string }) => {
  const subscription = useSubscription(id).data?.subscription
  // The first characters of an id, because the bar has no room for all of it.
  return <>{(subscription?.customer_email ?? subscription?.description) || id.slice(0, 8)}</>
}

export default SubscriptionPage
