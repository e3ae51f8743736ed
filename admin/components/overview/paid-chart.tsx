import { useEffect, useState } from "react"

import { useFormat } from "../../lib/format"
import { useMeasures } from "../../lib/measures"
import type { PaidOfDay } from "../../lib/overview-api"

type Charts = typeof import("recharts")

const HEIGHT = 240
/** A method has the same color in the chart of each currency. Those of the dashboard's tags differ between light and dark mode. */
const COLORS: Partial<Record<string, string>> = {
  sbp: "var(--tag-blue-icon)",
  crypto: "var(--tag-purple-icon)",
}

/** Charts are half of all code of the pages, so they are loaded after the page. */
function useCharts(): Charts | null {
  const [charts, setCharts] = useState<Charts | null>(null)
  useEffect(() => {
    let isGone = false
    // Without charts, the figures are still shown.
    import("recharts").then(
      (loaded) => {
        if (!isGone) setCharts(loaded)
      },
      () => undefined
    )
    return () => {
      isGone = true
    }
  }, [])
  return charts
}

/** The sums paid on each day in one currency: a bar per day with a part per method. */
export const PaidChart = ({
  days,
  paid,
  currency,
}: {
  days: string[]
  paid: PaidOfDay[]
  currency: string
}) => {
  const { t, money, word } = useFormat()
  const { shortDay, compact } = useMeasures()
  const charts = useCharts()
  const methods = [...new Set(paid.map(({ method }) => method))].sort()
  const bars = days.map((day) => ({
    day,
    ...Object.fromEntries(
      methods.map((method) => {
        const found = paid.find((one) => one.day === day && one.method === method)
        return [method, Number(found?.amount ?? 0)]
      })
    ),
  }))
  if (!charts) return <div style={{ height: HEIGHT }} aria-busy />
  const { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } =
    charts
  const text = { fill: "var(--fg-subtle)", fontSize: 12 }
  return (
    <figure aria-label={t("overview.paid.chart", { currency })}>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <BarChart data={bars} margin={{ top: 8, right: 0, bottom: 0, left: 0 }}>
          <CartesianGrid vertical={false} stroke="var(--border-base)" />
          <XAxis
            dataKey="day"
            tickFormatter={shortDay}
            tick={text}
            stroke="var(--border-base)"
            minTickGap={16}
          />
          <YAxis
            tickFormatter={compact}
            tick={text}
            axisLine={false}
            tickLine={false}
            width="auto"
          />
          <Tooltip
            cursor={{ fill: "var(--bg-base-hover)" }}
            labelFormatter={(day) => (typeof day === "string" ? shortDay(day) : day)}
            formatter={(value, name) => [money(String(value), currency), name]}
            contentStyle={{
              background: "var(--bg-component)",
              border: "1px solid var(--border-base)",
              borderRadius: 8,
              color: "var(--fg-base)",
              fontSize: 12,
            }}
          />
          <Legend
            wrapperStyle={{ fontSize: 12 }}
            formatter={(name) => <span className="text-ui-fg-subtle">{name}</span>}
          />
          {methods.map((method) => (
            <Bar
              key={method}
              dataKey={method}
              name={word("methods", method)}
              stackId="paid"
              fill={COLORS[method] ?? "var(--tag-neutral-icon)"}
              isAnimationActive={false}
              maxBarSize={40}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </figure>
  )
}
