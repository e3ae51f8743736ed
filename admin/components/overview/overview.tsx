import { clx, Heading, StatusBadge, Tooltip } from "@medusajs/ui"
import { useState } from "react"

import { daysOf, problemsAt, transactionsAt } from "../../lib/address"
import type { Reads } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { Card, Line, Note, RowTo, Subtle } from "../cards"
import { StandingBadge } from "../payments/verdict"

type Answer = Reads["overview"]

interface Overview {
  overview: Answer
}

/** The sums paid in the period, beside the period before; below them refunds, commission, and payments that no order has. */
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

type TotalsProps = Pick<Answer["paid"], "totals" | "before">

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

type TotalProps = TotalsProps & { name: string; isWhole?: boolean }

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

export const WaitingCard = ({ waiting }: Pick<Answer, "waiting">) => {
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
export const UnderWayCard = ({ under_way: underWay }: Pick<Answer, "under_way">) => {
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

/** A method has the same color in the chart of each currency. Those of the dashboard's tags differ between light and dark mode. */
const METHOD_COLORS: Partial<Record<string, string>> = {
  sbp: "var(--tag-blue-icon)",
  crypto: "var(--tag-purple-icon)",
}
const colorOf = (method: string) => METHOD_COLORS[method] ?? "var(--tag-neutral-icon)"

interface PaidChartProps {
  days: string[]
  paid: Answer["paid"]["days"]
  currency: string
}

const HEIGHT = 200

/** The sums paid on each day in one currency: a bar per day with a part per method. Pointer and arrow keys choose a day. */
const PaidChart = ({ days, paid, currency }: PaidChartProps) => {
  const { t, money, word, shortDay, compact, day: dayText } = useFormat()
  const [chosen, setChosen] = useState<number | null>(null)
  const methods = [...new Set(paid.map(({ method }) => method))].sort()
  const amounts = new Map(paid.map(({ day, method, amount }) => [`${day} ${method}`, amount]))
  const bars = days.map((day) => {
    const title = dayText(day, "UTC")
    const parts = methods.map((method) => {
      const amount = amounts.get(`${day} ${method}`) ?? "0"
      const shown = { name: word("methods", method), sum: money(amount, currency) }
      // Sums are only drawn here, so a float is exact enough.
      return { ...shown, color: colorOf(method), value: Number(amount) }
    })
    const spoken = [title, ...parts.map(({ name, sum }) => `${name} ${sum}`)].join(", ")
    return { day, title, parts, spoken, whole: parts.reduce((sum, { value }) => sum + value, 0) }
  })
  const current = Math.min(chosen ?? Infinity, bars.length - 1)
  const ticks = ticksTo(Math.max(...bars.map(({ whole }) => whole)))
  const pixels = (value: number) => (value / Math.max(...ticks)) * HEIGHT
  // At most eight bars have a label, and four on a phone.
  const step = Math.ceil(bars.length / 8)
  // The widest characters of a number are its digits.
  const margin = Math.max(...ticks.map((tick) => compact(tick).length)) + 1
  return (
    <figure aria-label={t("overview.paid.chart", { currency })}>
      <div
        className="txt-compact-xsmall text-ui-fg-subtle relative mb-8 mt-2 flex"
        style={{ height: HEIGHT, marginLeft: `${margin}ch` }}
      >
        {ticks.map((tick) => (
          <div
            key={tick}
            className="border-ui-border-base absolute inset-x-0 border-t"
            style={{ bottom: pixels(tick) }}
          >
            <span className="absolute right-full -translate-y-1/2 pr-[1ch]">{compact(tick)}</span>
          </div>
        ))}
        {bars.map(({ day, title, parts }, index) => (
          <div key={day} className="relative flex flex-1 flex-col-reverse items-center">
            {index === chosen && (
              <Tooltip
                open
                maxWidth={320}
                collisionPadding={8}
                content={
                  <>
                    <div className="text-ui-fg-base">{title}</div>
                    {parts.map(({ name, sum, color }) => (
                      <div key={name} className="flex items-center justify-between gap-x-4">
                        <Named name={name} color={color} />
                        <span className="text-ui-fg-base">{sum}</span>
                      </div>
                    ))}
                  </>
                }
              >
                <div className="bg-ui-bg-field-hover absolute inset-0" />
              </Tooltip>
            )}
            {parts.map(({ name, value, color }) => (
              <div
                key={name}
                className="relative"
                // A single bar is not as wide as the chart.
                style={{
                  width: `${Math.min(70, 6 * bars.length)}%`,
                  height: pixels(value),
                  background: color,
                }}
              />
            ))}
            {index % step === 0 && (
              <span
                className={clx(
                  "absolute top-full mt-2 whitespace-nowrap",
                  index % (2 * step) !== 0 && "hidden sm:block"
                )}
              >
                {shortDay(day)}
              </span>
            )}
          </div>
        ))}
        {/* Its thumb is not seen: the chosen bar is. */}
        <input
          type="range"
          aria-label={t("overview.paid.day")}
          aria-valuetext={bars[current]?.spoken}
          min={1}
          max={bars.length}
          value={current + 1}
          className="focus-visible:shadow-borders-focus absolute inset-0 appearance-none rounded bg-transparent outline-none [&::-moz-range-thumb]:opacity-0 [&::-webkit-slider-thumb]:opacity-0"
          onChange={({ target }) => setChosen(Number(target.value) - 1)}
          onMouseMove={({ currentTarget, nativeEvent: { offsetX } }) =>
            setChosen(Math.floor((offsetX / currentTarget.clientWidth) * bars.length))
          }
          onMouseLeave={() => setChosen(null)}
          onFocus={() => setChosen(current)}
          onBlur={() => setChosen(null)}
          onKeyDown={({ key }) => key === "Escape" && setChosen(null)}
        />
      </div>
      <div aria-hidden className="txt-compact-xsmall text-ui-fg-subtle flex flex-wrap gap-x-4">
        {methods.map((method) => (
          <Named key={method} name={word("methods", method)} color={colorOf(method)} />
        ))}
      </div>
    </figure>
  )
}

const Named = ({ name, color }: { name: string; color: string }) => (
  <span className="flex items-center gap-x-1.5">
    <span className="size-2 rounded-sm" style={{ background: color }} />
    {name}
  </span>
)

/** Round numbers from zero to at least this one, in at most four steps of 1, 2 or 5 times a power of ten. */
function ticksTo(highest: number): number[] {
  const most = Math.max(highest, 4)
  const power = 10 ** Math.floor(Math.log10(most / 4))
  const step = power * ([1, 2, 5].find((times) => times * power * 4 >= most) ?? 10)
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}
