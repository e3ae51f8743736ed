import { Alert, Container, Heading, Text, toast, Tooltip } from "@medusajs/ui"
import { useMemo } from "react"
import { useSearchParams } from "react-router-dom"

import { datesIn, filtersIn, pageIn } from "../../lib/address"
import type { Payout, PayoutsAnswer, PayoutSettings } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { ownZone } from "../../lib/period"
import { post, useConfirm, useReadAgain } from "../../lib/sdk"
import { Line, Subtle } from "../cards"
import { ExportButton, ExportForm } from "../exports/export-form"
import { Action, ActionLink, LinkTo, RowLink } from "../link-to"
import {
  asChoices,
  columnsOf,
  ListTable,
  severalOf,
  useDateFilter,
  useList,
  useSearched,
} from "../list-table"
import { PayoutStateBadge } from "./payout"
import { YourId } from "./payout-gate"

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

export const PayoutList = ({ settings }: { settings: PayoutSettings }) => {
  const { t } = useFormat()
  const [params] = useSearchParams()
  const query = { ...usePayoutFilters(), ...pageIn(params) }
  const answer = useList<PayoutsAnswer>("payouts", query)
  const { data } = answer
  const columns = useColumns()
  const filters = useFilters(settings)
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
          rows={data?.payouts}
          columns={columns}
          filters={filters}
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

function useColumns() {
  const { t, rubles, usdt, moment, card } = useFormat()
  return useMemo(() => {
    const column = columnsOf<Payout>(t)
    return [
      column("created_at", { header: "payout.fields.created_at", sorted: "time" }, (payout) => (
        <RowLink to={pageOf(payout)}>{moment(payout.created_at, "short")}</RowLink>
      )),
      column("state", "fields.state", (payout) => <PayoutStateBadge payout={payout} />),
      column("amount", { header: "fields.amount", sorted: "sum", align: "right" }, ({ amount }) =>
        rubles(amount)
      ),
      column("amount_usdt", { header: "payout.fields.debited", align: "right" }, (payout) =>
        usdt(payout.amount_usdt)
      ),
      column("card_masked", "payout.fields.card", (payout) =>
        payout.card_label ? (
          <Tooltip content={payout.card_label}>
            <span>{card(payout)}</span>
          </Tooltip>
        ) : (
          card(payout)
        )
      ),
      column("made_by", { header: "payout.fields.made_by", maxSize: 200 }, ({ made_by: by }) => (
        <span className="truncate">{by.name}</span>
      )),
      column("order_display_id", "fields.order", ({ order_id: id, order_display_id: number }) => (
        <LinkTo to={id && `/orders/${id}`}>{number === null ? "–" : `#${number}`}</LinkTo>
      )),
    ]
  }, [t, rubles, usdt, moment, card])
}

function useFilters({ accounts }: PayoutSettings) {
  const { t, choices } = useFormat()
  const byDate = useDateFilter()
  const ids = asChoices(accounts.map(({ account }) => account))
  return [
    severalOf("state", t("fields.state"), choices("payout.states")),
    ...byDate("created_at", t("payout.fields.created_at")),
    ...(ids.length > 1 ? [severalOf("account", t("fields.account"), ids)] : []),
  ]
}

const PayoutLimits = ({ settings }: { settings: PayoutSettings }) => {
  const { t, rubles } = useFormat()
  const { limits } = settings
  const { left_today: left, per_day: limit } = limits
  const figures = {
    today: rubles(limits.used_today),
    left:
      left === null || limit === null
        ? t("payout.limits.none")
        : t("payout.limits.of", { left: rubles(left), limit: rubles(limit) }),
    perPayout: rubles(limits.per_payout),
  }
  return (
    <Container className="flex flex-col gap-y-4 px-6 py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <Heading level="h2">{t("payout.limits.title")}</Heading>
        {limit !== null && <Subtle>{t("payout.limits.day", { zone: limits.time_zone })}</Subtle>}
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
