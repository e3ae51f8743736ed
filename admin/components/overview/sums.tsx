import { Heading, StatusBadge } from "@medusajs/ui"

import { daysOf, problemsAt, transactionsAt } from "../../lib/address"
import type { OverviewAnswer } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { Card, Line, Note, RowTo, Subtle } from "../cards"
import { StandingBadge } from "../payments/verdict"
import { PaidChart } from "./paid-chart"

interface Overview {
  overview: OverviewAnswer
}

/**
 * The sums paid in the period, as Medusa's orders have them: a chart by day, and sums by method beside those of the period before.
 * Below them are refunds, the commission, and payments that no order has.
 */
export const PaidCard = ({ overview }: Overview) => {
  const { t } = useFormat()
  const { totals, before, apart, refunds } = overview.paid
  const all = [...totals, ...before, ...apart, ...refunds]
  const currencies = [...new Set(all.map(({ currency }) => currency))].sort()
  return (
    <Card
      title={t("overview.paid.title")}
      to={transactionsAt({ state: ["paid"], paid_at: daysOf(overview) })}
      note={t("overview.paid.note")}
    >
      {currencies.length === 0 && (
        <Subtle className="px-6 py-8 text-center">{t("overview.paid.nothing")}</Subtle>
      )}
      {currencies.map((currency) => (
        <div key={currency}>
          {currencies.length > 1 && (
            <Heading level="h3" className="px-6 pt-4">
              {currency}
            </Heading>
          )}
          <PaidIn overview={overview} currency={currency} />
        </div>
      ))}
    </Card>
  )
}

const PaidIn = ({ overview, currency }: Overview & { currency: string }) => {
  const { t, money, number, usdt } = useFormat()
  const own = <One extends { currency: string }>(sums: One[]) =>
    sums.filter((one) => one.currency === currency)
  const { paid, days } = overview
  const totals = own(paid.totals)
  // The service does not say in which unit it states its commission.
  const commission = totals.reduce((sum, one) => sum + Number(one.commission ?? 0), 0)
  const inUsdt = totals.reduce((sum, one) => sum + Number(one.commission_usdt ?? 0), 0)
  const commissions = [commission && number(commission), inUsdt && usdt(inUsdt.toFixed(6))]
  const refunds = own(paid.refunds).map(
    ({ amount, count }) => `${money(amount, currency)} · ${t("overview.refunds", { count })}`
  )
  const beside = {
    refunded: refunds.join(", "),
    commission: commissions.filter(Boolean).join(" · "),
  }
  return (
    <>
      <div className="px-6 pt-4">
        <PaidChart days={days} paid={own(paid.days)} currency={currency} />
      </div>
      <Totals totals={totals} before={own(paid.before)} />
      {Object.entries(beside).map(
        ([name, said]) =>
          said && (
            <div key={name} className="flex justify-between gap-x-4 px-6 py-3">
              <Line>{t(`overview.paid.${name}`)}</Line>
              <Line className="text-right">{said}</Line>
            </div>
          )
      )}
      {(["waits", "handled"] as const).map((status) => {
        const sums = own(paid.apart).filter((one) => one.status === status)
        const standing = status === "waits" ? "waiting_for_person" : "taken_care_of"
        const { amount, count } = sumOf(sums)
        return (
          sums.length > 0 && (
            <RowTo
              key={status}
              to={transactionsAt({ standing: [standing], paid_at: daysOf(overview) })}
            >
              <Line>{t(`overview.paid.${status}`)}</Line>
              <Sum
                amount={String(amount)}
                currency={currency}
                count={t("overview.payments", { count })}
              />
            </RowTo>
          )
        )
      })}
    </>
  )
}

type TotalsProps = Pick<OverviewAnswer["paid"], "totals" | "before">

/** A row for each method, and one for all of them where there are several. Sums are of one currency. */
const Totals = ({ totals, before }: TotalsProps) => {
  const { t, word } = useFormat()
  const methods = [...new Set([...totals, ...before].map(({ method }) => method))].sort()
  return (
    // One grid for all rows: each column is as wide as its longest text, so that sums stay in one line.
    <div className="flex flex-col gap-2 px-6 py-4 sm:grid sm:grid-cols-[1fr_auto_auto_auto] sm:gap-x-3">
      {methods.map((method) => (
        <Total
          key={method}
          name={word("methods", method)}
          totals={totals.filter((one) => one.method === method)}
          before={before.filter((one) => one.method === method)}
        />
      ))}
      {methods.length > 1 && (
        <Total name={t("overview.paid.all")} totals={totals} before={before} isWhole />
      )}
    </div>
  )
}

/** The total of sums in one currency. It is only shown, so a float is exact enough. */
const sumOf = (totals: { count: number; amount: string }[]) => ({
  count: totals.reduce((sum, { count }) => sum + count, 0),
  amount: totals.reduce((sum, { amount }) => sum + Number(amount), 0),
})

