import { Container, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"

import { useFormat } from "../../lib/format"
import { openedIn, transactionsAt } from "../../lib/lists"
import type { OverviewAnswer, UnpaidSum } from "../../lib/api"
import { CardHeading } from "./figure"

/** Payments that were opened in the period and never paid, or whose money this store does not have. */
export const NotPaidCard = ({ overview }: { overview: OverviewAnswer }) => {
  const { t, word, money } = useFormat()
  const ended = sumsByStatus(overview.not_paid)
  const opened = openedIn(overview)
  if (!ended.length) return null
  return (
    <Container className="divide-y p-0">
      <div className="px-6 py-4">
        <CardHeading to={transactionsAt({ state: [...ENDED], ...opened })}>
          {t("overview.notPaid.title")}
        </CardHeading>
      </div>
      {ended.map(({ status, currency, count, amount }) => (
        <Link
          key={`${status} ${currency}`}
          to={transactionsAt({ ...filterOf(status), ...opened })}
          className="hover:bg-ui-bg-base-hover transition-fg flex items-center justify-between gap-x-4 px-6 py-3"
        >
          <Text size="small" leading="compact">
            {status === "not_kept" ? t("overview.notPaid.notKept") : word("states", status)}
          </Text>
          <Text size="small" leading="compact" className="text-right">
            {money(amount, currency)}
            <span className="text-ui-fg-subtle"> · {t("overview.notPaid.count", { count })}</span>
          </Text>
        </Link>
      ))}
    </Container>
  )
}

const ENDED = ["expired", "canceled", "refused", "unknown"] as const
/** Exceptions of payments whose money this store does not have. */
const NOT_KEPT = ["reversed", "merchant_differs", "reference_differs"]

const filterOf = (status: string) =>
  status === "not_kept" ? { exception: NOT_KEPT } : { state: [status] }

/** Without the methods, and without payments that are under way. */
function sumsByStatus(sums: UnpaidSum[]): Omit<UnpaidSum, "method">[] {
  const shown = ["not_kept", ...ENDED]
  const byKey = new Map<string, Omit<UnpaidSum, "method">>()
  for (const { method: _, ...sum } of sums.filter(({ status }) => shown.includes(status))) {
    const key = `${sum.status} ${sum.currency}`
    const before = byKey.get(key)
    byKey.set(key, {
      ...sum,
      count: sum.count + (before?.count ?? 0),
      // It is only shown, so a float is exact enough.
      amount: String(Number((Number(sum.amount) + Number(before?.amount ?? 0)).toFixed(2))),
    })
  }
  return [...byKey.values()]
}
