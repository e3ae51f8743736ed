import { useQueryParams } from "@medusajs/dashboard/hooks"
import { ArrowPath } from "@medusajs/icons"
import { createDataTableColumnHelper, toast, Tooltip } from "@medusajs/ui"
import { useMemo } from "react"

import { useFormat } from "../../lib/format"
import { LATEST_PROBLEMS, pageAt } from "../../lib/lists"
import type { Comparison } from "../../lib/api"
import { useAccountsToChoose, useCompareNow, useComparisons } from "../../lib/overview-queries"
import { useMay } from "../../lib/permissions"
import { useErrorWords } from "../../lib/refusal"
import { LinkTo } from "../link-to"
import { ListTable } from "../list-table"
import { ComparisonBadge } from "./state"

/** Comparisons of 90 days, and a button to begin one now. */
export const Comparisons = () => {
  const { t } = useFormat()
  const words = useErrorWords()
  const { offset } = useQueryParams(["offset"])
  const answer = useComparisons(pageAt(offset))
  const { data } = answer
  const compare = useCompareNow()
  const mayCompare = useMay("update")
  const accounts = useAccountsToChoose()
  const columns = useColumns(accounts.length > 0)
  const isRunning = data?.running ?? false
  const compareNow = (of: { account?: string }) => {
    compare.mutate(of, {
      onSuccess: ({ begun }) =>
        toast.success(t("comparison.begun"), {
          description: t("comparison.begunOf", { count: begun.length }),
        }),
      onError: (error) => toast.error(t("comparison.notBegun"), { description: words(error) }),
    })
  }
  return (
    <ListTable
      answer={answer}
      rows={data?.comparisons}
      columns={columns}
      getRowId={({ id }) => id}
      enableSearch={false}
      heading={t("comparison.title")}
      subHeading={t("comparison.subtitle")}
      actions={
        mayCompare
          ? [
              {
                label: isRunning ? t("comparison.running") : t("comparison.now"),
                onClick: () => compareNow({}),
                disabled: isRunning || compare.isPending,
              },
            ]
          : []
      }
      actionMenu={
        mayCompare && accounts.length
          ? {
              groups: [
                {
                  actions: accounts.map((account) => ({
                    icon: <ArrowPath />,
                    label: t("comparison.nowOf", { account }),
                    onClick: () => compareNow({ account }),
                    disabled: isRunning || compare.isPending,
                  })),
                },
              ],
            }
          : undefined
      }
      empty="comparison.empty"
    />
  )
}

const column = createDataTableColumnHelper<Comparison>()

/** @param hasMerchants whether comparisons of several merchants are to be told apart */
function useColumns(hasMerchants: boolean) {
  const { t, moment, days, number, text } = useFormat()
  return useMemo(() => {
    const count = (name: "records" | "matched" | "differences" | "settled" | "problems") =>
      column.accessor(name, {
        header: t(`comparison.fields.${name}`),
        align: "right",
        cell: ({ row: { original } }) => {
          const value = original[name]
          if (original.finished_at === null || value === null) return "–"
          const isLink = name === "problems" && value > 0
          return <LinkTo to={isLink ? LATEST_PROBLEMS : null}>{number(value)}</LinkTo>
        },
      })
    return [
      column.accessor("started_at", {
        header: t("comparison.fields.started_at"),
        cell: ({ getValue }) => moment(getValue(), "short"),
      }),
      column.accessor("state", {
        header: t("comparison.fields.state"),
        cell: ({ getValue }) => <ComparisonBadge state={getValue()} />,
      }),
      column.display({
        id: "span",
        header: t("comparison.fields.span"),
        cell: ({ row: { original } }) => days(original.from, original.to),
      }),
      ...(["records", "matched", "differences", "settled", "problems"] as const).map(count),
      column.accessor("error_messages", {
        header: t("comparison.fields.error"),
        cell: ({ getValue }) => {
          const messages = getValue()
          if (messages === null) return "–"
          return (
            <Tooltip content={text(messages)}>
              <span className="truncate">{text(messages)}</span>
            </Tooltip>
          )
        },
        maxSize: 220,
      }),
      ...(hasMerchants
        ? [
            column.accessor("merchant_id", {
              header: t("fields.merchant"),
              cell: ({ row: { original } }) => (
                <span className="block truncate" title={original.base_url}>
                  {original.merchant_id}
                </span>
              ),
              maxSize: 160,
            }),
          ]
        : []),
    ]
  }, [hasMerchants, t, moment, days, number, text])
}