interface TotalProps extends TotalsProps {
  name: string
  isWhole?: boolean
}

const Total = ({ name, totals, before, isWhole = false }: TotalProps) => {
  const { t, money, change } = useFormat()
  const currency = (totals[0] ?? before[0])?.currency ?? "RUB"
  const [now, then] = [sumOf(totals), sumOf(before)]
  const inMoney = (amount: number) => money(amount.toFixed(2).replace(/\.00$/, ""), currency)
  const difference = change(now.amount, then.amount)
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-4 sm:contents">
      <Line weight={isWhole ? "plus" : "regular"}>{name}</Line>
      <Line className="text-ui-fg-subtle text-right sm:text-left">
        {t("overview.payments", { count: now.count })}
      </Line>
      <Line weight="plus" className="sm:text-right">
        {inMoney(now.amount)}
        {difference !== null && (
          <span className="text-ui-fg-subtle font-normal"> {difference}</span>
        )}
      </Line>
      <Line className="text-ui-fg-subtle text-right">
        {t("overview.before", { value: then.count === 0 ? "–" : inMoney(then.amount) })}
      </Line>
    </div>
  )
}

const COLORS = { day: "blue", week: "orange", older: "red" } as const

export const WaitingCard = ({ waiting }: Pick<OverviewAnswer, "waiting">) => {
  const { t, money, word } = useFormat()
  return (
    <Card title={t("overview.waiting.title")} to="/payment-service/problems">
      {waiting.length === 0 && <Note>{t("overview.waiting.nothing")}</Note>}
      {waiting.map(({ kind, age, currency, count, amount }) => (
        <RowTo key={`${kind} ${age} ${currency ?? ""}`} to={problemsAt({ kind: [kind] })}>
          <div className="flex min-w-0 flex-col gap-y-1">
            <Line weight="plus">{word("problemKinds", kind)}</Line>
            <Line className="text-ui-fg-subtle">
              {t("overview.problems", { count })}
              {amount === null ? "" : ` · ${money(amount, currency)}`}
            </Line>
          </div>
          <StatusBadge color={COLORS[age]} className="shrink-0">
            {t(`overview.ages.${age}`)}
          </StatusBadge>
        </RowTo>
      ))}
    </Card>
  )
}

/** Money that may still come, and money that came but is not in Medusa yet. */
export const UnderWayCard = ({ under_way: underWay }: Pick<OverviewAnswer, "under_way">) => {
  const { t } = useFormat()
  return (
    <Card
      title={t("overview.underWay.title")}
      to={transactionsAt({ standing: ["payable", "waiting_for_medusa"] })}
    >
      {underWay.length === 0 && <Note>{t("overview.underWay.nothing")}</Note>}
      {underWay.map(({ standing, currency, count, amount }) => (
        <RowTo key={`${standing} ${currency}`} to={transactionsAt({ standing: [standing] })}>
          <StandingBadge standing={standing} />
          <Sum amount={amount} currency={currency} count={t("overview.payments", { count })} />
        </RowTo>
      ))}
    </Card>
  )
}

const Sum = (of: { amount: string; currency: string; count: string }) => (
  <Line className="text-right">
    {useFormat().money(of.amount, of.currency)}
    <span className="text-ui-fg-subtle"> · {of.count}</span>
  </Line>
)

/** Payments that were opened in the period and never paid, or whose money this store does not have. */
export const NotPaidCard = ({ overview }: Overview) => {
  const { t, word } = useFormat()
  const { not_paid: sums } = overview
  const opened = { opened_at: daysOf(overview) }
  const currencies = [...new Set(sums.map(({ currency }) => currency))].sort()
  const ended = currencies.flatMap((currency) =>
    [...ENDED, "not_kept"].flatMap((status) => {
      // Without the methods, and without payments that are under way.
      const of = sums.filter((one) => one.status === status && one.currency === currency)
      return of.length > 0 ? [{ status, currency, ...sumOf(of) }] : []
    })
  )
  if (!ended.length) return null
  return (
    <Card title={t("overview.notPaid.title")} to={transactionsAt({ state: ENDED, ...opened })}>
      {ended.map(({ status, currency, count, amount }) => {
        const isState = status !== "not_kept"
        const filter = isState ? { state: [status] } : { exception: NOT_KEPT }
        const said = t("overview.notPaid.count", { count })
        return (
          <RowTo key={`${status} ${currency}`} to={transactionsAt({ ...filter, ...opened })}>
            <Line>{isState ? word("states", status) : t("overview.notPaid.notKept")}</Line>
            <Sum amount={amount.toFixed(2)} currency={currency} count={said} />
          </RowTo>
        )
      })}
    </Card>
  )
}

const ENDED = ["expired", "canceled", "refused", "unknown"]
/** Exceptions of payments whose money this store does not have. */
const NOT_KEPT = ["reversed", "merchant_differs", "reference_differs"]
