import { defineRouteConfig } from "@medusajs/admin-sdk"
import { useSearchParams } from "react-router-dom"

import { Ago, CardsPage, titled } from "../../../components/cards"
import { CustomerCell, RowLink } from "../../../components/link-to"
import {
  ListTable,
  Search,
  Truncated,
  useAccountsToChoose,
  useFilters,
  useIsNarrow,
  useList,
  useSearched,
} from "../../../components/list-table"
import { AtStake, KindBadge } from "../../../components/problems/problem-text"
import { codeIn, filtersIn, pageIn } from "../../../lib/address"
import type { Problem } from "../../../lib/answers"
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
  const { t, ago, choices, moment, word, text } = useFormat()
  const [params] = useSearchParams()
  const [q] = useSearched()
  const status = codeIn(params.get("status")) ?? "open"
  const isClosed = status === "closed"
  const query = {
    ...(status === "all" ? {} : { status }),
    ...filtersIn(params, ["kind", "account"]),
    ...(q ? { q } : {}),
    ...pageIn(params, isClosed ? "-closed_at" : "-opened_at"),
  }
  const answer = useList("problems", query)
  const accounts = useAccountsToChoose()
  const { one, several } = useFilters()
  const isNarrow = useIsNarrow()
  // On a phone, all that matters stands in one column, which needs no scrolling sideways.
  const whole = (problem: Problem) => (
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
  )
  return (
    <ListTable
      answer={answer}
      rows={answer.data?.problems}
      columns={(column) =>
        isNarrow
          ? [column("kind", "fields.problem", whole)]
          : [
              column("kind", "fields.problem", (problem) => <KindBadge {...problem} />),
              column(
                "amount",
                { header: "fields.at_stake", sorted: "sum", align: "right" },
                (problem) => <AtStake problem={problem} />
              ),
              // Of closed problems, the list shows how and by whom they were closed, instead of their age.
              isClosed
                ? column("closed_at", { header: "fields.closed_at", sorted: "time" }, (problem) =>
                    moment(problem.closed_at, "short")
                  )
                : column("opened_at", { header: "fields.age", sorted: "time" }, (problem) => (
                    <Ago at={problem.opened_at} />
                  )),
              isClosed &&
                column("resolution", { header: "fields.ended", maxSize: 250 }, (problem) => {
                  const { resolution, closed_by_name: name, note } = problem
                  const ended = [word("resolutions", resolution), name, note]
                    .filter(Boolean)
                    .join(" · ")
                  return (
                    <span className="block truncate first-letter:uppercase" title={ended}>
                      {ended}
                    </span>
                  )
                }),
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
              column(
                "messages",
                { header: "fields.what", maxSize: isClosed ? 220 : 360 },
                (problem) => (
                  <Truncated title={text(problem.messages)}>
                    <RowLink to={pageOf(problem)}>{text(problem.messages)}</RowLink>
                  </Truncated>
                )
              ),
              accounts.length > 0 &&
                column("account", "fields.account", ({ account }) => account ?? "–"),
            ]
      }
      filters={[
        one("status", "fields.state", choices("problems.status")),
        several("kind", "fields.problem", choices("problemKinds")),
        accounts.length > 0 && several("account", "fields.account", accounts),
      ]}
      pageOf={pageOf}
      heading={t("problems.title")}
      subHeading={t("problems.subtitle")}
      empty="problems.empty"
      filtered="problems.filtered"
    />
  )
}

const pageOf = ({ id }: { id: string }) => `/payment-service/problems/${id}`

export const config = defineRouteConfig({
  label: "menu.problems",
  translationNs: "paymentService",
  rank: 2,
})

export const handle = titled("problems.title")

export default ProblemsPage
