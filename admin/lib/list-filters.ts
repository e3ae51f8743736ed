import { createDataTableFilterHelper, type DataTableFilter } from "@medusajs/ui"
import { useMemo } from "react"

import { useFormat } from "./format"
import { useAccountsToChoose } from "./overview-queries"

const filter = createDataTableFilterHelper<Record<string, unknown>>()

interface Choice {
  label: string
  value: string
}

/** A list's filter with several choices. */
export const severalOf = (id: string, label: string, options: Choice[]) =>
  filter.accessor(id, { type: "multiselect", label, options })

/** A list's filter with one choice. */
export const oneOf = (id: string, label: string, options: Choice[]) =>
  filter.accessor(id, { type: "radio", label, options })

/** A list's filter whose value is typed. */
export const typed = (id: string, label: string, placeholder?: string) =>
  filter.accessor(id, { type: "string", label, placeholder })

/** Medusa's filter of dates under another id and label. */
export const datesOf = (medusas: DataTableFilter[], id: string, label: string) =>
  medusas.filter((one) => one.id === "created_at").map((one) => ({ ...one, id, label }))

/** A list's filter by account, with several choices; none in a store with one account. */
export function useAccountFilter() {
  const { t } = useFormat()
  const accounts = useAccountsToChoose().join(" ")
  return useMemo(() => {
    const options = accounts.split(" ").map((id) => ({ label: id, value: id }))
    return accounts ? [severalOf("account", t("fields.account"), options)] : []
  }, [t, accounts])
}
