import { useQueryClient } from "@tanstack/react-query"

import { postForm, reading, useAction } from "../../lib/sdk"
import type { AccountSettings, Option, SettingsAnswer, Text } from "../../lib/answers"

export const SETTINGS = reading<SettingsAnswer>("settings")

/** The payments of an account that are not final: shoppers go on while the page is open, so it is asked anew. */
export async function inFlightNow({ account, in_flight: known }: AccountSettings): Promise<number> {
  const answer = await SETTINGS.queryFn().catch(() => null)
  return answer?.accounts.find((one) => one.account === account)?.in_flight ?? known
}

export interface Changes {
  options?: Record<string, unknown>
  secrets?: Record<string, string>
}

/** Saves what is set for an account, with what was set before. */
export function useSaveSettings(account: AccountSettings, done: () => void, failed = "") {
  const client = useQueryClient()
  const { version, options: before } = account
  const stored = before.filter(({ source, is_secret }) => source === "stored" && !is_secret)
  return useAction({
    run: ({ options: changed = {}, secrets = {} }: Changes) => {
      const kept = Object.fromEntries(stored.map(({ name, value }) => [name, value]))
      const set = Object.entries({ ...kept, ...changed }).filter(([, value]) => value !== null)
      const options = Object.fromEntries(set)
      const body = { account: account.account, version, options, secrets }
      return postForm<SettingsAnswer>("settings", body)
    },
    done: (answer) => {
      client.setQueryData(SETTINGS.queryKey, answer)
      done()
    },
    failed,
    readAgain: ["connection", "subscriptions"],
  })
}

/** Why each option was refused, by its name; empty for another error. */
export function fieldsOf(error: unknown): Record<string, Text | undefined> {
  const { facts } = (error ?? {}) as { facts?: { fields?: Record<string, Text> } }
  return facts?.fields ?? {}
}

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
