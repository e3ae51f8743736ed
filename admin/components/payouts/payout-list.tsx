import { Container, Heading, Tooltip } from "@medusajs/ui"
import { useMemo } from "react"
import { useSearchParams } from "react-router-dom"

import { datesIn, filtersIn, pageIn } from "../../lib/address"
import type { Payout, PayoutsAnswer, PayoutSettings } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { ownZone } from "../../lib/period"
import { Subtle } from "../cards"
import { ExportButton, ExportForm } from "../exports/export-form"
import { ActionLink, LinkTo, RowLink } from "../link-to"
import { asChoices, columnsOf, ListTable, useList, severalOf, useDateFilter } from "../list-table"
import { useSearched } from "../search"
import { PayoutStateBadge } from "./payout"
import { PayoutLimits } from "./payout-limits"

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

/** The payouts of this store, below the rest of the limits. */
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
