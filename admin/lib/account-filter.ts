import { createDataTableFilterHelper } from "@medusajs/ui"
import { useMemo } from "react"

import { useFormat } from "./format"
import { useAccountsToChoose } from "./overview-queries"

const filter = createDataTableFilterHelper<{ account: string }>()

/** A list's filter by account, with a single or several choices; none in a store with one account. */
export function useAccountFilter(type: "radio" | "multiselect") {
  const { t } = useFormat()
  const accounts = useAccountsToChoose().join(" ")
  return useMemo(() => {
    const options = accounts.split(" ").map((id) => ({ label: id, value: id }))
    return accounts
      ? [filter.accessor("account", { type, label: t("fields.account"), options })]
      : []
  }, [t, type, accounts])
}
