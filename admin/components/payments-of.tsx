import { SectionRow } from "@medusajs/dashboard/components"
import { Button, Container, Heading, Text } from "@medusajs/ui"
import type { ReactNode } from "react"

import type { PaymentsAnswer } from "../lib/api"
import { useFormat } from "../lib/format"
import { transactionsAt } from "../lib/lists"
import { useMay } from "../lib/permissions"
import { usePaymentsOf } from "../lib/queries"
import { CheckNow } from "./check-now"
import { FailedCheck } from "./failed-check"
import { LastAsked } from "./last-asked"
import { LinkTo } from "./link-to"
import { PayoutsOfOrder } from "./payouts/payouts-of-order"
import { ProblemAmongOthers } from "./problem-text"
import { StandingBadge } from "./standing"
import { Id, SumsAndMoments } from "./transaction-details"
import { ToPay } from "./transaction-links"

type Of = Parameters<typeof usePaymentsOf>[0]

/** The payments of an order or a customer on Medusa's own page; nothing without payments of this plugin. */
export const PaymentsOf = ({ of }: { of: Of }) => {
  const { t } = useFormat()
  const mayRead = useMay("read")
  const { data, isError, refetch } = usePaymentsOf(of, mayRead)
  const orderId = "order_id" in of ? of.order_id : null
  const ofId = "order_id" in of ? of.order_id : of.customer_id
  if (!mayRead) return null
  // Earlier payments stay visible when a later read fails.
  if (isError && !data) {
    return (
      <Container className="flex items-center justify-between px-6 py-4">
        <Text size="small">{t("payments.failed")}</Text>
        <Button size="small" variant="secondary" onClick={() => void refetch()}>
          {t("payments.again")}
        </Button>
      </Container>
    )
  }
  if (!data) return null
  const { payments, problems, payouts } = data
  const more = {
    payments: data.count - payments.length,
    problems: data.problem_count - problems.length,
  }
  if (!payments.length && !problems.length && !payouts?.payouts.length) return null
  const isOrder = orderId !== null
  return (
    <Container className="divide-y p-0" role="region" aria-label={t("name")}>
      <Heading level="h2" className="px-6 py-4">
        {t("name")}
      </Heading>
      {problems.map((problem) => (
        <ProblemAmongOthers
          key={problem.id}
          problem={problem}
          // The answer has the smallest payout only for readers who may pay out, so nothing more has to be asked.
          mayPayOut={payouts ? payouts.smallest !== null : undefined}
        />
      ))}
      {more.problems > 0 && (
        <More to={`/payment-service/problems?q=${ofId}`}>
          {t("payments.moreProblems", { count: more.problems })}
        </More>
      )}
      {payments.map((payment, index) => (
        <Payment
          key={payment.id}
          payment={payment}
          isOfOrder={isOrder}
          isWhole={isOrder && index === 0}
        />
      ))}
      {more.payments > 0 && (
        <More to={transactionsAt({ q: ofId })}>{t("payments.more", { count: more.payments })}</More>
      )}
      {isOrder && payments.some(({ standing }) => standing === "settled") && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("payments.refunds")}
        </Text>
      )}
      {isOrder && payouts && (
        <PayoutsOfOrder orderId={orderId} payOut={data.pay_out} {...payouts} />
      )}
    </Container>
  )
}

const More = ({ to, children }: { to: string; children: ReactNode }) => (
  <Text size="small" className="px-6 py-4">
    <LinkTo to={to}>{children}</LinkTo>
  </Text>
)

interface PaymentProps {
  payment: PaymentsAnswer["payments"][number]
  isOfOrder: boolean
  /** Whether all of it is shown, or only one line. */
  isWhole: boolean
}

const Payment = ({ payment, isOfOrder, isWhole }: PaymentProps) => {
  const { t, sumOf, moment, text, word } = useFormat()
  const address = `/payment-service/transactions/${payment.id}`
  return (
    <div className="divide-y">
      <div className="flex flex-col gap-y-2 px-6 py-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Text size="small" leading="compact" weight="plus">
            <LinkTo to={address}>
              {sumOf(payment)} · {word("methods", payment.method)}
            </LinkTo>
          </Text>
          <StandingBadge standing={payment.standing} />
        </div>
        {isWhole && <Text size="small">{text(payment.verdict.messages)}</Text>}
        <Text size="xsmall" className="text-ui-fg-subtle">
          {isWhole ? <LastAsked at={payment.read_at} /> : moment(payment.opened_at, "short")}
        </Text>
        {isWhole && (
          <>
            <FailedCheck id={payment.id} />
            <CheckNow id={payment.id} isPossible={payment.transaction_id !== null} />
          </>
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
