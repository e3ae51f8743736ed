import { createDataTableFilterHelper } from "@medusajs/ui"
import { useMemo } from "react"

import { useFormat } from "./format"
import { useAccountsToChoose } from "./overview-queries"

const filter = createDataTableFilterHelper<{ account: string }>()

/** The filter of a list by account, one at a time or several; none in a store that has only one. */
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
