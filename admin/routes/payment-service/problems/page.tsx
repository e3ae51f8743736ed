import { defineRouteConfig } from "@medusajs/admin-sdk"
import { useQueryParams } from "@medusajs/dashboard/hooks"
import {
  Checkbox,
  Container,
  createDataTableColumnHelper,
  createDataTableCommandHelper,
  type DataTableRowSelectionState,
  StatusBadge,
  toast,
  usePrompt,
} from "@medusajs/ui"
import { useEffect, useMemo, useState } from "react"
import { useNavigate, useSearchParams } from "react-router-dom"

import { CardsPage } from "../../../components/cards"
import { AtStake } from "../../../components/at-stake"
import { RowLink } from "../../../components/link-to"
import { LastCounted, ListTable, sortedBy } from "../../../components/list-table"
import type { Problem, ProblemAction } from "../../../lib/api"
import { useFormat } from "../../../lib/format"
import { oneOf, severalOf, useAccountFilter } from "../../../lib/list-filters"
import { useAccountsToChoose } from "../../../lib/overview-queries"
import { codeIn, codesIn } from "../../../lib/address-filters"
import { pageAt } from "../../../lib/lists"
import { useMay } from "../../../lib/permissions"
import { PROBLEM_KINDS } from "../../../lib/problem-kinds"
import { useProblemAction, useProblems } from "../../../lib/queries"
import { useErrorWords } from "../../../lib/refusal"

/** Money or orders that a person has to look at. */
const ProblemsPage = () => (
  <CardsPage
    zone="payment_service_problem.list"
    main={{
      PaymentServiceProblems: <ProblemsTable />,
    }}
  />
)

const ProblemsTable = () => {
  const { t } = useFormat()
  const { status, kind, account, q, order, offset } = useQueryParams([
    "status",
    "kind",
    "account",
    "q",
    "order",
    "offset",
  ])
  const shown = codeIn(status) ?? "open"
  const isClosed = shown === "closed"
  const [kinds, accounts] = [codesIn(kind), codesIn(account)]
  const query = {
    ...(shown === "all" ? {} : { status: shown }),
    ...(kinds ? { kind: kinds } : {}),
    ...(accounts ? { account: accounts } : {}),
    ...(q ? { q } : {}),
    order: order ?? (isClosed ? "-closed_at" : "-opened_at"),
    ...pageAt(offset),
  }
  const answer = useProblems(query)
  const { data } = answer
  const [selected, setSelected] = useState<DataTableRowSelectionState>({})
  const mayAct = useMay("update")
  const columns = useColumns(isClosed)
  const filters = useFilters()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const retry = useProblemAction()
  const prompt = usePrompt()
  const words = useErrorWords()
  // Rows that are no longer shown must not be acted on.
  useEffect(() => setSelected({}), [status, kind, account, q, order, offset])
  const chosen = (data?.problems ?? []).filter((one) => selected[one.id] && one.closed_at === null)
  // Others have no such action, and are left out.
  const chosenFor = (action: ProblemAction) =>
    chosen.filter(({ actions }) => actions.includes(action))
  const [toRetry, toHandle] = [chosenFor("retry"), chosenFor("handle")]
  const retryAll = async () => {
    const leftOut = chosen.length - toRetry.length
    const confirmed = await prompt({
      title: t("actions.retry.label"),
      description: [
        t("actions.retry.whatHappens"),
        ...(leftOut ? [t("problems.leftOut", { count: leftOut })] : []),
      ].join(" "),
      confirmText: t("actions.retry.label"),
      cancelText: t("actions.cancel"),
      variant: "confirmation",
    })
    if (!confirmed) return
    const answers = await Promise.allSettled(
      toRetry.map(({ id }) => retry.mutateAsync({ id, action: "retry" }))
    )
    const isOver = (one: (typeof answers)[number]) =>
      one.status === "fulfilled" && one.value.problem.closed_at !== null
    const refused = answers.find((one) => one.status === "rejected")
    setSelected({})
    const left = answers.reduce(
      (sum, one) => sum + (one.status === "fulfilled" ? (one.value.retried?.left ?? 0) : 0),
      0
    )
    const result = [
      t("problems.retried", {
        count: answers.length,
        closed: answers.filter(isOver).length,
      }),
      ...(left > 0 ? [t("actions.retry.left", { count: left })] : []),
    ].join(". ")
    if (refused) toast.error(result, { description: words(refused.reason) })
    else toast.info(result)
  }
  const handleAll = async () => {
    const ids = chosen.map(({ id }) => id).join(",")
    const search = new URLSearchParams([...params, ["ids", ids]]).toString()
    // Medusa's modal returns to the list as it was.
    await navigate({ pathname: "handle", search }, { state: { restore_params: params.toString() } })
  }
  const command = createDataTableCommandHelper()
  return (
    <Container className="divide-y p-0">
      <ListTable
        answer={answer}
        rows={data?.problems}
        columns={columns}
        filters={filters}
        getRowId={({ id }) => id}
        rowHref={pageOf}
        heading={t("problems.title")}
        subHeading={t("problems.subtitle")}
        rowSelection={{
          state: Object.fromEntries(chosen.map(({ id }) => [id, true])),
          onRowSelectionChange: setSelected,
          enableRowSelection: ({ original }) => mayAct && original.closed_at === null,
        }}
        commands={[
          ...(mayAct && toRetry.length > 0
            ? [
                command.command({
                  label: t("actions.retry.label"),
                  // Medusa's bar reacts to the letter together with Ctrl, too, so `r` would react to Ctrl+R, which reloads the
                  // page.
                  shortcut: "t",
                  action: retryAll,
                }),
              ]
            : []),
          ...(mayAct && toHandle.length > 0
            ? [
                command.command({
                  label: t("actions.handle.label"),
                  shortcut: "m",
                  action: handleAll,
                }),
              ]
            : []),
        ]}
        empty="problems.empty"
        filtered="problems.filtered"
        several={["kind", "account"]}
      />
      <LastCounted answer={data} />
    </Container>
  )
}

