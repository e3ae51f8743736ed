import { defineRouteConfig } from "@medusajs/admin-sdk"
import { useMemo } from "react"
import { useSearchParams } from "react-router-dom"

import { useAccountFilter, useAccountsToChoose } from "../../../components/accounts"
import { Ago, CardsPage, titled } from "../../../components/cards"
import { CustomerCell, RowLink } from "../../../components/link-to"
import {
  columnsOf,
  ListTable,
  oneOf,
  Search,
  severalOf,
  Truncated,
  useIsNarrow,
  useList,
  useSearched,
} from "../../../components/list-table"
import { AtStake, KindBadge } from "../../../components/problems/problem-text"
import { codeIn, filtersIn, pageIn } from "../../../lib/address"
import type { Problem, ProblemsAnswer } from "../../../lib/answers"
import { useFormat } from "../../../lib/format"

/** Money or orders that a person has to look at. */
const ProblemsPage = () => (
  <Search>
    <CardsPage
      zone="payment_service_problem.list"
      main={{ PaymentServiceProblems: <ProblemsTable /> }}
    />
  </Search>
)

const ProblemsTable = () => {
  const { t } = useFormat()
  const [params] = useSearchParams()
  const [q] = useSearched()
  const status = codeIn(params.get("status")) ?? "open"
  const isClosed = status === "closed"
  const query = {
    ...(status === "all" ? {} : { status }),
    ...filtersIn(params, ["kind", "account"]),
    ...(q ? { q } : {}),
    ...pageIn(params, params.get("order") ?? (isClosed ? "-closed_at" : "-opened_at")),
  }
  const answer = useList<ProblemsAnswer>("problems", query)
  const columns = useColumns(isClosed)
  const filters = useFilters()
  return (
    <ListTable
      answer={answer}
      rows={answer.data?.problems}
      columns={columns}
      filters={filters}
      pageOf={pageOf}
      heading={t("problems.title")}
      subHeading={t("problems.subtitle")}
      empty="problems.empty"
      filtered="problems.filtered"
    />
  )
}

const pageOf = ({ id }: { id: string }) => `/payment-service/problems/${id}`

/** Of closed problems, the list shows how and by whom they were closed, instead of their age. */
function useColumns(isClosed: boolean) {
  const { t, ago, moment, word, text } = useFormat()
  const hasAccounts = useAccountsToChoose().length > 0
  const isNarrow = useIsNarrow()
  return useMemo(() => {
    const column = columnsOf<Problem>(t)
    const closed = [
      column("closed_at", { header: "fields.closed_at", sorted: "time" }, ({ closed_at: at }) =>
        moment(at, "short")
      ),
      column("resolution", { header: "fields.ended", maxSize: 250 }, (problem) => {
        const { resolution, closed_by_name: name, note } = problem
        const ended = [word("resolutions", resolution), name, note].filter(Boolean).join(" · ")
        return (
          <span className="block truncate first-letter:uppercase" title={ended}>
            {ended}
          </span>
        )
      }),
    ]
    const open = [
      column("opened_at", { header: "fields.age", sorted: "time" }, ({ opened_at: at }) => (
        <Ago at={at} />
      )),
    ]
    // On a phone, all that matters stands in one column, which needs no scrolling sideways.
    const whole = column("kind", "fields.problem", (problem) => (
      <div className="flex min-w-0 flex-col items-start gap-y-1 whitespace-normal py-3">
        <KindBadge {...problem} />
        <span className="txt-compact-small-plus text-ui-fg-base">
          <AtStake problem={problem} />
        </span>
        <RowLink to={pageOf(problem)}>{text(problem.messages)}</RowLink>
        <span className="txt-compact-xsmall">
          {problem.closed_at === null
            ? ago(problem.opened_at)
            : `${word("resolutions", problem.resolution)} · ${moment(problem.closed_at, "short")}`}
        </span>
      </div>
    ))
    if (isNarrow) return [whole]
    return [
      column("kind", "fields.problem", (problem) => <KindBadge {...problem} />),
      column("amount", { header: "fields.at_stake", sorted: "sum", align: "right" }, (problem) => (
        <AtStake problem={problem} />
      )),
      ...(isClosed ? closed : open),
      column("order_number", "fields.order", ({ order_number: number }) =>
        number === null ? "–" : `#${number}`
      ),
      column("customer", { header: "fields.customer", maxSize: 130 }, (problem) => (
        <CustomerCell
          id={problem.customer_id}
          email={problem.customer_email}
          name={problem.customer_name}
        />
      )),
      column("messages", { header: "fields.what", maxSize: isClosed ? 220 : 360 }, (problem) => (
        <Truncated title={text(problem.messages)}>
          <RowLink to={pageOf(problem)}>{text(problem.messages)}</RowLink>
        </Truncated>
      )),
      ...(hasAccounts
        ? [column("account", "fields.account", ({ account }) => account ?? "–")]
        : []),
    ]
  }, [t, ago, moment, word, text, isClosed, hasAccounts, isNarrow])
}

function useFilters() {
  const { t, choices } = useFormat()
  const byAccount = useAccountFilter()
  return [
    oneOf("status", t("fields.state"), choices("problems.status")),
    severalOf("kind", t("fields.problem"), choices("problemKinds")),
    ...byAccount,
  ]
}

export const config = defineRouteConfig({
  label: "menu.problems",
  translationNs: "paymentService",
  rank: 2,
})

export const handle = titled("problems.title")

export default ProblemsPage
