import { Alert, toast } from "@medusajs/ui"

import { useReadAgain } from "../../lib/actions"
import type { AccountSettings, ShownSubscription } from "../../lib/answers"
import { useMay } from "../../lib/permissions"
import { Action } from "../link-to"
import { useSaveSettings, useSettings } from "../settings/options"
import { useSubscriptionWords } from "./words"

interface NamesToKeepProps {
  subscription: ShownSubscription
}

/** The service's list has codes where the page of a subscription has names. Names that no option has yet are offered to be kept. */
export const NamesToKeep = ({ subscription }: NamesToKeepProps) => {
  const mayKeep = useMay("update", "payment_service_settings")
  const names = subscription.listed ? unnamed(subscription.listed, subscription) : []
  return mayKeep && names.length > 0 ? <Offer names={names} of={subscription.merchant_id} /> : null
}

interface Name {
  option: string
  code: number
  name: string
}

type Codes = NonNullable<ShownSubscription["listed"]>

function unnamed(listed: Codes, shown: ShownSubscription): Name[] {
  const { status, status_label, interval_unit, interval_label } = listed
  return [
    ...(status === null || status_label !== null
      ? []
      : [{ option: "subscriptions.statusCodes", code: status, name: shown.status }]),
    ...(interval_unit === null || interval_label !== null
      ? []
      : [
          { option: "subscriptions.intervalCodes", code: interval_unit, name: shown.interval_unit },
        ]),
  ]
}

const Offer = ({ names, of }: { names: Name[]; of: string }) => {
  const { data: settings } = useSettings()
  const accounts = settings?.accounts ?? []
  const isOfMerchant = ({ options }: AccountSettings) =>
    options.some(({ name, value }) => name === "merchantId" && value === of)
  const account = accounts.find(isOfMerchant) ?? accounts[0]
  return account ? <Keep names={names} account={account} /> : null
}

const Keep = ({ names, account }: { names: Name[]; account: AccountSettings }) => {
  const { t } = useSubscriptionWords()
  const readAgain = useReadAgain("subscriptions")
  const kept = () => {
    toast.success(t("settings.saved"))
    void readAgain()
  }
  const { act, isPending, isSuccess } = useSaveSettings(account, kept, "settings.notSaved")
  const open = names.flatMap(({ option: name, ...one }) => {
    const option = account.options.find((each) => each.name === name)
    return option && !option.is_locked ? [{ ...one, option }] : []
  })
  if (!open.length || isSuccess) return null
  const keep = () =>
    act({
      options: Object.fromEntries(
        open.map(({ option, name, code }) => [
          option.name,
          { ...(option.value as object | null), [name]: String(code) },
        ])
      ),
    })
  const said = open.map(
    ({ option, name, code }) =>
      `${t(`subscriptions.keep.${option.name.split(".")[1] ?? ""}`)} ${code} = ${name}`
  )
  return (
    <Alert variant="info">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {t("subscriptions.keep.text", { names: said.join(", ") })}
        <Action onClick={keep} isLoading={isPending}>
          {t("subscriptions.keep.action")}
        </Action>
      </div>
    </Alert>
  )
}
