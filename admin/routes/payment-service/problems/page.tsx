import { defineRouteConfig } from "@medusajs/admin-sdk"
import {
  Checkbox,
  Container,
  createDataTableColumnHelper,
  createDataTableCommandHelper,
  type DataTableRowSelectionState,
  toast,
} from "@medusajs/ui"
import { useEffect, useMemo, useState } from "react"
import { useSearchParams } from "react-router-dom"

import { useAccountFilter, useAccountsToChoose } from "../../../components/accounts"
import { CardsPage, titled } from "../../../components/cards"
import { useDrawer } from "../../../components/forms"
import { CustomerCell, RowLink } from "../../../components/link-to"
import {
  columnsOf,
  ListTable,
  useList,
  oneOf,
  severalOf,
  Truncated,
  useIsNarrow,
} from "../../../components/list-table"
import { HandleSeveral } from "../../../components/problems/handle-several"
import { useProblemAction } from "../../../components/problems/problem-action-form"
import { AtStake, KindBadge } from "../../../components/problems/problem-text"
import { Search, useSearched } from "../../../components/search"
import { codeIn, filtersIn, pageIn } from "../../../lib/address"
import type { Problem, ProblemAction, ProblemsAnswer } from "../../../lib/answers"
import { useConfirm } from "../../../lib/actions"
import { useFormat } from "../../../lib/format"
import { useMay } from "../../../lib/permissions"

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
  const { t, reasonOf } = useFormat()
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
  const { data } = answer
  const [selected, setSelected] = useState<DataTableRowSelectionState>({})
  const mayAct = useMay("update")
  const columns = useColumns(isClosed)
  const filters = useFilters()
  const retry = useProblemAction()
  const confirm = useConfirm()
  // Rows that are no longer shown must not be acted on.
  const shown = JSON.stringify(query)
  useEffect(() => setSelected({}), [shown])
  const chosen = (data?.problems ?? []).filter((one) => selected[one.id] && one.closed_at === null)
  // Others have no such action, and are left out.
  const chosenFor = (action: ProblemAction) =>
    chosen.filter(({ actions }) => actions.includes(action))
  const toRetry = chosenFor("retry")
  const retryAll = async () => {
    const leftOut = chosen.length - toRetry.length
    const isMeant = await confirm({
      label: t("actions.retry.label"),
      description: [
        t("actions.retry.whatHappens"),
        ...(leftOut ? [t("problems.leftOut", { count: leftOut })] : []),
      ].join(" "),
    })
    if (!isMeant) return
    const answers = await Promise.allSettled(
      toRetry.map((problem) => retry.actAsync({ problem, action: "retry" }))
    )
    setSelected({})
    const done = answers.flatMap((one) => (one.status === "fulfilled" ? one.value : []))
    const closed = done.filter(({ problem }) => problem.closed_at !== null).length
    const left = done.reduce((sum, { retried }) => sum + (retried?.left ?? 0), 0)
    const result = [
      t("problems.retried", { count: answers.length, closed }),
      ...(left > 0 ? [t("actions.retry.left", { count: left })] : []),
    ].join(". ")
    const refused = answers.find((one) => one.status === "rejected")
    if (refused) toast.error(result, { description: reasonOf(refused.reason) })
    else toast.info(result)
  }
  const { open, drawer } = useDrawer<Problem[]>((several, close) => (
    <HandleSeveral selected={several} close={close} />
  ))
  const handleAll = () => open(chosen)
  const { command } = createDataTableCommandHelper()
  return (
    <Container className="divide-y p-0">
      <ListTable
        answer={answer}
        rows={data?.problems}
        columns={columns}
        filters={filters}
        pageOf={pageOf}
        heading={t("problems.title")}
        subHeading={t("problems.subtitle")}
        rowSelection={{
          state: Object.fromEntries(chosen.map(({ id }) => [id, true])),
          onRowSelectionChange: setSelected,
          enableRowSelection: ({ original }) => mayAct && original.closed_at === null,
        }}
        commands={[
          // Medusa's bar reacts to the letter together with Ctrl, too, so `r` would react to Ctrl+R, which reloads the page.
          ...(mayAct && toRetry.length > 0
            ? [command({ label: t("actions.retry.label"), shortcut: "t", action: retryAll })]
            : []),
          ...(mayAct && chosenFor("handle").length > 0
            ? [command({ label: t("actions.handle.label"), shortcut: "m", action: handleAll })]
            : []),
        ]}
        empty="problems.empty"
        filtered="problems.filtered"
      />
      {drawer}
    </Container>
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
        <time dateTime={at} title={moment(at)}>
          {ago(at)}
        </time>
      )),
    ]
    const select = createDataTableColumnHelper<Problem>().select({
      header: ({ table }) => (
        <Checkbox
          aria-label={t("problems.selectAll")}
          checked={
            table.getIsSomePageRowsSelected() ? "indeterminate" : table.getIsAllPageRowsSelected()
          }
          disabled={!table.getRowModel().rows.some((row) => row.getCanSelect())}
          onCheckedChange={(isChecked) => table.toggleAllPageRowsSelected(isChecked === true)}
        />
      ),
      cell: ({ row }) => (
        <Checkbox
          aria-label={t("problems.select", { problem: word("problemKinds", row.original.kind) })}
          checked={row.getIsSelected()}
          disabled={!row.getCanSelect()}
          // The click would open the row as well.
          onClick={(event) => event.stopPropagation()}
          onCheckedChange={(isChecked) => row.toggleSelected(isChecked === true)}
        />
      ),
    })
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
    if (isNarrow) return [select, whole]
    return [
      select,
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
      column(
        "messages",
        { header: "fields.what", maxSize: isClosed ? 220 : 360 },
        ({ id, messages }) => (
          <Truncated title={text(messages)}>
            <RowLink to={pageOf({ id })}>{text(messages)}</RowLink>
          </Truncated>
        )
      ),
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
