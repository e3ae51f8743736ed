import { Select } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"

import { useFormat } from "../lib/format"
import { useAccountsToChoose } from "../lib/overview-queries"
import { type Period, PERIODS, zones } from "../lib/period"

interface AddressSelectProps {
  /** The name in the address bar, which keeps the choice. */
  name: "account" | "period" | "zone"
  value: string
  options: readonly string[]
  /** How an option is called, and how it is written in the address bar; as it is, unless given. */
  nameOf?: (option: string) => string
  write?: (option: string) => string
}

const asItIs = (option: string) => option

const AddressSelect = ({
  name,
  value,
  options,
  nameOf = asItIs,
  write = asItIs,
}: AddressSelectProps) => {
  const { t } = useFormat()
  const [, setParams] = useSearchParams()
  const choose = (chosen: string) =>
    setParams((before) => {
      before.set(name, write(chosen))
      // An offset in one list means nothing in another.
      before.delete("offset")
      return before
    })
  return (
    <Select size="small" value={value} onValueChange={choose}>
      <Select.Trigger className="w-fit" aria-label={t(`fields.${name}`)}>
        <Select.Value />
      </Select.Trigger>
      <Select.Content>
        {options.map((one) => (
          <Select.Item key={one} value={one}>
            {nameOf(one)}
          </Select.Item>
        ))}
      </Select.Content>
    </Select>
  )
}

/** Chooses the account whose merchant's list is shown, by default the first. A store with one account has no choice. */
export const AccountSelect = ({ account }: { account: string | undefined }) => {
  const accounts = useAccountsToChoose()
  const [first] = accounts
  if (first === undefined) return null
  return (
    <AddressSelect
      name="account"
      value={account ?? first}
      options={accounts}
      write={JSON.stringify}
    />
  )
}

export const PeriodSelect = ({ period }: { period: Period }) => {
  const { t } = useFormat()
  return (
    <AddressSelect
      name="period"
      value={period}
      options={PERIODS}
      nameOf={(one) => t(`periods.${one}`)}
    />
  )
}

/** Chooses the time zone of the service's times. */
export const ZoneSelect = ({ zone }: { zone: string }) => (
  <AddressSelect name="zone" value={zone} options={zones()} />
)
