import { Alert, Badge, Container, Heading, Text } from "@medusajs/ui"
import { type UIMatch, useParams } from "react-router-dom"

import { Card, CardsPage, Fields, Note, NotRead } from "../../../../components/cards"
import { Action, Id, LinkTo } from "../../../../components/link-to"
import { useSaveSettings } from "../../../../components/settings/options"
import type { AccountSettings, Option, ShownSubscription } from "../../../../lib/answers"
import { formatForTitle, useFormat } from "../../../../lib/format"
import { entryOf, useMay, useRead } from "../../../../lib/sdk"

const useSubscription = (id: string) => useRead(entryOf("subscriptions", id), {}, { retry: false })

/** One recurring payment with its charges. It has no `loader`, because the service's failure would replace the page. */
const SubscriptionPage = () => {
  const { t, money, interval, word, moment, number } = useFormat()
  const { id = "" } = useParams()
  const answer = useSubscription(id)
  if (!answer.data) return <NotRead answer={answer} />
  const { subscription } = answer.data
  const { amount, charge_metrics: metrics, currency, customer_email, customer_id } = subscription
  return (
    <CardsPage
      zone="payment_service_subscription.details"
      list="subscriptions"
      data={subscription}
      main={{
        SubscriptionNames: <NamesToKeep subscription={subscription} />,
        SubscriptionSummary: (
          <Container className="divide-y p-0">
            <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
              <div className="flex flex-wrap items-center gap-3">
                <Heading>{money(amount, currency)}</Heading>
                <Text className="text-ui-fg-subtle">
                  {interval(subscription.interval_unit, subscription.interval_count)}
                </Text>
              </div>
              <Badge size="2xsmall">{word("subscriptions.statuses", subscription.status)}</Badge>
            </div>
            <Fields
              of={{
                "fields.description": subscription.description || "–",
                "subscriptions.fields.start_at": moment(subscription.start_at),
                "subscriptions.fields.next_charge_at": moment(subscription.next_charge_at),
                "subscriptions.fields.last_charge_at": moment(subscription.last_charge_at),
                "subscriptions.fields.created_at": moment(subscription.created_at),
                "subscriptions.fields.id": <Id value={subscription.id} />,
                "fields.merchant": <Id value={subscription.merchant_id} />,
              }}
            />
          </Container>
        ),
        SubscriptionCharges: (
          <Card title={t("subscriptions.metrics")}>
            {metrics === null ? (
              <Note>{t("subscriptions.noMetrics")}</Note>
            ) : (
              <Fields
                of={{
                  "subscriptions.fields.charges_total": number(metrics.charges_total),
                  "subscriptions.fields.charges_success": number(metrics.charges_success),
                  "subscriptions.fields.charges_failed": number(metrics.charges_failed),
                  "subscriptions.fields.total_amount": money(metrics.total_amount, currency),
                  "subscriptions.fields.last_charge_at": moment(metrics.last_charge_at),
                  "subscriptions.fields.next_charge_at": moment(metrics.next_charge_at),
                }}
              />
            )}
          </Card>
        ),
      }}
      side={{
        // The charged payer, and the customer of this store with the same e-mail address.
        SubscriptionPayer: (
          <Card
            title={t("fields.customer")}
            of={{
              "subscriptions.fields.email": (
                <LinkTo to={customer_email && customer_id && `/customers/${customer_id}`}>
                  {customer_email ?? t("subscriptions.noEmail")}
                </LinkTo>
              ),
            }}
          >
            {customer_email !== null && customer_id === null && (
              <Note>{t("subscriptions.noCustomer")}</Note>
            )}
          </Card>
        ),
      }}
    />
  )
}

/** The options that name codes, with the fields of a subscription that have such a code and its name. */
const CODES = [
  ["subscriptions.statusCodes", "status", "status_label"],
  ["subscriptions.intervalCodes", "interval_unit", "interval_label"],
] as const

/** The service's list has codes where the page of a subscription has names. Names that no option has yet are offered to be kept. */
const NamesToKeep = ({ subscription }: { subscription: ShownSubscription }) => {
  const mayKeep = useMay("update", "payment_service_settings")
  const { listed, merchant_id: merchant } = subscription
  const unnamed = CODES.filter(
    ([, code, label]) => listed && listed[code] !== null && !listed[label]
  )
  const { data } = useRead("settings", {}, { enabled: mayKeep && unnamed.length > 0 })
  const accounts = data?.accounts ?? []
  const isOfMerchant = ({ options }: AccountSettings) =>
    options.some(({ name, value }) => name === "merchantId" && value === merchant)
  const account = accounts.find(isOfMerchant) ?? accounts[0]
  const names = unnamed.flatMap(([name, code]) => {
    const option = account?.options.find((one) => one.name === name)
    const isOpen = option && !option.is_locked
    return isOpen ? [{ option, code: String(listed?.[code]), name: subscription[code] }] : []
  })
  return account && names.length > 0 ? <Keep names={names} account={account} /> : null
}

interface KeepProps {
  names: { option: Option; code: string; name: string }[]
  account: AccountSettings
}

const Keep = ({ names, account }: KeepProps) => {
  const { t } = useFormat()
  const { act, isPending, isSuccess } = useSaveSettings(account, { failed: "settings.notSaved" })
  if (isSuccess) return null
  const options = Object.fromEntries(
    names.map(({ option, name, code }) => [
      option.name,
      { ...(option.value as object | null), [name]: code },
    ])
  )
  const said = names.map(
    ({ option, name, code }) =>
      `${t(`subscriptions.keep.${option.name.split(".")[1] ?? ""}`)} ${code} = ${name}`
  )
  return (
    <Alert variant="info">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {t("subscriptions.keep.text", { names: said.join(", ") })}
        <Action onClick={() => act({ options })} isLoading={isPending}>
          {t("subscriptions.keep.action")}
        </Action>
      </div>
    </Alert>
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
