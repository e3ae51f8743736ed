import { clx, Tooltip } from "@medusajs/ui"
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from "react"

import type { OverviewAnswer } from "../../lib/answers"
import { useFormat } from "../../lib/format"

/** A method has the same color in the chart of each currency. Those of the dashboard's tags differ between light and dark mode. */
const COLORS: Partial<Record<string, string>> = {
  sbp: "var(--tag-blue-icon)",
  crypto: "var(--tag-purple-icon)",
}
const colorOf = (method: string) => COLORS[method] ?? "var(--tag-neutral-icon)"

interface PaidChartProps {
  days: string[]
  paid: OverviewAnswer["paid"]["days"]
  currency: string
}

/** The sums paid on each day in one currency: a bar per day with a part per method. */
export const PaidChart = ({ days, paid, currency }: PaidChartProps) => {
  const { t, money, word, shortDay, compact, day: dayText } = useFormat()
  const methods = [...new Set(paid.map(({ method }) => method))].sort()
  const amounts = new Map(paid.map(({ day, method, amount }) => [`${day} ${method}`, amount]))
  const bars = days.map((day) => {
    const title = dayText(day, "UTC")
    const sums = methods.map((method) => {
      const value = amounts.get(`${day} ${method}`) ?? "0"
      const shown = { name: word("methods", method), color: colorOf(method) }
      return { ...shown, value, amount: money(value, currency) }
    })
    return {
      label: shortDay(day),
      spoken: [title, ...sums.map(({ name, amount }) => `${name} ${amount}`)].join(", "),
      tooltip: (
        <>
          <div className="text-ui-fg-base">{title}</div>
          {sums.map(({ name, amount, color }) => (
            <div key={name} className="flex items-center justify-between gap-x-4">
              <Named name={name} color={color} />
              <span className="text-ui-fg-base">{amount}</span>
            </div>
          ))}
        </>
      ),
      // Sums are only drawn here, so a float is exact enough.
      parts: sums.map(({ color, value }) => ({ color, value: Number(value) })),
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

const Named = ({ name, color }: { name: string; color: string }) => (
  <span className="flex items-center gap-x-1.5">
    <span className="size-2 rounded-sm" style={{ background: color }} />
    {name}
  </span>
)

interface Bar {
  label: string
  spoken: string
  tooltip: ReactNode
  /** From below to above. */
  parts: { color: string; value: number }[]
}

interface BarChartProps {
  bars: Bar[]
  choice: string
  writeTick: (value: number) => string
}

const HEIGHT = 200

/**
 * Bars of stacked parts. The mouse and the arrow keys choose one, whose tooltip is shown; for screen readers, they are the values of
 * a slider. Places from left to right are shares of the width, so that nothing is measured.
 */
const BarChart = ({ bars, choice, writeTick }: BarChartProps) => {
  const [chosen, setChosen] = useState<number | null>(null)
  const last = bars.length - 1
  const current = Math.min(chosen ?? last, last)
  const choose = (index: number) => setChosen(Math.max(0, Math.min(index, last)))
  const choosePointed = ({ clientX, currentTarget }: MouseEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    choose(Math.floor(((clientX - left) / width) * bars.length))
  }
  const chooseByKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") setChosen(null)
    const targets = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last }
    const target = (targets as Partial<Record<string, number>>)[event.key]
    if (target === undefined) return
    event.preventDefault()
    choose(target)
  }

  const ticks = ticksTo(Math.max(...bars.map(({ parts }) => heightOf(parts))))
  const pixels = (value: number) => (value / Math.max(...ticks)) * HEIGHT
  const share = (index: number) => `${(index / bars.length) * 100}%`
  // A single bar is not as wide as the chart.
  const width = Math.min(70, 6 * bars.length)
  // At most eight bars have a label, and four on a phone.
  const step = Math.ceil(bars.length / 8)
  // The widest characters of a number are its digits.
  const margin = Math.max(...ticks.map((tick) => writeTick(tick).length)) + 1
  return (
    <svg
      role="slider"
      aria-label={choice}
      aria-valuemin={1}
      aria-valuemax={bars.length}
      aria-valuenow={current + 1}
      aria-valuetext={bars[current]?.spoken}
      tabIndex={0}
      className="txt-compact-xsmall text-ui-fg-subtle focus-visible:shadow-borders-focus mb-8 mt-2 overflow-visible rounded outline-none"
      style={{ height: HEIGHT, width: `calc(100% - ${margin}ch)`, marginLeft: `${margin}ch` }}
      onMouseMove={choosePointed}
      onMouseLeave={() => setChosen(null)}
      onFocus={() => choose(current)}
      onBlur={() => setChosen(null)}
      onKeyDown={chooseByKey}
    >
      {ticks.map((tick) => (
        <svg key={tick} y={HEIGHT - pixels(tick)} className="overflow-visible">
          <line x2="100%" stroke="var(--border-base)" />
          <text x="-1ch" textAnchor="end" dominantBaseline="central" fill="currentColor">
            {writeTick(tick)}
          </text>
        </svg>
      ))}
      {bars.map(({ label, spoken, tooltip, parts }, index) => (
        <svg key={spoken} x={share(index)} width={share(1)} className="overflow-visible">
          {index === chosen && (
            <Tooltip open content={tooltip} maxWidth={320} collisionPadding={8}>
              <rect width="100%" height={HEIGHT} fill="var(--bg-field-hover)" />
            </Tooltip>
          )}
          {parts.map(({ color, value }, place) => (
            <rect
              key={place}
              x={`${50 - width / 2}%`}
              width={`${width}%`}
              y={HEIGHT - pixels(heightOf(parts.slice(0, place + 1)))}
              height={pixels(value)}
              fill={color}
            />
          ))}
          {index % step === 0 && (
            <text
              x="50%"
              y={HEIGHT + 20}
              textAnchor="middle"
              fill="currentColor"
              className={clx(index % (2 * step) !== 0 && "hidden sm:block")}
            >
              {label}
            </text>
          )}
        </svg>
      ))}
    </svg>
  )
}

const heightOf = (parts: Bar["parts"]) => parts.reduce((sum, { value }) => sum + value, 0)

/** Round numbers from zero to at least this one, in at most four steps of 1, 2 or 5 times a power of ten. */
function ticksTo(highest: number): number[] {
  const most = Math.max(highest, 4)
  const power = 10 ** Math.floor(Math.log10(most / 4))
  const step = power * ([1, 2, 5].find((times) => times * power * 4 >= most) ?? 10)
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}
