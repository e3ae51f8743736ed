import { Container, Heading, Text } from "@medusajs/ui"

import { useFormat } from "../../lib/format"
import { paidIn, transactionsAt } from "../../lib/lists"
import { useMeasures } from "../../lib/measures"
import type { OverviewAnswer, PaidByMethod } from "../../lib/api"
import { CardHeading } from "./figure"
import { PaidChart } from "./paid-chart"

/** The sums paid in the period: a chart by day, and sums by method beside those of the period before. */
export const PaidCard = ({ overview }: { overview: OverviewAnswer }) => {
  const { t } = useFormat()
  const { days, totals, before } = overview.paid
  const currencies = [...new Set([...totals, ...before].map(({ currency }) => currency))].sort()
  const of = (currency: string) => (one: PaidByMethod) => one.currency === currency
  return (
    <Container className="divide-y p-0">
      <div className="px-6 py-4">
        <CardHeading to={transactionsAt({ state: ["paid"], ...paidIn(overview) })}>
          {t("overview.paid.title")}
        </CardHeading>
        <Text size="small" className="text-ui-fg-subtle">
          {t("overview.paid.note")}
        </Text>
      </div>
      {currencies.length === 0 && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-8 text-center">
          {t("overview.paid.nothing")}
        </Text>
      )}
      {currencies.map((currency) => (
        <div key={currency}>
          <div className="flex flex-col gap-y-2 px-6 pt-4">
            {currencies.length > 1 && <Heading level="h3">{currency}</Heading>}
            <PaidChart days={overview.days} paid={days.filter(of(currency))} currency={currency} />
          </div>
          <Totals totals={totals.filter(of(currency))} before={before.filter(of(currency))} />
        </div>
      ))}
    </Container>
  )
}

/** A row for each method, and one for all of them where there are several. Sums are of one currency. */
const Totals = ({ totals, before }: { totals: PaidByMethod[]; before: PaidByMethod[] }) => {
  const { t, word } = useFormat()
  const methods = [...new Set([...totals, ...before].map(({ method }) => method))].sort()
  const of = (method: string) => (one: PaidByMethod) => one.method === method
  return (
    // One grid for all rows: each column is as wide as its longest text, so that sums stay in one line.
    <div className="flex flex-col gap-2 px-6 py-4 sm:grid sm:grid-cols-[1fr_auto_auto_auto] sm:gap-x-3">
      {methods.map((method) => (
        <Total
          key={method}
          name={word("methods", method)}
          totals={totals.filter(of(method))}
          before={before.filter(of(method))}
        />
      ))}
      {methods.length > 1 && (
        <Total name={t("overview.paid.all")} totals={totals} before={before} isWhole />
      )}
    </div>
  )
}

/** The total of sums in one currency. It is only shown, so a float is exact enough. */
const sumOf = (totals: PaidByMethod[]) => ({
  count: totals.reduce((sum, { count }) => sum + count, 0),
  amount: totals.reduce((sum, { amount }) => sum + Number(amount), 0),
})

const Total = ({
  name,
  totals,
  before,
  isWhole = false,
}: {
  name: string
  totals: PaidByMethod[]
  before: PaidByMethod[]
  isWhole?: boolean
}) => {
  const { t, money } = useFormat()
  const { change } = useMeasures()
  const currency = (totals[0] ?? before[0])?.currency ?? "RUB"
  const [now, then] = [sumOf(totals), sumOf(before)]
  const inMoney = (amount: number) => money(amount.toFixed(2).replace(/\.00$/, ""), currency)
  const difference = change(now.amount, then.amount)
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-4 sm:contents">
      <Text size="small" leading="compact" weight={isWhole ? "plus" : "regular"}>
        {name}
      </Text>
      <Text size="small" leading="compact" className="text-ui-fg-subtle text-right sm:text-left">
        {t("overview.payments", { count: now.count })}
      </Text>
      <Text size="small" leading="compact" weight="plus" className="sm:text-right">
        {inMoney(now.amount)}
        {difference !== null && (
          <span className="text-ui-fg-subtle font-normal"> {difference}</span>
        )}
      </Text>
      <Text size="small" leading="compact" className="text-ui-fg-subtle text-right">
        {then.count === 0
          ? t("overview.nothingBefore")
          : t("overview.before", { value: inMoney(then.amount) })}
      </Text>
    </div>
  )
}
