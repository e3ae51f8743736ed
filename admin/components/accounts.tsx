import { useQuery } from "@tanstack/react-query"

import type { ConnectionAnswer } from "../lib/answers"
import { useFormat } from "../lib/format"
import { reading } from "../lib/sdk"
import { AddressSelect, asChoices, severalOf } from "./list-table"

const CONNECTION = reading<ConnectionAnswer>("connection")

/** @param every the interval in which an open page reads again, in milliseconds */
export const useConnection = (every?: number) =>
  useQuery({ ...CONNECTION, refetchInterval: every ?? false })

/** The accounts of the options, for a choice; none for a single account. */
export function useAccountsToChoose(): string[] {
  const { data } = useQuery({ ...CONNECTION, staleTime: 10 * 60_000, retry: false })
  const ids = (data?.accounts ?? []).flatMap(({ id }) => id ?? [])
  return ids.length > 1 ? ids : []
}

/** A list's filter by account; none in a store with one. */
export function useAccountFilter() {
  const { t } = useFormat()
  const ids = useAccountsToChoose()
  return ids.length ? [severalOf("account", t("fields.account"), asChoices(ids))] : []
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
