import { Select } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"

import { useFormat } from "../lib/format"
import { zones } from "../lib/period"

/** Chooses the time zone of the service's times; the address bar keeps it. */
export const ZoneSelect = ({ zone }: { zone: string }) => {
  const { t } = useFormat()
  const [, setParams] = useSearchParams()
  const choose = (chosen: string) =>
    setParams((before) => {
      before.set("zone", chosen)
      // The days of another zone have other records.
      before.delete("offset")
      return before
    })
  return (
    <Select size="small" value={zone} onValueChange={choose}>
      <Select.Trigger className="w-fit" aria-label={t("fields.zone")}>
        <Select.Value />
      </Select.Trigger>
      <Select.Content>
        {zones().map((one) => (
          <Select.Item key={one} value={one}>
            {one}
          </Select.Item>
        ))}
      </Select.Content>
    </Select>
  )
}
