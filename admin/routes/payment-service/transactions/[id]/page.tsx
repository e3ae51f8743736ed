import { SectionRow } from "@medusajs/dashboard/components"
import { Container, Heading, Text, toast } from "@medusajs/ui"
import { z } from "zod"

import {
  Ago,
  Card,
  CardsPage,
  Fields,
  Line,
  named,
  NotRead,
  Subtle,
  Timeline,
} from "../../../../components/cards"
import { ActionForm, TextField, useChecked, useDrawer } from "../../../../components/forms"
import { Action, Id, LinkTo, OrderLink } from "../../../../components/link-to"
import { ServiceRecord } from "../../../../components/payments/service-record"
import { KEPT_FRESH, SumsAndMoments, ToPay } from "../../../../components/payments/transaction"
import { CheckNow, Refund, StandingBadge } from "../../../../components/payments/verdict"
import { ProblemAmongOthers } from "../../../../components/problems/problem-text"
import { isUuid } from "../../../../lib/address"
import type { TransactionAnswer } from "../../../../lib/answers"
import { formatForTitle, useFormat } from "../../../../lib/format"
import { entryOf, loading, post, useAction, useEntry, useMay } from "../../../../lib/sdk"

/** Everything about one payment: the answer to "the customer says they paid". */
const TransactionPage = () => {
  const { t, sumOf, moment, word } = useFormat()
  const sentence = useSentence()
  const answer = useEntry("transactions", KEPT_FRESH)
  const { data } = answer
  if (!data) return <NotRead answer={answer} />
  const { transaction, problems, verdict, attempts, journal } = data
  const { order_id, order_number, cart_id, customer_id, customer_email } = transaction
  return (
    <CardsPage
      zone="payment_service_transaction.details"
      list="transactions"
      data={transaction}
      main={{
        PaymentVerdict: <PaymentVerdict answer={data} />,
        // They stand below the verdict, which mostly has the words of one of them.
        TransactionProblems: problems.length > 0 && (
          <Card title={t("problems.title")}>
            {problems.map((problem) => (
              <ProblemAmongOthers
                key={problem.id}
                problem={problem}
                isToldAbove={problem.messages.en === verdict.messages.en}
              />
            ))}
          </Card>
        ),
        TransactionDetails: (
          <Card title={t("details.title")}>
            <SumsAndMoments transaction={transaction} />
            <Fields
              of={{
                "fields.description": transaction.description,
                "fields.transaction_id": <Id value={transaction.transaction_id} />,
                "fields.reference": <Id value={transaction.id} />,
                "fields.session": <Id value={transaction.session_id} />,
                "fields.account": transaction.account,
                "fields.merchant": <Id value={transaction.merchant_id} />,
              }}
            />
          </Card>
        ),
        RefundProofs: data.refund_proofs.length > 0 && <RefundProofs proofs={data.refund_proofs} />,
        ServiceRecord: transaction.transaction_id && (
          <ServiceRecord id={transaction.transaction_id} />
        ),
        OtherAttempts: attempts.length > 0 && (
          <Card title={t("attempts.title")}>
            {attempts.map(({ id, opened_at, method, standing, ...sums }) => (
              <div
                key={id}
                className="grid grid-cols-2 items-center gap-2 px-6 py-3 sm:grid-cols-4"
              >
                <Line>
                  <LinkTo to={`/payment-service/transactions/${id}`}>
                    {moment(opened_at, "short")}
                  </LinkTo>
                </Line>
                <Line>{sumOf(sums)}</Line>
                <Line className="text-ui-fg-subtle">{word("methods", method)}</Line>
                <div className="sm:text-right">
                  <StandingBadge standing={standing} />
                </div>
              </div>
            ))}
          </Card>
        ),
      }}
      side={{
        TransactionLinks: (
          <Card
            title={t("links.title")}
            of={{
              "fields.order": order_id ? <OrderLink id={order_id} number={order_number} /> : "–",
              "fields.customer": (
                <LinkTo to={customer_id && `/customers/${customer_id}`}>
                  {customer_email ?? customer_id ?? t("links.guest")}
                </LinkTo>
              ),
              "fields.cart": <Id value={cart_id} />,
            }}
          >
            <ToPay transaction={transaction} />
          </Card>
        ),
        TransactionHistory: (
          <Timeline
            entries={journal.map((entry) => ({
              at: entry.at,
              sentence: sentence(entry, transaction.currency),
              by: entry.by && (entry.by_name ?? t("journal.by_admin")),
            }))}
          />
        ),
      }}
    />
  )
}

