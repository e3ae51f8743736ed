import type { PaidOfDay } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { BarChart } from "./bar-chart"

/** A method has the same color in the chart of each currency. Those of the dashboard's tags differ between light and dark mode. */
const COLORS: Partial<Record<string, string>> = {
  sbp: "var(--tag-blue-icon)",
  crypto: "var(--tag-purple-icon)",
}
const colorOf = (method: string) => COLORS[method] ?? "var(--tag-neutral-icon)"

interface PaidChartProps {
  days: string[]
  paid: PaidOfDay[]
  currency: string
}

/** The sums paid on each day in one currency: a bar per day with a part per method. */
export const PaidChart = ({ days, paid, currency }: PaidChartProps) => {
  const { t, money, word, shortDay, compact, day: dayText } = useFormat()
  const methods = [...new Set(paid.map(({ method }) => method))].sort()
  const amounts = new Map(paid.map(({ day, method, amount }) => [`${day} ${method}`, amount]))
  const bars = days.map((day) => {
    const title = dayText(day, "UTC")
    const sums = methods.map((method) => ({
      name: word("methods", method),
      amount: amounts.get(`${day} ${method}`) ?? "0",
      color: colorOf(method),
    }))
    return {
      label: shortDay(day),
      spoken: [title, ...sums.map((one) => `${one.name} ${money(one.amount, currency)}`)].join(
        ", "
      ),
      tooltip: (
        <>
          <div className="text-ui-fg-base">{title}</div>
          {sums.map(({ name, amount, color }) => (
            <div key={name} className="flex items-center justify-between gap-x-4">
              <Named name={name} color={color} />
              <span className="text-ui-fg-base">{money(amount, currency)}</span>
            </div>
          ))}
        </>
      ),
      // Sums are only drawn here, so a float is exact enough.
      parts: sums.map(({ color, amount }) => ({ color, value: Number(amount) })),
    }
  })
  return (
    <figure aria-label={t("overview.paid.chart", { currency })}>
      <BarChart bars={bars} choice={t("overview.paid.day")} writeTick={compact} />
      <div aria-hidden className="txt-compact-xsmall text-ui-fg-subtle flex flex-wrap gap-x-4">
        {methods.map((method) => (
          <Named key={method} name={word("methods", method)} color={colorOf(method)} />
        ))}
      </div>
    </figure>
  )
}

/** A method beside its color in the bars. */
const Named = ({ name, color }: { name: string; color: string }) => (
  <span className="flex items-center gap-x-1.5">
    <span className="size-2 rounded-sm" style={{ background: color }} />
    {name}
  </span>
)
