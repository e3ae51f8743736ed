import { defineRouteConfig } from "@medusajs/admin-sdk"
import { toast } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"

import { CardsPage, titled } from "../../../components/cards"
import {
  COMPARING_EVERY_MS,
  ComparisonBadge,
} from "../../../components/comparison/comparison-badge"
import { Action, RowLink } from "../../../components/link-to"
import { ListTable, Truncated, useAccountsToChoose, useList } from "../../../components/list-table"
import { pageIn } from "../../../lib/address"
import type { CompareAnswer, Comparison } from "../../../lib/answers"
import { post, useAction, useMay } from "../../../lib/sdk"
import { useFormat } from "../../../lib/format"

/** Comparisons of 90 days with the service's own records, and a button to begin one now. */
const ComparisonPage = () => {
  const { t, moment, days, number, text } = useFormat()
  const [params] = useSearchParams()
  const answer = useList("comparisons", pageIn(params), {
    refetchInterval: ({ state }) => (state.data?.running ? COMPARING_EVERY_MS : false),
  })
  const { data } = answer
  const isRunning = data?.running ?? false
  const compare = useAction({
    run: () => post<CompareAnswer>("comparisons"),
    done: ({ begun }) =>
      toast.success(t("comparison.begun"), {
        description: t("comparison.begunOf", { count: begun.length }),
      }),
    failed: "comparison.notBegun",
    readAgain: ["comparisons"],
  })
  const mayCompare = useMay("update")
  // Comparisons of several merchants are to be told apart.
  const hasMerchants = useAccountsToChoose().length > 0
  const list = (
    <ListTable
      answer={answer}
      rows={data?.comparisons}
      columns={(column) => [
        column("started_at", "comparison.fields.started_at", (one) => (
          <RowLink to={pageOf(one)}>{moment(one.started_at, "short")}</RowLink>
        )),
        column("state", "comparison.fields.state", (one) => <ComparisonBadge {...one} />),
        column("span", "comparison.fields.span", ({ from, to }) => days(from, to)),
        ...COUNTS.map((name) =>
          column(name, { header: `comparison.fields.${name}`, align: "right" }, (one) =>
            number(one.finished_at === null ? null : one[name])
          )
        ),
        column("error_messages", "comparison.fields.error", ({ error_messages: why }) =>
          why ? <span className="block w-[220px] whitespace-normal py-2">{text(why)}</span> : "–"
        ),
        hasMerchants &&
          column("merchant_id", { header: "fields.merchant", maxSize: 160 }, (one) => (
            <>
              <Truncated>{one.merchant_id}</Truncated>
              <Truncated className="txt-compact-xsmall block truncate">{one.base_url}</Truncated>
            </>
          )),
      ]}
      pageOf={pageOf}
      isSearched={false}
      heading={t("comparison.title")}
      subHeading={t("comparison.subtitle")}
      action={
        mayCompare && (
          <Action onClick={() => compare.act()} disabled={isRunning || compare.isPending}>
            {t(isRunning ? "comparison.running" : "comparison.now")}
          </Action>
        )
      }
      empty="comparison.empty"
    />
  )
  return (
    <CardsPage zone="payment_service_comparison.list" main={{ PaymentServiceComparisons: list }} />
  )
}

const pageOf = ({ id }: Comparison) => `/payment-service/comparison/${id}`

const COUNTS = ["records", "matched", "differences", "settled", "problems"] as const

export const config = defineRouteConfig({
  label: "comparison.title",
  translationNs: "paymentService",
  rank: 5,
})

export const handle = titled("comparison.title")

export default ComparisonPage
