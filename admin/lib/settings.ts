import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"

import type { AccountSettings, Option, SettingsAnswer, Text } from "./api"
import { connectionKey, settingsKey } from "./query-keys"
import { post, Refusal } from "./refusal"
import { ask, sdk } from "./sdk"

export function useSettings() {
  return useQuery({ queryKey: settingsKey, queryFn: () => ask<SettingsAnswer>("settings") })
}

export interface Changes {
  options?: Record<string, unknown>
  secrets?: Record<string, string>
}

/** Saves what is set for an account, with what was set before. */
export function useSaveSettings({ account, version, options: before }: AccountSettings) {
  const client = useQueryClient()
  const stored = before.filter(({ source, is_secret }) => source === "stored" && !is_secret)
  return useMutation({
    mutationFn: ({ options = {}, secrets = {} }: Changes) => {
      const all = {
        ...Object.fromEntries(stored.map(({ name, value }) => [name, value])),
        ...options,
      }
      const set = Object.entries(all).filter(([, value]) => value !== null)
      return post<SettingsAnswer>("settings", {
        account,
        version,
        options: Object.fromEntries(set),
        secrets,
      })
    },
    onSuccess: (answer) => {
      client.setQueryData(settingsKey, answer)
      return client.invalidateQueries({ queryKey: connectionKey })
    },
  })
}

/** Why each option was refused, by its name; empty for another error. */
export function fieldsOf(error: unknown): Record<string, Text | undefined> {
  const facts: { fields?: Record<string, Text> } = error instanceof Refusal ? error.facts : {}
  return facts.fields ?? {}
}

/** The text of a value in its field. */
export function written({ value }: Pick<Option, "value">): string {
  if (value === null) return ""
  if (Array.isArray(value)) return value.join("\n")
  if (typeof value !== "object") return String(value)
  return Object.entries(value)
    .map(([label, code]) => `${label} = ${code}`)
    .join("\n")
}

/** The value of what was typed; null for an empty field, which sets nothing. What makes no sense is refused by the route. */
export function valueOf({ kind }: Pick<Option, "kind">, typed: string): unknown {
  const text = typed.trim()
  if (text === "") return null
  const lines = text.split("\n").flatMap((line) => line.trim() || [])
  switch (kind) {
    case "number":
      return Number.isNaN(Number(text)) ? text : Number(text)
    case "flag":
      return text === "true"
    case "list":
      return lines
    case "codes":
      return Object.fromEntries(
        lines.map((line) => {
          const [label = "", code = ""] = line.split(/\s*=\s*/, 2)
          return [label, code]
        })
      )
    default:
      return text
  }
}

interface Region {
  id: string
  name: string
  currency_code: string
  payment_providers?: { id: string }[]
}

/** The store's regions with their payment providers. */
export function useRegions() {
  return useQuery({
    queryKey: [...settingsKey, "regions"],
    queryFn: async () => {
      const fields = "id,name,currency_code,*payment_providers"
      const { regions } = await sdk.admin.region.list({ fields, limit: 100 })
      return regions
    },
  })
}

/** Enables our ways to pay in a region, beside those that it has. */
export function useEnable() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ region, ours }: { region: Region; ours: string[] }) => {
      const before = (region.payment_providers ?? []).map(({ id }) => id)
      return sdk.admin.region.update(region.id, {
        payment_providers: [...new Set([...before, ...ours])],
      })
    },
    onSuccess: () =>
      Promise.all(
        [settingsKey, connectionKey, ["regions"]].map((queryKey) =>
          client.invalidateQueries({ queryKey })
        )
      ),
  })
}

export interface TestPayment {
  transaction_row_id: string | null
  redirect: string | null
}

export function useTestPayment() {
  return useMutation({
    mutationFn: (of: { region_id: string; provider_id: string; amount: number }) =>
      post<TestPayment>("settings/test-payment", of),
  })
}
