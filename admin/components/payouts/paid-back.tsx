import { Text } from "@medusajs/ui"

import type { Problem, Reads } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { useMay, useRead } from "../../lib/sdk"
import { Card, Line, Subtle, Tiny } from "../cards"
import { LinkTo } from "../link-to"
import { PayoutStateBadge } from "./payout"

/** The sums of a problem's money that payouts pay back right now or hold, and the payouts possible for the rest. */
export const PaidBackSums = ({ payOut }: { payOut: Problem["pay_out"] }) => {
  const { t, money, rubles } = useFormat()
  if (payOut === null) return null
  const sum = (amount: string) => (Number(amount) > 0 ? money(amount, "RUB") : null)
  const { under_way, drafts, parts, rest } = payOut
  const isHeld = parts.length === 0 && (Number(under_way) > 0 || Number(drafts) > 0)
  const rows = [
    ["drafts", sum(drafts)],
    ["parts", parts.map(rubles).join(" + ")],
    [parts.length || isHeld ? "rest" : "tooLittle", sum(rest)],
  ].filter(([, value]) => value)
  const sending = sum(under_way)
  if (!rows.length && !sending) return null
  return (
    <div className="flex flex-col gap-y-1">
      {sending && <Text size="small">{t("payout.paidBack.under_way", { sum: sending })}</Text>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 empty:hidden">
        {rows.map(([name, value]) => (
          <div key={name} className="txt-compact-small col-span-2 grid grid-cols-subgrid">
            <dt className="text-ui-fg-subtle">
              {t(`payout.paidBack.${name}`, { count: parts.length })}
            </dt>
            <dd className="text-right tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {isHeld && <Subtle>{t("payout.paidBack.isHeld")}</Subtle>}
    </div>
  )
}

/** The payouts of a problem's payment; nothing without payouts, or for readers who may not see them. */
export const PayoutsOfProblem = ({ problem }: { problem: Problem }) => {
  const { t } = useFormat()
  const mayRead = useMay("read", "payment_service_payout")
  const query = { transaction_row_id: problem.transaction_row_id ?? "", limit: 20 }
  const { data } = useRead("payouts", query, {
    enabled: mayRead && problem.transaction_row_id !== null,
  })
  if (!data?.payouts.length) return null
  return (
    <Card title={t("payout.paidBack.payouts")}>
      <PayoutLines {...data} />
    </Card>
  )
}

interface PayoutLinesProps extends Pick<Reads["payouts"], "payouts" | "count"> {
  title?: string
}

export const PayoutLines = ({ title, payouts, count }: PayoutLinesProps) => {
  const { t, rubles, card, moment } = useFormat()
  const more = count - payouts.length
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      {title && <Line weight="plus">{title}</Line>}
      {payouts.map((payout) => (
        <div key={payout.id} className="flex flex-wrap items-center justify-between gap-2">
          <div className="flex flex-col gap-y-1">
            <Line>
              <LinkTo to={`/payment-service/payouts/${payout.id}`}>
                {rubles(payout.amount)} · {card(payout)}
              </LinkTo>
            </Line>
            <Tiny>{moment(payout.created_at, "short")}</Tiny>
          </div>
          <PayoutStateBadge payout={payout} />
        </div>
      ))}
      {more > 0 && <Subtle>{t("payout.more", { count: more })}</Subtle>}
    </div>
  )
}
