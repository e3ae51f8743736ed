import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Badge } from "@medusajs/ui"
import { useMemo } from "react"
import { useSearchParams } from "react-router-dom"

import { AccountSelect, useAccountsToChoose } from "../../../components/accounts"
import { CardsPage, titled } from "../../../components/cards"
import { CustomerCell, LinkTo } from "../../../components/link-to"
import { columnsOf, ListTable, useList, oneOf, useDateFilter } from "../../../components/list-table"
import { useFormat } from "../../../lib/format"
import { codeIn, datesIn, pageIn } from "../../../lib/address"
import type { ListedSubscription, SubscriptionsAnswer } from "../../../lib/answers"

/** The recurring payments of a merchant. */
const SubscriptionsPage = () => {
  const { t, owner } = useFormat()
  const [params] = useSearchParams()
  const [status, account] = [codeIn(params.get("status")), codeIn(params.get("account"))]
  const query = {
    ...(status ? { status } : {}),
    ...(account ? { account } : {}),
    ...datesIn(params.get("created_at")),
    ...pageIn(params, null),
  }
  // The service's refusal is told at once.
  const answer = useList<SubscriptionsAnswer>("subscriptions", query, { retry: false })
  const { data } = answer
  const accounts = useAccountsToChoose()
  const columns = useColumns(data?.subscriptions)
  const filters = useFilters(data)
  const count = data?.unreadable ?? 0
  const unreadable = count > 0 && t("subscriptions.unreadable", { count })
  const about = [t("subscriptions.ofService"), data && owner(data), unreadable]
  const list = (
    <ListTable
      answer={answer}
      rows={data?.subscriptions}
      columns={columns}
      filters={filters}
      pageOf={({ id }) => `/payment-service/subscriptions/${id}`}
      isSearched={false}
      heading={t("subscriptions.title")}
      subHeading={about.filter(Boolean).join(" · ")}
      controls={accounts.length > 0 && <AccountSelect account={account} />}
      empty="subscriptions.empty"
      filtered="subscriptions.filtered"
    />
  )
  const main = { PaymentServiceSubscriptions: list }
  return <CardsPage zone="payment_service_subscription.list" main={main} />
}

/** Statuses and intervals are codes in the list of the service; a column of codes that no option names says nothing. */
function useColumns(listed: ListedSubscription[] = []) {
  const { t, money, word, interval, day, number } = useFormat()
  const hasStatuses = listed.some(({ status_label }) => status_label !== null)
  const hasIntervals = listed.some(({ interval_label }) => interval_label !== null)
  return useMemo(() => {
    const column = columnsOf<ListedSubscription>(t)
    const named = (name: string) => `subscriptions.fields.${name}`
    return [
      column("customer_email", { header: named("customer"), maxSize: 260 }, (one) => (
        <CustomerCell id={one.customer_id} email={one.customer_email} />
      )),
      hasStatuses &&
        column("status", named("status"), ({ status_label: label }) => {
          const status = word("subscriptions.statuses", label)
          return label === null ? status : <Badge size="2xsmall">{status}</Badge>
        }),
      column("amount", { header: named("amount"), align: "right" }, ({ amount, currency }) =>
        currency === null ? (amount ?? "–") : money(amount, currency)
      ),
      hasIntervals &&
        column("interval_unit", named("interval"), (one) => {
          const { interval_count: count, interval_label: label } = one
          return label === null || count === null ? "–" : interval(label, count)
        }),
      column("next_charge_at", named("next_charge_at"), (one) => day(one.next_charge_at)),
      column("last_charge_at", named("last_charge_at"), (one) => day(one.last_charge_at)),
      column("charges_count", { header: named("charges"), align: "right" }, (one) =>
        number(one.charges_count)
      ),
      // A table that scrolls sideways needs something to focus in each row.
      column("description", { header: named("description"), maxSize: 250 }, (one) => (
        <LinkTo to={`/payment-service/subscriptions/${one.id}`}>{one.description || "–"}</LinkTo>
      )),
      column("created_at", named("created_at"), ({ created_at: at }) => day(at)),
    ].filter((one) => one !== false)
  }, [t, hasStatuses, hasIntervals, money, word, interval, day, number])
}

/** A status is chosen by its label in the options. */
function useFilters(data: SubscriptionsAnswer | undefined) {
  const { t, word } = useFormat()
  const byDate = useDateFilter()
  const labels = Object.keys(data?.codes.statusCodes ?? {})
  const statuses = labels.map((value) => ({ label: word("subscriptions.statuses", value), value }))
  return [
    ...(labels.length ? [oneOf("status", t("subscriptions.fields.status"), statuses)] : []),
    ...byDate("created_at", t("subscriptions.fields.created_at")),
  ]
}

export const config = defineRouteConfig({
  label: "menu.subscriptions",
  translationNs: "paymentService",
  rank: 4,
})

export const handle = titled("subscriptions.title")

export default SubscriptionsPage
