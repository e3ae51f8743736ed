import { SectionRow } from "@medusajs/dashboard/components"
import { Badge, Container, Heading, Text } from "@medusajs/ui"

import { Card, Rows } from "./cards"
import { useFormat } from "../lib/format"
import type { ShownSubscription } from "../lib/api"
import { useSubscriptionWords } from "../lib/subscriptions"
import { LinkTo } from "./link-to"
import { Id } from "./transaction-details"

interface Shown {
  subscription: ShownSubscription
}

/** The charges of a subscription: their sum and frequency, and whether they continue. */
export const SubscriptionSummary = ({ subscription }: Shown) => {
  const { money } = useFormat()
  const { t, none, interval, status, momentOrNone } = useSubscriptionWords()
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
        <Badge size="2xsmall">{status(subscription.status)}</Badge>
      </div>
      <Rows
        of={[
          [t("subscriptions.fields.description"), subscription.description || none],
          ...moments.map(
            (name) => [t(`subscriptions.fields.${name}`), momentOrNone(subscription[name])] as const
          ),
          [t("subscriptions.fields.id"), <Id key="id" value={subscription.id} />],
          [
            t("subscriptions.fields.merchant"),
            <Id key="merchant" value={subscription.merchant_id} />,
          ],
        ]}
      />
    </Container>
  )
}

/** The results of its charges so far. */
export const SubscriptionCharges = ({ subscription }: Shown) => {
  const { money } = useFormat()
  const { t, none, momentOrNone, numberOrNone } = useSubscriptionWords()
  const metrics = subscription.charge_metrics
  const counts = ["charges_total", "charges_success", "charges_failed"] as const
  const moments = ["last_charge_at", "next_charge_at"] as const
  return (
    <Card title={t("subscriptions.metrics")}>
      {metrics === null ? (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("subscriptions.noMetrics")}
        </Text>
      ) : (
        <Rows
          of={[
            ...counts.map((name) => [name, numberOrNone(metrics[name])] as const),
            [
              "total_amount",
              metrics.total_amount === null
                ? none
                : money(metrics.total_amount, subscription.currency),
            ] as const,
            ...moments.map((name) => [name, momentOrNone(metrics[name])] as const),
          ].map(([name, value]) => [t(`subscriptions.fields.${name}`), value] as const)}
        />
      )}
    </Card>
  )
}

/** The charged payer, and the customer of this store with the same e-mail address. */
export const SubscriptionPayer = ({ subscription }: Shown) => {
  const { t } = useFormat()
  const { customer_email: email, customer_id } = subscription
  return (
    <Card title={t("subscriptions.payer")}>
      <SectionRow
        title={t("subscriptions.fields.email")}
        value={
          email === null ? (
            t("subscriptions.noEmail")
          ) : (
            <LinkTo to={customer_id && `/customers/${customer_id}`}>{email}</LinkTo>
          )
        }
      />
      {email !== null && customer_id === null && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("subscriptions.noCustomer")}
        </Text>
      )}
    </Card>
  )
}
