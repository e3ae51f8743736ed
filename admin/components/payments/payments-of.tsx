import { SectionRow } from "@medusajs/dashboard/components"
import { Copy, Text } from "@medusajs/ui"

import { problemsAt, transactionsAt } from "../../lib/address"
import type { Reads } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { useMay, useRead } from "../../lib/sdk"
import { Ago, Card, Line, Note, NotRead, Tiny } from "../cards"
import { Action, Id, LinkTo } from "../link-to"
import { PayoutLines } from "../payouts/paid-back"
import { ProblemAmongOthers } from "../problems/problem-text"
import { CheckNow, Refund, StandingBadge } from "./verdict"
import { KEPT_FRESH, SumsAndMoments, ToPay } from "./transaction"

type Of = { order_id: string } | { customer_id: string }

/** The payments of an order or a customer on Medusa's own page; nothing without payments of this plugin. */
export const PaymentsOf = ({ of }: { of: Of }) => {
  const { t } = useFormat()
  const mayRead = useMay("read")
  const answer = useRead("payments", of, { enabled: mayRead, ...KEPT_FRESH })
  const { data } = answer
  const isOrder = "order_id" in of
  const [ofId] = Object.values(of)
  if (!mayRead) return null
  if (!data) return <NotRead answer={answer} shape="card" />
  const { payments, problems, payouts, count, problem_count } = data
  if (!payments.length && !problems.length && !payouts?.payouts.length) return null
  return (
    <div role="region" aria-label={t("name")}>
      <Card title={t("name")}>
        {problems.map((problem) => (
          <ProblemAmongOthers
            key={problem.id}
            problem={problem}
            // The answer has the smallest payout only for readers who may pay out, so nothing more has to be asked.
            mayPayOut={payouts ? payouts.smallest !== null : undefined}
          />
        ))}
        {problem_count > problems.length && (
          <Note>
            <LinkTo to={problemsAt({ q: ofId })}>
              {t("payments.moreProblems", { count: problem_count - problems.length })}
            </LinkTo>
          </Note>
        )}
        {payments.map((payment, index) => (
          <Payment
            key={payment.id}
            payment={payment}
            problems={problems}
            isOfOrder={isOrder}
            isWhole={isOrder && index === 0}
          />
        ))}
        {count > payments.length && (
          <Note>
            <LinkTo to={transactionsAt({ q: ofId })}>
              {t("payments.more", { count: count - payments.length })}
            </LinkTo>
          </Note>
        )}
        {isOrder && payments.some(({ standing }) => standing === "settled") && (
          <Note>{t("payments.refunds")}</Note>
        )}
        {data.payment_link && (
          <div className="px-6 py-4">
            <PaymentLink {...data.payment_link} />
          </div>
        )}
        {isOrder && payouts && payouts.payouts.length > 0 && (
          <PayoutLines {...payouts} title={t("payout.title")} />
        )}
      </Card>
    </div>
  )
}

/** The same on the page of a problem, which has the order's id alone; nothing while nothing is owed. */
export const PaymentLinkOf = ({ orderId }: { orderId: string }) => {
  const { data } = useRead("payments", { order_id: orderId })
  return data?.payment_link ? <PaymentLink {...data.payment_link} /> : null
}

type Payments = Reads["payments"]
type Link = NonNullable<Payments["payment_link"]>

/** Copies Medusa's link to what is still owed of an order, for its customer. */
const PaymentLink = ({ address, amount, currency }: Link) => {
  const { t, money } = useFormat()
  const label = t("payments.copyLink", { sum: money(amount, currency) })
  return (
    // Medusa's component names every button "Copy code snippet", whatever it says.
    <Copy content={address} aria-label={label} asChild>
      <Action type="button" className="w-fit">
        {label}
      </Action>
    </Copy>
  )
}

interface PaymentProps {
  payment: Payments["payments"][number]
  problems: Payments["problems"]
  isOfOrder: boolean
  isWhole: boolean
}

const Payment = ({ payment, problems, isOfOrder, isWhole }: PaymentProps) => {
  const { t, sumOf, moment, text, word } = useFormat()
  return (
    <div className="divide-y">
      <div className="flex flex-col gap-y-2 px-6 py-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Line weight="plus">
            <LinkTo to={`/payment-service/transactions/${payment.id}`}>
              {sumOf(payment)} · {word("methods", payment.method)}
            </LinkTo>
          </Line>
          <StandingBadge standing={payment.standing} />
        </div>
        {isWhole && <Text size="small">{text(payment.verdict.messages)}</Text>}
        <Tiny>
          {isWhole ? <Ago at={payment.read_at} isAsked /> : moment(payment.opened_at, "short")}
        </Tiny>
        {isWhole && (
          <div className="flex flex-wrap gap-2">
            <Refund payment={payment} problems={problems} />
            <CheckNow id={payment.id} isPossible={payment.transaction_id !== null} />
          </div>
        )}
      </div>
      {isWhole && (
        <>
          <SumsAndMoments transaction={payment} />
          <SectionRow
            title={t("fields.transaction_id")}
            value={<Id value={payment.transaction_id} />}
          />
        </>
      )}
      {isOfOrder && <ToPay transaction={payment} />}
    </div>
  )
}
