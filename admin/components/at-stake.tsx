import type { Problem } from "../lib/api"
import { useFormat } from "../lib/format"

/** The money that a problem is about: its sum, or the sums of all payments with its status. */
export const AtStake = ({ problem }: { problem: Problem }) => {
  const { t, money } = useFormat()
  if (!problem.payments?.length) return <>{money(problem.amount, problem.currency)}</>
  return (
    <span className="flex flex-col">
      {problem.payments.map(({ currency, count, amount }) => (
        <span key={currency}>
          {money(amount, currency)} · {t("overview.payments", { count })}
        </span>
      ))}
    </span>
  )
}
