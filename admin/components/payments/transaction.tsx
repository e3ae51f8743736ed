import { SectionRow } from "@medusajs/dashboard/components"
// The plugin must not declare uqr, because Medusa leaves what a plugin declares out of its pages; the other two packages bring it.
import { encode, renderSVG } from "uqr"

import type { ShownTransaction, TransactionAnswer } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { useMay } from "../../lib/sdk"
import { Card, Fields, Line, Timeline } from "../cards"
import { Id, LinkTo, OrderLink } from "../link-to"
import { ProblemAmongOthers } from "../problems/problem-text"
import { StandingBadge } from "./verdict"

/** A payment that is shown is read again, because others settle it, too, and when its admin comes back to the window. */
export const KEPT_FRESH = {
  // The answer of a page's loader is used for this long.
  staleTime: 5_000,
  refetchInterval: 30_000,
  refetchOnWindowFocus: true,
}

export const TransactionDetails = ({ transaction }: Pick<TransactionAnswer, "transaction">) => {
  const { t } = useFormat()
  return (
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
  )
}

export const SumsAndMoments = ({ transaction }: { transaction: ShownTransaction }) => {
  const { money, moment, number, usdt, word } = useFormat()
  const { currency, read_currency, exception, accepted_amount, refunded_amount } = transaction
  const { amount_usdt, usdt_rate, commission, commission_usdt } = transaction
  const at = (iso: string | null) => iso && moment(iso)
  return (
    <Fields
      of={{
        "fields.asked": money(transaction.amount, currency),
        "fields.read": money(transaction.read_amount, read_currency),
        "fields.refunded": refunded_amount && money(refunded_amount, read_currency),
        "fields.accepted": accepted_amount && money(accepted_amount, currency),
        "fields.amount_usdt": amount_usdt && usdt(amount_usdt),
        "fields.usdt_rate": usdt_rate && number(Number(usdt_rate), 6),
        "fields.commission": commission && number(Number(commission)),
        "fields.commission_usdt": commission_usdt && usdt(commission_usdt),
        "fields.status": transaction.status ?? "–",
        "fields.exception": exception && word("exceptions", exception),
        "fields.opened_at": at(transaction.opened_at),
        "fields.expires_at": at(transaction.expires_at),
        "fields.paid_at": at(transaction.paid_at),
        "fields.settled_at": at(transaction.settled_at),
        "fields.handled_at": at(transaction.handled_at),
      }}
    />
  )
}

export const TransactionLinks = ({ transaction }: Pick<TransactionAnswer, "transaction">) => {
  const { t } = useFormat()
  const { order_id, order_number, cart_id, customer_id, customer_email } = transaction
  return (
    <Card title={t("links.title")}>
      <Fields
        of={{
          "fields.order": order_id ? <OrderLink id={order_id} number={order_number} /> : "–",
          "fields.customer": (
            <LinkTo to={customer_id && `/customers/${customer_id}`}>
              {customer_email ?? customer_id ?? t("links.guest")}
            </LinkTo>
          ),
          "fields.cart": <Id value={cart_id} />,
        }}
      />
      <ToPay transaction={transaction} />
    </Card>
  )
}

/** Problems with their possible actions, below the verdict, which mostly has the words of one of them. */
export const TransactionProblems = ({ answer }: { answer: TransactionAnswer }) => {
  const { t } = useFormat()
  const { problems, verdict } = answer
  if (!problems.length) return null
  return (
    <Card title={t("problems.title")}>
      {problems.map((problem) => (
        <ProblemAmongOthers
          key={problem.id}
          problem={problem}
          isToldAbove={problem.messages.en === verdict.messages.en}
        />
      ))}
    </Card>
  )
}

