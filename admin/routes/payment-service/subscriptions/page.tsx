import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Badge } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"

import { CardsPage, titled } from "../../../components/cards"
import { CustomerCell, LinkTo } from "../../../components/link-to"
import {
  AccountSelect,
  ListTable,
  useAccountsToChoose,
  useFilters,
  useList,
} from "../../../components/list-table"
import { codeIn, datesIn, filtersIn, pageIn } from "../../../lib/address"
import { useFormat } from "../../../lib/format"

/** The recurring payments of a merchant. */
const SubscriptionsPage = () => {
  const { t, day, interval, money, number, owner, word } = useFormat()
  const [params] = useSearchParams()
  const query = {
    ...filtersIn(params, ["status", "account"]),
    ...datesIn(params.get("created_at")),
    ...pageIn(params),
  }
  // The service's refusal is told at once.
  const answer = useList("subscriptions", query, { retry: false })
  const { data } = answer
  const listed = data?.subscriptions ?? []
  // Statuses and intervals are codes in the list of the service; a column of codes that no option names says nothing.
  const hasStatuses = listed.some(({ status_label }) => status_label !== null)
  const hasIntervals = listed.some(({ interval_label }) => interval_label !== null)
  const accounts = useAccountsToChoose()
  const { one, dates } = useFilters()
  // A status is chosen by its label in the options.
  const labels = Object.keys(data?.codes.statusCodes ?? {})
  const statuses = labels.map((value) => ({ label: word("subscriptions.statuses", value), value }))
  const count = data?.unreadable ?? 0
  const unreadable = count > 0 && t("subscriptions.unreadable", { count })
  const about = [t("subscriptions.ofService"), data && owner(data), unreadable]
  const named = (name: string) => `subscriptions.fields.${name}`
  const list = (
    <ListTable
      answer={answer}
      rows={data?.subscriptions}
      columns={(column) => [
        column("customer_email", { header: "fields.customer", maxSize: 260 }, (row) => (
          <CustomerCell id={row.customer_id} email={row.customer_email} />
        )),
        hasStatuses &&
          column("status", named("status"), ({ status_label: label }) => {
            const status = word("subscriptions.statuses", label)
            return label === null ? status : <Badge size="2xsmall">{status}</Badge>
          }),
        column("amount", { header: "fields.amount", align: "right" }, ({ amount, currency }) =>
          currency === null ? (amount ?? "–") : money(amount, currency)
        ),
        hasIntervals &&
          column("interval_unit", named("interval"), (row) => {
            const { interval_count: times, interval_label: label } = row
            return label === null || times === null ? "–" : interval(label, times)
          }),
        column("next_charge_at", named("next_charge_at"), (row) => day(row.next_charge_at)),
        column("last_charge_at", named("last_charge_at"), (row) => day(row.last_charge_at)),
        column("charges_count", { header: named("charges"), align: "right" }, (row) =>
          number(row.charges_count)
        ),
        // A table that scrolls sideways needs something to focus in each row.
        column("description", { header: "fields.description", maxSize: 250 }, (row) => (
          <LinkTo to={pageOf(row)}>{row.description || "–"}</LinkTo>
        )),
        column("created_at", named("created_at"), ({ created_at: at }) => day(at)),
      ]}
      filters={[
        labels.length > 0 && one("status", named("status"), statuses),
        ...dates("created_at", named("created_at")),
      ]}
      pageOf={pageOf}
      isSearched={false}
      heading={t("subscriptions.title")}
      subHeading={about.filter(Boolean).join(" · ")}
      controls={accounts.length > 0 && <AccountSelect account={codeIn(params.get("account"))} />}
      empty="subscriptions.empty"
      filtered="subscriptions.filtered"
    />
  )
  const main = { PaymentServiceSubscriptions: list }
  return <CardsPage zone="payment_service_subscription.list" main={main} />
}

const pageOf = ({ id }: { id: string }) => `/payment-service/subscriptions/${id}`

export const config = defineRouteConfig({
  label: "menu.subscriptions",
  translationNs: "paymentService",
  rank: 4,
})

export const handle = titled("subscriptions.title")

export default SubscriptionsPage
