import { Alert, toast } from "@medusajs/ui"
import { useQuery } from "@tanstack/react-query"

import type { AccountSettings, Option, ShownSubscription } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { useMay } from "../../lib/sdk"
import { Action } from "../link-to"
import { SETTINGS, useSaveSettings } from "../settings/options"

/** The options that name codes, with the fields of a subscription that have such a code and its name. */
const CODES = [
  ["subscriptions.statusCodes", "status", "status_label"],
  ["subscriptions.intervalCodes", "interval_unit", "interval_label"],
] as const

/** The service's list has codes where the page of a subscription has names. Names that no option has yet are offered to be kept. */
export const NamesToKeep = ({ subscription }: { subscription: ShownSubscription }) => {
  const mayKeep = useMay("update", "payment_service_settings")
  const { listed, merchant_id: merchant } = subscription
  const unnamed = CODES.filter(
    ([, code, label]) => listed && listed[code] !== null && !listed[label]
  )
  const { data } = useQuery({ ...SETTINGS, enabled: mayKeep && unnamed.length > 0 })
  const accounts = data?.accounts ?? []
  const isOfMerchant = ({ options }: AccountSettings) =>
    options.some(({ name, value }) => name === "merchantId" && value === merchant)
  const account = accounts.find(isOfMerchant) ?? accounts[0]
  const names = unnamed.flatMap(([name, code]) => {
    const option = account?.options.find((one) => one.name === name)
    const isOpen = option && !option.is_locked
    return isOpen ? [{ option, code: String(listed?.[code]), name: subscription[code] }] : []
  })
  return account && names.length > 0 ? <Keep names={names} account={account} /> : null
}

interface KeepProps {
  names: { option: Option; code: string; name: string }[]
  account: AccountSettings
}

const Keep = ({ names, account }: KeepProps) => {
  const { t } = useFormat()
  const saved = () => toast.success(t("settings.saved"))
  const { act, isPending, isSuccess } = useSaveSettings(account, saved, "settings.notSaved")
  if (isSuccess) return null
  const options = Object.fromEntries(
    names.map(({ option, name, code }) => [
      option.name,
      { ...(option.value as object | null), [name]: code },
    ])
  )
  const said = names.map(
    ({ option, name, code }) =>
      `${t(`subscriptions.keep.${option.name.split(".")[1] ?? ""}`)} ${code} = ${name}`
  )
  return (
    <Alert variant="info">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {t("subscriptions.keep.text", { names: said.join(", ") })}
        <Action onClick={() => act({ options })} isLoading={isPending}>
          {t("subscriptions.keep.action")}
        </Action>
      </div>
    </Alert>
  )
}
