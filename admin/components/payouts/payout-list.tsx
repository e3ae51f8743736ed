import { useDataTableDateFilters } from "@medusajs/dashboard/hooks"
import {
  Button,
  Container,
  createDataTableColumnHelper,
  Heading,
  Text,
  Tooltip,
} from "@medusajs/ui"
import { useMemo } from "react"
import { Link } from "react-router-dom"

import { datesOf, severalOf } from "../../lib/list-filters"
import { usePayoutListQuery } from "../../lib/payout-list-query"
import { usePayouts } from "../../lib/payout-queries"
import { usePayoutWords } from "../../lib/payout-words"
import payoutTexts from "../../../src/payouts/texts.en.json"
import type { Payout, PayoutSettings } from "../../lib/api"
import { ExportLink } from "../export-link"
import { LinkTo, RowLink } from "../link-to"
import { LastCounted, ListTable, sortedBy } from "../list-table"
import { keepNumbersOut } from "./keep-numbers-out"
import { PayoutLimits } from "./payout-limits"
import { PayoutStateBadge } from "./payout-state"

/** The payouts of this store, below the rest of the limits. */
export const PayoutList = ({ settings }: { settings: PayoutSettings }) => {
  const { t } = usePayoutWords()
  const answer = usePayouts(usePayoutListQuery())
  const { data } = answer
  const columns = useColumns()
  const filters = useFilters(settings)
  return (
    <>
      <PayoutLimits settings={settings} totals={data?.totals ?? []} />
      <Container className="divide-y p-0" onInputCapture={keepNumbersOut}>
        <div className="flex flex-col gap-3 px-6 py-4 sm:flex-row sm:items-center sm:justify-between">
          <div className="max-w-prose">
            <Heading>{t("payout.title")}</Heading>
            <Text size="small" className="text-ui-fg-subtle">
              {t("payout.noStateAfter")}
            </Text>
          </div>
          <div className="flex shrink-0 gap-2">
            <ExportLink />
            {settings.may.create && settings.enabled && (
              <Button size="small" variant="secondary" asChild>
                <Link to="new">{t("payout.new.action")}</Link>
              </Button>
            )}
          </div>
        </div>
        <ListTable
          answer={answer}
          rows={data?.payouts}
          columns={columns}
          filters={filters}
          getRowId={({ id }) => id}
          rowHref={pageOf}
          empty="payout.empty"
          filtered="payout.filtered"
          several={["state", "account"]}
        />
        <LastCounted answer={data} />
      </Container>
    </>
  )
}

const pageOf = ({ id }: { id: string }) => `/payment-service/payouts/${id}`

const column = createDataTableColumnHelper<Payout>()

function useColumns() {
  const { t, rubles, usdt, moment, card } = usePayoutWords()
  return useMemo(
    () => [
      column.accessor("created_at", {
        ...sortedBy(t, "payout.fields.created_at", "time"),
        cell: ({ getValue, row: { original } }) => (
          <RowLink to={pageOf(original)}>{moment(getValue(), "short")}</RowLink>
        ),
      }),
      column.accessor("state", {
        header: t("fields.state"),
        cell: ({ row }) => <PayoutStateBadge payout={row.original} />,
      }),
      column.accessor("amount", {
        ...sortedBy(t, "fields.amount", "sum"),
        align: "right",
        cell: ({ getValue }) => rubles(getValue()),
      }),
      column.accessor("amount_usdt", {
        header: t("payout.fields.debited"),
        align: "right",
        cell: ({ getValue }) => usdt(getValue()),
      }),
      column.accessor("card_masked", {
        header: t("payout.fields.card"),
        cell: ({ row: { original } }) =>
          original.card_label ? (
            <Tooltip content={original.card_label}>
              <span>{card(original)}</span>
            </Tooltip>
          ) : (
            card(original)
          ),
      }),
      column.accessor("made_by", {
        header: t("payout.fields.made_by"),
        cell: ({ getValue }) => <span className="truncate">{getValue().name}</span>,
        maxSize: 200,
      }),
      column.accessor("order_display_id", {
        header: t("fields.order"),
        cell: ({ row: { original } }) => (
          <LinkTo to={original.order_id && `/orders/${original.order_id}`}>
            {original.order_display_id === null ? "–" : `#${original.order_display_id}`}
          </LinkTo>
        ),
      }),
    ],
    [t, rubles, usdt, moment, card]
  )
}

function useFilters({ accounts }: PayoutSettings) {
  const { t, word } = usePayoutWords()
  const dates = useDataTableDateFilters()
  return useMemo(() => {
    const states = Object.keys(payoutTexts.payoutStates).map((value) => ({
      label: word("payout.states", value),
      value,
    }))
    const ids = accounts.map(({ account }) => ({ label: account, value: account }))
    return [
      severalOf("state", t("fields.state"), states),
      ...datesOf(dates, "created_at", t("payout.fields.created_at")),
      ...(ids.length > 1 ? [severalOf("account", t("fields.account"), ids)] : []),
    ]
  }, [t, word, dates, accounts])
}
