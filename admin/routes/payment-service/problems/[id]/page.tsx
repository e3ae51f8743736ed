import { SectionRow } from "@medusajs/dashboard/components"
import { Container, Heading, StatusBadge } from "@medusajs/ui"
import type { LoaderFunctionArgs, UIMatch } from "react-router-dom"
import { useLoaderData, useParams } from "react-router-dom"

import { Card, CardsPage } from "../../../../components/cards"
import { AtStake } from "../../../../components/at-stake"
import { LinkTo } from "../../../../components/link-to"
import { PaidBackSums, PayoutsOfProblem } from "../../../../components/payouts/paid-back"
import { ProblemActions } from "../../../../components/problem-actions"
import { ProblemText } from "../../../../components/problem-text"
import { Id } from "../../../../components/transaction-details"
import type { Problem, ProblemAnswer } from "../../../../lib/api"
import { formatForTitle, useFormat } from "../../../../lib/format"
import { useConnection } from "../../../../lib/overview-queries"
import { paymentPageOf, relatedPageOf } from "../../../../lib/related-page"
import { useProblem } from "../../../../lib/queries"
import { ask } from "../../../../lib/sdk"

/** One problem: its story, its subject and its possible actions. */
const ProblemPage = () => {
  const { id = "" } = useParams()
  const initialData = useLoaderData<ProblemAnswer | undefined>()
  const { data, error } = useProblem(id, initialData)
  // An earlier answer stays visible when a later read fails.
  if (!data) {
    if (error) throw error
    return null
  }
  return (
    <CardsPage
      zone="payment_service_problem.details"
      data={data.problem}
      main={{
        PaymentServiceProblem: <WhatHappened problem={data.problem} />,
        PaymentServiceProblemPayouts: <PayoutsOfProblem problem={data.problem} />,
        PaymentServiceProblemSubject: <Subject problem={data.problem} />,
      }}
    />
  )
}

const WhatHappened = ({ problem }: { problem: Problem }) => {
  const { t, word } = useFormat()
  const isOpen = problem.closed_at === null
  return (
    <Container className="flex flex-col gap-y-4 px-6 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Heading>{word("problemKinds", problem.kind)}</Heading>
        <StatusBadge color={isOpen ? "red" : "grey"}>
          {t(`problems.state.${isOpen ? "open" : "closed"}`)}
        </StatusBadge>
      </div>
      <ProblemText problem={problem} />
      <PaidBackSums payOut={problem.pay_out} />
      <ProblemActions problem={problem} drawersAt={`/payment-service/problems/${problem.id}`} />
    </Container>
  )
}

const Subject = ({ problem }: { problem: Problem }) => {
  const { t, money, word } = useFormat()
  const { data: connection } = useConnection()
  const related = relatedPageOf(problem, connection?.accounts)
  return (
    <Card title={t("links.title")}>
      {/* The transaction's row leads to the payment. */}
      {related && (problem.transaction_id === null || related.to !== paymentPageOf(problem)) && (
        <SectionRow
          title={t("fields.more")}
          value={<LinkTo to={related.to}>{t(related.label)}</LinkTo>}
        />
      )}
      {(problem.amount !== null || !!problem.payments?.length) && (
        <SectionRow title={t("fields.at_stake")} value={<AtStake problem={problem} />} />
      )}
      {problem.cart_total !== null && (
        <SectionRow
          title={t("fields.cart_total")}
          value={money(problem.cart_total, problem.currency)}
        />
      )}
      {problem.account !== null && (
        <SectionRow title={t("fields.account")} value={problem.account} />
      )}
      {problem.method !== null && (
        <SectionRow title={t("fields.method")} value={word("methods", problem.method)} />
      )}
      {problem.order_id !== null && (
        <SectionRow
          title={t("fields.order")}
          value={
            <LinkTo to={`/orders/${problem.order_id}`}>
              {problem.order_number === null ? problem.order_id : `#${problem.order_number}`}
            </LinkTo>
          }
        />
      )}
      {problem.customer_id !== null && (
        <SectionRow
          title={t("fields.customer")}
          value={
            <LinkTo to={`/customers/${problem.customer_id}`}>
              {problem.customer_email ?? problem.customer_id}
            </LinkTo>
          }
        />
      )}
      {problem.cart_id !== null && (
        <SectionRow title={t("fields.cart")} value={<Id value={problem.cart_id} />} />
      )}
      {problem.transaction_id !== null && (
        <SectionRow
          title={t("fields.transaction_id")}
          value={<Id value={problem.transaction_id} to={paymentPageOf(problem)} />}
        />
      )}
    </Card>
  )
}

export async function loader({ params }: LoaderFunctionArgs): Promise<ProblemAnswer> {
  return await ask<ProblemAnswer>(`problems/${encodeURIComponent(params.id ?? "")}`)
}

export const handle = {
  breadcrumb: ({ loaderData }: UIMatch<ProblemAnswer | undefined>) => (
    <ProblemBreadcrumb kind={loaderData?.problem.kind ?? ""} />
  ),
  seo: ({ loaderData }: UIMatch<ProblemAnswer | undefined>) => ({
    title: loaderData && problemTitle(loaderData.problem),
  }),
}

const problemTitle = ({ kind, order_number: order }: Problem) =>
  formatForTitle().word("problemKinds", kind) + (order === null ? "" : ` · #${order}`)

const ProblemBreadcrumb = ({ kind }: { kind: string }) => (
  <>{useFormat().word("problemKinds", kind)}</>
)

export default ProblemPage