/** The money that went back, with its proofs and their authors; nothing without proofs. */
export const RefundProofs = ({ proofs }: { proofs: TransactionAnswer["refund_proofs"] }) => {
  const { t, money, moment, word } = useFormat()
  const mayReadPayouts = useMay("read", "payment_service_payout")
  if (!proofs.length) return null
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

export const OtherAttempts = ({ attempts }: Pick<TransactionAnswer, "attempts">) => {
  const { t, sumOf, moment, word } = useFormat()
  if (!attempts.length) return null
  return (
    <Card title={t("attempts.title")}>
      {attempts.map(({ id, opened_at, method, standing, ...sums }) => (
        <div key={id} className="grid grid-cols-2 items-center gap-2 px-6 py-3 sm:grid-cols-4">
          <Line>
            <LinkTo to={`/payment-service/transactions/${id}`}>{moment(opened_at, "short")}</LinkTo>
          </Line>
          <Line>{sumOf(sums)}</Line>
          <Line className="text-ui-fg-subtle">{word("methods", method)}</Line>
          <div className="sm:text-right">
            <StandingBadge standing={standing} />
          </div>
        </div>
      ))}
    </Card>
  )
}

export const TransactionHistory = ({ answer }: { answer: TransactionAnswer }) => {
  const { t } = useFormat()
  const sentence = useSentence(answer.transaction.currency)
  return (
    <Timeline
      entries={answer.journal.map((entry) => ({
        at: entry.at,
        sentence: sentence(entry),
        by: entry.by && (entry.by_name ?? t("journal.by_admin")),
      }))}
    />
  )
}

/** @param currency for sums without one: the currency that was asked for */
function useSentence(currency: string) {
  const { t, money, word } = useFormat()
  const text = (value: unknown) => (typeof value === "string" ? value : null)
  return ({ kind, facts }: TransactionAnswer["journal"][number]): string => {
    const sum = money(text(facts.amount), text(facts.currency) ?? currency)
    switch (kind) {
      case "opened":
      case "accepted":
        return t(`journal.${kind}`, { sum })
      case "state":
        return facts.to === "paid"
          ? t(facts.late ? "journal.paid_late" : "journal.paid", { sum })
          : t("journal.state", {
              state: word("states", text(facts.to)),
              status: text(facts.status) ?? "–",
            })
      case "status":
        return t("journal.status", { status: text(facts.to) })
      case "exception":
        return facts.to === null
          ? t("journal.exception_over")
          : t("journal.exception", { exception: word("exceptions", text(facts.to)) })
      case "attempt_failed":
        return t("journal.attempt_failed", { attempts: facts.attempts })
      case "handled":
        return t(facts.handled ? "journal.handled" : "journal.not_handled")
      case "acted":
        return t("journal.acted", {
          action: t(`actions.${text(facts.action)}.label`),
          problem: word("problemKinds", text(facts.problem)),
        })
      default:
        return t(`journal.${kind}`, { defaultValue: kind })
    }
  }
}

/** Address and QR to pay, for the customer; nothing once they no longer lead to a payment. */
export const ToPay = ({ transaction }: { transaction: ShownTransaction }) => {
  const { t } = useFormat()
  const { redirect, qr, standing, expires_at: expiresAt } = transaction
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  const texts = [qr?.trim(), redirect].filter((text) => !!text) as string[]
  if (standing !== "payable" || isOver || !texts.length) return null
  const code = codeOf(texts)
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      <Line weight="plus">{t("links.toPay")}</Line>
      {redirect && <Id value={redirect} />}
      {code && (
        <img
          src={`data:image/svg+xml;utf8,${encodeURIComponent(code)}`}
          alt={t("links.qr")}
          className="size-[160px] self-center rounded-md bg-white"
        />
      )}
    </div>
  )
}

const BORDER = { border: 2 }
/** So many modules along an edge leave two pixels for each, enough for a phone's camera. */
const FINEST_READABLE = 80

/** A QR of the first text that a phone can read from a screen, else that fits; drawn here, never an image from an address. */
function codeOf(texts: string[]): string | null {
  const within = (most: number) => texts.find((one) => sizeOf(one) <= most)
  const text = within(FINEST_READABLE) ?? within(Number.MAX_VALUE)
  return text === undefined ? null : renderSVG(text, BORDER)
}

/** The modules along an edge of the text's code; infinite for a text that is too long for any. */
function sizeOf(text: string): number {
  try {
    return encode(text, BORDER).size
  } catch {
    return Infinity
  }
}
