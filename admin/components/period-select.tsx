import { Select } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"

import { useFormat } from "../lib/format"
import { type Period, PERIODS } from "../lib/period"

/** Chooses the period, which is kept in the address bar. */
export const PeriodSelect = ({ period }: { period: Period }) => {
  const { t } = useFormat()
  const [, setParams] = useSearchParams()
  const choose = (chosen: string) =>
    setParams((before) => {
      before.set("period", chosen)
      // An offset in one period means nothing in another.
      before.delete("offset")
      return before
    })
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
