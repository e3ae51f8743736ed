import { Text } from "@medusajs/ui"

import { Card } from "../cards"
import type { PayOut, Problem } from "../../lib/api"
import { usePayoutsOfTransaction } from "../../lib/payout-queries"
import { usePayoutWords } from "../../lib/payout-words"
import { PayoutLines } from "./payout-line"

const MOST_SHOWN = 20

/** The sums of a problem's money that payouts have paid back or hold, and the payouts possible for the rest. */
export const PaidBackSums = ({ payOut }: { payOut: PayOut | null }) => {
  const { t, money, rubles } = usePayoutWords()
  if (payOut === null) return null
  const sum = (amount: string) => (Number(amount) > 0 ? money(amount, "RUB", true) : null)
  const { outside, under_way, drafts, parts, rest } = payOut
  const isHeld = parts.length === 0 && (Number(under_way) > 0 || Number(drafts) > 0)
  const rows = [
    [t("payout.paidBack.outside"), sum(outside)],
    [t("payout.paidBack.under_way"), sum(under_way)],
    [t("payout.paidBack.drafts"), sum(drafts)],
    [t("payout.paidBack.parts", { count: parts.length }), parts.map(rubles).join(" + ")],
    [t(`payout.paidBack.${parts.length || isHeld ? "rest" : "tooLittle"}`), sum(rest)],
  ] as const
  if (rows.every(([, value]) => !value)) return null
  return (
    <div className="flex flex-col gap-y-1">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {rows.map(([title, value]) =>
          value ? (
            <div key={title} className="txt-compact-small col-span-2 grid grid-cols-subgrid">
              <dt className="text-ui-fg-subtle">{title}</dt>
              <dd className="text-right tabular-nums">{value}</dd>
            </div>
          ) : null
        )}
      </dl>
      {isHeld && (
        <Text size="small" className="text-ui-fg-subtle">
          {t("payout.paidBack.isHeld")}
        </Text>
      )}
    </div>
  )
}

/** The payouts of a problem's payment; nothing without payouts, or for readers who may not see them. */
export const PayoutsOfProblem = ({ problem }: { problem: Problem }) => {
  const { t } = usePayoutWords()
  const { data } = usePayoutsOfTransaction(problem.transaction_row_id, MOST_SHOWN)
  if (!data?.payouts.length) return null
  return (
    <Card title={t("payout.paidBack.payouts")}>
      <div className="flex flex-col gap-y-3 px-6 py-4">
        <PayoutLines payouts={data.payouts} count={data.count} />
      </div>
    </Card>
  )
}
