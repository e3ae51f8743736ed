import { Container, Heading, StatusBadge } from "@medusajs/ui"

import { Card, CardsPage, named, NotRead } from "../../../../components/cards"
import { Id, LinkTo, OrderLink } from "../../../../components/link-to"
import { PaymentLinkOf } from "../../../../components/payments/payments-of"
import { PaidBackSums, PayoutsOfProblem } from "../../../../components/payouts/paid-back"
import { AtStake, ProblemActions, ProblemText } from "../../../../components/problems/problem-text"
import type { ProblemAnswer } from "../../../../lib/answers"
import { formatForTitle, useFormat } from "../../../../lib/format"
import { paymentPageOf, relatedPageOf } from "../../../../lib/problems/related-page"
import { loading, useEntry, useRead } from "../../../../lib/sdk"

const ProblemPage = () => {
  const { t, country, money, number, word } = useFormat()
  // The answer of the loader is used for a while without another read.
  const answer = useEntry("problems", { staleTime: 5_000 })
  const { data: connection } = useRead("connection")
  if (!answer.data) return <NotRead answer={answer} />
  const { problem, delivery } = answer.data
  const isOpen = problem.closed_at === null
  const related = relatedPageOf(problem, connection?.accounts)
  const paymentPage = paymentPageOf(problem)
  const { amount, payments, method, cart_total: cartTotal, cart_id: cartId } = problem
  const { order_id: orderId, customer_id: customerId, transaction_id: transactionId } = problem
  return (
    <CardsPage
      zone="payment_service_problem.details"
      list="problems"
      data={problem}
      main={{
        PaymentServiceProblem: (
          <Container className="flex flex-col gap-y-4 px-6 py-4">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <Heading>{word("problemKinds", problem.kind)}</Heading>
              <StatusBadge color={isOpen ? "red" : "grey"}>
                {t(`problems.state.${isOpen ? "open" : "closed"}`)}
              </StatusBadge>
            </div>
            <ProblemText problem={problem} />
            <PaidBackSums payOut={problem.pay_out} />
            {isOpen && problem.kind === "order_underpaid" && orderId && (
              <PaymentLinkOf orderId={orderId} />
            )}
            <ProblemActions problem={problem} />
          </Container>
        ),
        PaymentServiceProblemPayouts: <PayoutsOfProblem problem={problem} />,
        PaymentServiceProblemSubject: (
          <Card
            title={t("links.title")}
            of={{
              // The transaction's row leads to the payment.
              "fields.more": related && (transactionId === null || related.to !== paymentPage) && (
                <LinkTo to={related.to}>{t(related.label)}</LinkTo>
              ),
              "fields.at_stake": (amount !== null || !!payments?.length) && (
                <AtStake problem={problem} />
              ),
              "fields.cart_total": cartTotal && money(cartTotal, problem.currency),
              "fields.account": problem.account,
              "fields.method": method && word("methods", method),
              "fields.order": orderId && <OrderLink id={orderId} number={problem.order_number} />,
              "fields.customer": customerId && (
                <LinkTo to={`/customers/${customerId}`}>
                  {problem.customer_email ?? customerId}
                </LinkTo>
              ),
              "fields.buyer": delivery?.name,
              "fields.phone": delivery?.phone && (
                <a href={`tel:${delivery.phone}`}>{delivery.phone}</a>
              ),
              "fields.shipping_address":
                delivery &&
                [country(delivery.country_code), delivery.address].filter(Boolean).join(", "),
              "fields.items": !!delivery?.items.length && (
                <ul>
                  {delivery.items.map(({ title, quantity }, index) => (
                    <li key={index} className="[overflow-wrap:anywhere]">
                      {title} × {number(quantity)}
                    </li>
                  ))}
                </ul>
              ),
              "fields.cart": cartId && <Id value={cartId} />,
              "fields.transaction_id": transactionId && (
                <Id value={transactionId} to={paymentPage} />
              ),
            }}
          />
        ),
      }}
    />
  )
}

export const loader = loading("problems")

export const handle = named<ProblemAnswer>(({ problem: { kind, order_number: order } }) => {
  const inWords = formatForTitle().word("problemKinds", kind)
  return order === null ? inWords : `${inWords} · #${order}`
})

export default ProblemPage
