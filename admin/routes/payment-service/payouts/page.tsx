import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Alert, Container, Heading, Text, toast } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"

import { CardsPage, Line, Subtle, titled } from "../../../components/cards"
import { ExportButton, ExportForm } from "../../../components/exports/export-form"
import { Action, ActionLink, LinkTo, RowLink } from "../../../components/link-to"
import { ListTable, Search, useFilters, useList, useSearched } from "../../../components/list-table"
import { PayoutStateBadge } from "../../../components/payouts/payout"
import { PayoutGate, YourId } from "../../../components/payouts/payout-gate"
import { datesIn, filtersIn, pageIn } from "../../../lib/address"
import type { PayoutSettings } from "../../../lib/answers"
import { useFormat } from "../../../lib/format"
import { withoutCardNumbers } from "../../../lib/payouts/card-number"
import { ownZone } from "../../../lib/period"
import { post, useConfirm, useReadAgain } from "../../../lib/sdk"

const PayoutsPage = () => (
  <Search mask={withoutCardNumbers}>
    <CardsPage
      zone="payment_service_payout.list"
      main={{
        PaymentServicePayouts: (
          <PayoutGate>{(settings) => <PayoutList settings={settings} />}</PayoutGate>
        ),
      }}
    />
  </Search>
)

/** The list's filters, in the form of the routes, for the list and its export. */
function usePayoutFilters() {
  const [params] = useSearchParams()
  const [q] = useSearched()
  const { from, to } = datesIn(params.get("created_at"))
  const created_at = { ...(from ? { gte: from } : {}), ...(to ? { lt: to } : {}) }
  return {
    ...(q ? { q } : {}),
    ...filtersIn(params, ["state", "account"]),
    ...(from || to ? { created_at } : {}),
  }
}

const PayoutList = ({ settings }: { settings: PayoutSettings }) => {
  const { t, choices, rubles, usdt, moment, card } = useFormat()
  const [params] = useSearchParams()
  const answer = useList("payouts", { ...usePayoutFilters(), ...pageIn(params) })
  const accounts = settings.accounts.map(({ account }) => account)
  const { several, dates } = useFilters()
  return (
    <>
      <PayoutLimits settings={settings} />
      <Container className="divide-y p-0">
        <div className="flex flex-col gap-3 px-6 py-4 sm:flex-row sm:items-center sm:justify-between">
          <div className="max-w-prose">
            <Heading>{t("payout.title")}</Heading>
            <Subtle>{t("payout.noStateAfter")}</Subtle>
          </div>
          <div className="flex shrink-0 gap-2">
            <ExportButton>
              <PayoutExport />
            </ExportButton>
            {settings.may.create && settings.enabled && (
              <ActionLink to="new">{t("payout.new.action")}</ActionLink>
            )}
          </div>
        </div>
        <ListTable
          answer={answer}
          rows={answer.data?.payouts}
          columns={(column) => [
            column(
              "created_at",
              { header: "payout.fields.created_at", sorted: "time" },
              (payout) => (
                <RowLink to={pageOf(payout)}>{moment(payout.created_at, "short")}</RowLink>
              )
            ),
            column("state", "fields.state", (payout) => <PayoutStateBadge payout={payout} />),
            column("amount", { header: "fields.amount", sorted: "sum", align: "right" }, (payout) =>
              rubles(payout.amount)
            ),
            column("amount_usdt", { header: "payout.fields.debited", align: "right" }, (payout) =>
              usdt(payout.amount_usdt)
            ),
            column("card_masked", "payout.fields.card", (payout) => card(payout)),
            column("made_by", { header: "payout.fields.made_by", maxSize: 200 }, (payout) => (
              <span className="truncate">{payout.made_by.name}</span>
            )),
            column(
              "order_display_id",
              "fields.order",
              ({ order_id: id, order_display_id: number }) => (
                <LinkTo to={id && `/orders/${id}`}>{number === null ? "–" : `#${number}`}</LinkTo>
              )
            ),
          ]}
          filters={[
            several("state", "fields.state", choices("payout.states")),
            ...dates("created_at", "payout.fields.created_at"),
            accounts.length > 1 && several("account", "fields.account", accounts),
          ]}
          pageOf={pageOf}
          empty="payout.empty"
          filtered="payout.filtered"
        />
      </Container>
    </>
  )
}

/** Exports the list with its filters; a file has its own order. */
const PayoutExport = () => (
  <ExportForm
    title={useFormat().t("payout.export.title")}
    source="payouts"
    query={{ ...usePayoutFilters(), time_zone: ownZone() }}
    datesOf={({ from, to }) => ({ created_at: { gte: from, lt: to } })}
  />
)

const pageOf = ({ id }: { id: string }) => `/payment-service/payouts/${id}`

const PayoutLimits = ({ settings }: { settings: PayoutSettings }) => {
  const { t, rubles } = useFormat()
  const { per_payout, per_day, used_today, left_today, time_zone } = settings.limits
  // Where payouts are switched off, nobody has to set one for the day.
  const figures = per_day !== null &&
    left_today !== null && {
      today: rubles(used_today),
      left: t("payout.limits.of", { left: rubles(left_today), limit: rubles(per_day) }),
      perPayout: rubles(per_payout),
    }
  return (
    <Container className="flex flex-col gap-y-4 px-6 py-4">
      {figures && (
        <>
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <Heading level="h2">{t("payout.limits.title")}</Heading>
            <Subtle>{t("payout.limits.day", { zone: time_zone })}</Subtle>
          </div>
          <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
            {Object.entries(figures).map(([name, value]) => (
              <div key={name} className="flex flex-col gap-y-1">
                <Line asChild className="text-ui-fg-subtle">
                  <dt>{t(`payout.limits.${name}`)}</dt>
                </Line>
                <Text asChild leading="compact" weight="plus">
                  <dd>{value}</dd>
                </Text>
              </div>
            ))}
          </dl>
        </>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <YourId of={settings.me} />
        <PayoutStop settings={settings} />
      </div>
    </Container>
  )
}

/** Stops all payouts at once, or says who has stopped them and lifts that. */
const PayoutStop = ({ settings: { stopped, may } }: { settings: PayoutSettings }) => {
  const { t, moment, reasonOf } = useFormat()
  const confirm = useConfirm()
  const readAgain = useReadAgain()
  const label = t(`payout.stop.${stopped ? "lift" : "set"}.action`)
  const change = async () => {
    const description = t(`payout.stop.${stopped ? "lift" : "set"}.whatHappens`)
    if (!(await confirm({ label, description, isDangerous: !stopped }))) return
    const failed = (error: unknown) => toast.error(reasonOf(error))
    await post("payouts/stop", { stopped: !stopped }).catch(failed)
    await readAgain()
  }
  const button = may.create && <Action onClick={() => void change()}>{label}</Action>
  if (!stopped) return button
  return (
    <Alert variant="warning" className="w-full">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {t("payout.stop.isSet", { name: stopped.by.name, moment: moment(stopped.at, "short") })}
        {button}
      </div>
    </Alert>
  )
}

export const config = defineRouteConfig({
  label: "menu.payouts",
  translationNs: "paymentService",
  rank: 3,
})

export const handle = titled("payout.title")

export default PayoutsPage
