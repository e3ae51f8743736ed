import { Select } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"

import { useFormat } from "../lib/format"
import { useAccountsToChoose } from "../lib/overview-queries"

/**
 * Chooses the account whose merchant's list is shown, by default the first; the address bar keeps it. A store with one account has
 * no choice.
 */
export const AccountSelect = ({ account }: { account: string | undefined }) => {
  const { t } = useFormat()
  const accounts = useAccountsToChoose()
  const [, setParams] = useSearchParams()
  const choose = (chosen: string) =>
    setParams((before) => {
      before.set("account", JSON.stringify(chosen))
      // An offset in one list means nothing in another.
      before.delete("offset")
      return before
    })
  const [first] = accounts
  if (first === undefined) return null
  return (
    <Select size="small" value={account ?? first} onValueChange={choose}>
      <Select.Trigger className="w-fit" aria-label={t("fields.account")}>
        <Select.Value />
      </Select.Trigger>
      <Select.Content>
        {accounts.map((one) => (
          <Select.Item key={one} value={one}>
            {one}
          </Select.Item>
        ))}
      </Select.Content>
    </Select>
  )
}