const pageOf = ({ id }: { id: string }) => `/payment-service/problems/${id}`

const column = createDataTableColumnHelper<Problem>()

/** Of closed problems, the list shows how and by whom they were closed, instead of their age. */
function useColumns(isClosed: boolean) {
  const { t, ago, moment, word, text } = useFormat()
  const hasAccounts = useAccountsToChoose().length > 0
  return useMemo(
    () => [
      column.select({
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
      }),
      column.accessor("kind", {
        header: t("fields.problem"),
        cell: ({ row: { original } }) => (
          <StatusBadge color={original.closed_at === null ? "red" : "grey"}>
            {word("problemKinds", original.kind)}
          </StatusBadge>
        ),
      }),
      // The short ones come first: a phone shows them without scrolling.
      column.accessor("amount", {
        ...sortedBy(t, "fields.at_stake", "sum"),
        align: "right",
        cell: ({ row: { original } }) => <AtStake problem={original} />,
      }),
      ...(isClosed
        ? [
            column.accessor("closed_at", {
              ...sortedBy(t, "fields.closed_at", "time"),
              cell: ({ getValue }) => moment(getValue(), "short"),
            }),
            column.accessor("resolution", {
              header: t("fields.ended"),
              cell: ({ row: { original } }) => {
                const { resolution, closed_by_name: name, note } = original
                const ended = [word("resolutions", resolution), name, note].filter(Boolean)
                return (
                  <span className="block truncate first-letter:uppercase" title={ended.join(" · ")}>
                    {ended.join(" · ")}
                  </span>
                )
              },
              maxSize: 250,
            }),
          ]
        : [
            column.accessor("opened_at", {
              ...sortedBy(t, "fields.age", "time"),
              cell: ({ getValue }) => (
                <time dateTime={getValue()} title={moment(getValue())}>
                  {ago(getValue())}
                </time>
              ),
            }),
          ]),
      column.accessor("order_number", {
        header: t("fields.order"),
        cell: ({ getValue }) => (getValue() === null ? "–" : `#${getValue()}`),
      }),
      column.accessor("messages", {
        header: t("fields.what"),
        cell: ({ getValue, row }) => (
          <span className="block truncate" title={text(getValue())}>
            <RowLink to={pageOf(row.original)}>{text(getValue())}</RowLink>
          </span>
        ),
        maxSize: isClosed ? 220 : 360,
      }),
      ...(hasAccounts
        ? [
            column.accessor("account", {
              header: t("fields.account"),
              cell: ({ getValue }) => getValue() ?? "–",
            }),
          ]
        : []),
    ],
    [t, ago, moment, word, text, isClosed, hasAccounts]
  )
}

function useFilters() {
  const { t, word } = useFormat()
  const byAccount = useAccountFilter()
  return useMemo(() => {
    const statuses = ["open", "closed", "all"].map((value) => ({
      label: t(`problems.status.${value}`),
      value,
    }))
    const kinds = PROBLEM_KINDS.map((value) => ({ label: word("problemKinds", value), value }))
    return [
      oneOf("status", t("fields.state"), statuses),
      severalOf("kind", t("fields.problem"), kinds),
      ...byAccount,
    ]
  }, [t, word, byAccount])
}

export const config = defineRouteConfig({
  label: "menu.problems",
  translationNs: "paymentService",
  rank: 2,
})

export const handle = { breadcrumb: () => <ProblemsBreadcrumb /> }

const ProblemsBreadcrumb = () => <>{useFormat().t("problems.title")}</>

export default ProblemsPage