/** Whether it was paid, in one sentence, with the time of the last read. */
const PaymentVerdict = ({ answer }: { answer: TransactionAnswer }) => {
  const { t, sumOf, text, word } = useFormat()
  const { transaction, verdict } = answer
  const mayEnter = useMay("update")
  const { open, drawer } = useDrawer<"id">((_, close) => (
    <EnterId id={transaction.id} close={close} />
  ))
  return (
    <Container className="flex flex-col gap-y-3 px-6 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <Heading>{sumOf(transaction)}</Heading>
          <StandingBadge standing={transaction.standing} />
        </div>
        {transaction.standing === "unanswered" ? (
          mayEnter && <Action onClick={() => open("id")}>{t("identify.label")}</Action>
        ) : (
          <div className="flex flex-wrap gap-2">
            <Refund payment={transaction} problems={answer.problems} />
            <CheckNow id={transaction.id} isPossible={transaction.transaction_id !== null} />
          </div>
        )}
      </div>
      <Text role="status">{text(verdict.messages)}</Text>
      <Subtle>
        {word("methods", transaction.method)}
        {" · "}
        <Ago at={transaction.read_at} isAsked />
      </Subtle>
      {drawer}
    </Container>
  )
}

/** Takes the service's id of a payment whose creation had no reply, as the service's account area shows it. */
const EnterId = ({ id, close }: { id: string; close: () => void }) => {
  const { t, text } = useFormat()
  const identify = useAction({
    run: (body: { transaction_id: string }) =>
      post<TransactionAnswer>(`${entryOf("transactions", id)}/identify`, body),
    failed: "identify.refused",
    done: ({ verdict: { messages } }) => {
      toast.success(t("identify.done"), { description: text(messages) })
      close()
    },
  })
  const entered = z.object({ transaction_id: z.string().trim().refine(isUuid, t("identify.hint")) })
  return (
    <ActionForm
      title={t("identify.label")}
      description={t("identify.whatHappens")}
      label={t("identify.action")}
      isBusy={identify.isPending}
      form={useChecked(entered, { transaction_id: "" })}
      onSubmit={identify.act}
    >
      <TextField
        name="transaction_id"
        label={t("fields.transaction_id")}
        hint={t("identify.hint")}
        spellCheck={false}
      />
    </ActionForm>
  )
}

/** The money that went back, with its proofs and their authors. */
const RefundProofs = ({ proofs }: { proofs: TransactionAnswer["refund_proofs"] }) => {
  const { t, money, moment, word } = useFormat()
  const mayReadPayouts = useMay("read", "payment_service_payout")
  return (
    <Card title={t("proofs.title")}>
      {proofs.map(({ id, kind, amount, currency, note, payout_id: payoutId, ...given }) => (
        <SectionRow
          key={id}
          title={money(amount, currency)}
          value={
            <span className="min-w-0 break-words">
              <LinkTo
                to={payoutId && mayReadPayouts ? `/payment-service/payouts/${payoutId}` : null}
              >
                {word("proofs.kinds", kind)}
              </LinkTo>
              {/* The note of a payout's proof only names the payout, in English. */}
              {[moment(given.given_at, "short"), given.given_by_name, payoutId ? null : note]
                .filter(Boolean)
                .map((fact) => ` · ${fact}`)}
            </span>
          }
        />
      ))}
    </Card>
  )
}

/** An entry of the journal as text; sums without a currency are in the one that was asked for. */
function useSentence() {
  const { t, money, word } = useFormat()
  const text = (value: unknown) => (typeof value === "string" ? value : null)
  return ({ kind, facts }: TransactionAnswer["journal"][number], currency: string): string => {
    const to = text(facts.to)
    const variants: Partial<Record<string, string | false>> = {
      state: to === "paid" && (facts.late ? "paid_late" : "paid"),
      exception: to === null && "exception_over",
      handled: !facts.handled && "not_handled",
    }
    return t(`journal.${variants[kind] || kind}`, {
      defaultValue: kind,
      sum: money(text(facts.amount), text(facts.currency) ?? currency),
      state: word("states", to),
      status: (kind === "status" ? to : text(facts.status)) ?? "–",
      exception: word("exceptions", to),
      attempts: facts.attempts,
      action: t(`actions.${text(facts.action)}.label`),
      problem: word("problemKinds", text(facts.problem)),
    })
  }
}

export const loader = loading("transactions")

export const handle = named<TransactionAnswer>(({ transaction }) => {
  const sum = formatForTitle().sumOf(transaction)
  const { order_number: order } = transaction
  return order === null ? sum : `${sum} · #${order}`
})

export default TransactionPage
