import { Select } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"

import { useFormat } from "../../lib/format"

const DAYS = { last_7_days: 7, last_30_days: 30, last_90_days: 90 }
type Period = keyof typeof DAYS
const PERIODS = Object.keys(DAYS) as Period[]

/** The period in the address bar, in whole days of the admin's time zone, today included. */
export function usePeriod() {
  const [params, setParams] = useSearchParams()
  const period = PERIODS.find((one) => one === params.get("period")) ?? "last_7_days"
  const choose = (chosen: string) =>
    setParams((before) => {
      before.set("period", chosen)
      return before
    })
  const today = new Date()
  const midnight = (days: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + days).toISOString()
  const query = {
    from: midnight(1 - DAYS[period]),
    to: midnight(1),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
  return { period, choose, query }
}

export const PeriodSelect = ({
  period,
  choose,
}: {
  period: Period
  choose: (period: string) => void
}) => {
  const { t } = useFormat()
  return (
    <Select size="small" value={period} onValueChange={choose}>
      <Select.Trigger className="w-fit" aria-label={t("fields.period")}>
        <Select.Value />
      </Select.Trigger>
      <Select.Content>
        {PERIODS.map((one) => (
          <Select.Item key={one} value={one}>
            {t(`periods.${one}`)}
          </Select.Item>
        ))}
      </Select.Content>
    </Select>
  )
}
