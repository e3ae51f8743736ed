import { createDataTableFilterHelper } from "@medusajs/ui"
import { useMemo } from "react"

import { useFormat } from "./format"
import { useAccountsToChoose } from "./overview-queries"

const filter = createDataTableFilterHelper<{ account: string }>()

/** A list's filter by account, with several choices; none in a store with one account. */
export function useAccountFilter() {
  const { t } = useFormat()
  const accounts = useAccountsToChoose().join(" ")
  return useMemo(() => {
    const options = accounts.split(" ").map((id) => ({ label: id, value: id }))
    return accounts
      ? [filter.accessor("account", { type: "multiselect", label: t("fields.account"), options })]
      : []
  }, [t, accounts])
}
