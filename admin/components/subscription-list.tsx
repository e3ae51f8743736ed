import { useDataTableDateFilters, useQueryParams } from "@medusajs/dashboard/hooks"
import { Badge, createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"

import { codeIn, datesIn } from "../lib/address-filters"
import { datesOf, oneOf, typed } from "../lib/list-filters"
import { pageAt } from "../lib/lists"
import { useFormat } from "../lib/format"
import type { ListedSubscription, SubscriptionsAnswer } from "../lib/api"
import { useSubscriptions, useSubscriptionWords } from "../lib/subscriptions"
import { AccountSelect } from "./address-select"
import { LinkTo } from "./link-to"
import { ListTable } from "./list-table"

/** The address bar's filters in the form of the route. */
function queryOf({ offset, status, account, created_at }: Record<string, string | undefined>) {
  const [chosenStatus, chosenAccount] = [codeIn(status), codeIn(account)]
  return {
    ...(chosenStatus ? { status: chosenStatus } : {}),
    ...(chosenAccount ? { account: chosenAccount } : {}),
    ...datesIn(created_at),
    ...pageAt(offset),
  }
}

/** The service's recurring payments of a merchant. */
export const SubscriptionList = () => {
  const { t, owner } = useFormat()
  const params = useQueryParams(["offset", "status", "account", "created_at"])
  const answer = useSubscriptions(queryOf(params))
  const { data } = answer
  const columns = useColumns()
  const filters = useFilters(data)
  return (
    <ListTable
      answer={answer}
      rows={data?.subscriptions}
      columns={columns}
      filters={filters}
      getRowId={({ id }) => id}
      rowHref={({ id }) => `/payment-service/subscriptions/${id}`}
      enableSearch={false}
      heading={t("subscriptions.title")}
      subHeading={[
        t("subscriptions.ofService"),
        data && owner(data),
        data && data.unreadable > 0 && t("subscriptions.unreadable", { count: data.unreadable }),
      ]
        .filter(Boolean)
        .join(" · ")}
      filterBarContent={<AccountSelect account={codeIn(params.account)} />}
      empty="subscriptions.empty"
      filtered="subscriptions.filtered"
    />
  )
}

const column = createDataTableColumnHelper<ListedSubscription>()

function useColumns() {
  const { money } = useFormat()
  const { t, none, status, code, interval, dayOrNone, numberOrNone } = useSubscriptionWords()
  return useMemo(
    () => [
      column.accessor("customer_email", {
        header: t("subscriptions.fields.customer"),
        cell: ({ row: { original } }) => (
          <LinkTo to={original.customer_id && `/customers/${original.customer_id}`}>
            {original.customer_email ?? none}
          </LinkTo>
        ),
        maxSize: 260,
      }),
      column.accessor("status", {
        header: t("subscriptions.fields.status"),
        cell: ({ row: { original } }) => (
          <Badge size="2xsmall">
            {original.status_label === null
              ? (original.status ?? none)
              : status(original.status_label)}
          </Badge>
        ),
      }),
      column.accessor("amount", {
        header: t("subscriptions.fields.amount"),
        align: "right",
        cell: ({ row: { original } }) =>
          original.currency === null
            ? (original.amount ?? none)
            : money(original.amount, original.currency),
      }),
      column.accessor("interval_unit", {
        header: t("subscriptions.fields.interval"),
        cell: ({ row: { original } }) =>
          original.interval_unit === null || original.interval_count === null
            ? none
            : interval(
                original.interval_label ?? code(original.interval_unit),
                original.interval_count
              ),
      }),
      column.accessor("next_charge_at", {
        header: t("subscriptions.fields.next_charge_at"),
        cell: ({ getValue }) => dayOrNone(getValue()),
      }),
      column.accessor("last_charge_at", {
        header: t("subscriptions.fields.last_charge_at"),
        cell: ({ getValue }) => dayOrNone(getValue()),
      }),
      column.accessor("charges_count", {
        header: t("subscriptions.fields.charges"),
        align: "right",
        cell: ({ getValue }) => numberOrNone(getValue()),
      }),
      column.accessor("description", {
        header: t("subscriptions.fields.description"),
        // A table that scrolls sideways needs something to focus in each row.
        cell: ({ row: { original } }) => (
          <LinkTo to={`/payment-service/subscriptions/${original.id}`}>
            {original.description || none}
          </LinkTo>
        ),
        maxSize: 250,
      }),
      column.accessor("created_at", {
        header: t("subscriptions.fields.created_at"),
        cell: ({ getValue }) => dayOrNone(getValue()),
      }),
    ],
    [t, none, money, status, code, interval, dayOrNone, numberOrNone]
  )
}

/** A status is chosen by its label if the options have labels, else entered as a code. */
function useFilters(data: SubscriptionsAnswer | undefined) {
  const { t } = useFormat()
  const { status } = useSubscriptionWords()
  const dates = useDataTableDateFilters()
  return useMemo(() => {
    const labels = Object.keys(data?.codes.statusCodes ?? {})
    const statuses = labels.map((label) => ({ label: status(label), value: label }))
    return [
      labels.length
        ? oneOf("status", t("subscriptions.fields.status"), statuses)
        : typed("status", t("subscriptions.statusCode")),
      ...datesOf(dates, "created_at", t("subscriptions.fields.created_at")),
    ]
  }, [t, status, dates, data?.codes])
}
