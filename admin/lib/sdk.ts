import { ordersQueryKeys } from "@medusajs/dashboard/hooks"
import Medusa from "@medusajs/js-sdk"
import { toast, usePrompt } from "@medusajs/ui"
import {
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from "@tanstack/react-query"
import { useRef } from "react"
import { type LoaderFunctionArgs, useLoaderData, useParams } from "react-router-dom"

import type { Reads, Text } from "./answers"
import { useFormat } from "./format"

/** The dashboard does not share its own client with plugins; this one has the same configuration. */
export const sdk = new Medusa({
  baseUrl: __BACKEND_URL__ ?? "/",
  auth: {
    type: __AUTH_TYPE__ ?? "session",
    ...(__JWT_TOKEN_STORAGE_KEY__ ? { jwtTokenStorageKey: __JWT_TOKEN_STORAGE_KEY__ } : {}),
  },
})

type Call = NonNullable<Parameters<typeof sdk.client.fetch>[1]>

/** The language of the page, which the dashboard stores under this name; the routes refuse in it. */
const languageOf = () => localStorage.getItem("lng") ?? navigator.language

/** @throws FetchError when the route answers with an error; TypeError when the store does not answer */
export async function call<Answer>(path: string, { headers, ...rest }: Call = {}): Promise<Answer> {
  return await sdk.client.fetch<Answer>(`/admin/payment-service/${path}`, {
    ...rest,
    headers: { "accept-language": languageOf(), ...headers },
  })
}

export const ask = <Answer>(path: string, query: object = {}) =>
  call<Answer>(path, { query: { ...query } })

export const post = <Answer>(path: string, body: object = {}) =>
  call<Answer>(path, { method: "POST", body: { ...body } })

/**
 * A POST of a form. Medusa's own client keeps only an error's message, but a form shows which of its fields are wrong.
 *
 * @throws Error with the `status` and the `facts` of the route's refusal; TypeError when the store does not answer
 */
export async function postForm<Answer>(path: string, body: object): Promise<Answer> {
  const token = __AUTH_TYPE__ === "jwt" && (await sdk.client.getToken())
  const address = `${(__BACKEND_URL__ ?? "/").replace(/\/$/, "")}/admin/payment-service/${path}`
  const response = await fetch(address, {
    method: "POST",
    headers: {
      "accept-language": languageOf(),
      "content-type": "application/json",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    credentials: token ? "omit" : "include",
    body: JSON.stringify(body),
  })
  if (response.ok) return (await response.json()) as Answer
  const { status, statusText } = response
  const refused = (await response.json().catch(() => ({}))) as { message?: string; facts?: object }
  throw Object.assign(new Error(refused.message ?? statusText), { status, facts: refused.facts })
}

const keyOf = (path: string) => ["payment_service", ...path.split("/")]

export type Query = { q?: string; [name: string]: unknown }
export type Reading<Path extends keyof Reads> = Partial<UseQueryOptions<Reads[Path]>>

/** The path of an entry of a list; an id is written by people, too. */
export const entryOf = <List extends string>(list: List, id: string) =>
  `${list}/${encodeURIComponent(id)}` as const

/**
 * The read of a route, under a key that has the route's name. What is searched for, an e-mail address or a name, goes in a body,
 * because addresses are logged.
 */
export const reading = <Path extends keyof Reads>(path: Path, query: Query = {}) => ({
  queryKey: [...keyOf(path), query],
  queryFn: () =>
    query.q ? post<Reads[Path]>(`search/${path}`, query) : ask<Reads[Path]>(path, query),
})

/** Reads a route for a page. */
export const useRead = <Path extends keyof Reads>(
  path: Path,
  query: Query = {},
  more: Reading<Path> = {}
) => useQuery<Reads[Path]>({ ...reading(path, query), ...more })

/** Reads what a page shows before it opens; where that fails, the page itself says why. */
export const loading =
  (list: string) =>
  async ({ params }: LoaderFunctionArgs) =>
    await ask(entryOf(list, params.id ?? "")).catch(() => undefined)

/** The entry that a page is about, from its `loading` at first. */
export function useEntry<List extends "payouts" | "problems" | "transactions">(
  list: List,
  more: Reading<`${List}/${string}`> = {}
) {
  const { id = "" } = useParams()
  const initialData = useLoaderData() as Reads[`${List}/${string}`] | undefined
  return useRead(entryOf(list, id), {}, { initialData, ...more })
}

/** The operations of a role, by resource; the routes refuse all others. */
interface Operations {
  payment_service: "read" | "update" | "export"
  payment_service_payout: "read" | "create" | "approve"
  payment_service_settings: "read" | "update"
}

/** Whether the user may do this: no, until it is known; yes, if it cannot be read or roles are off. The routes decide. */
export function useMay<Resource extends keyof Operations = "payment_service">(
  operation: Operations[Resource],
  resource?: Resource
): boolean {
  const staleTime = 5 * 60_000
  // Medusa's own pages ask both questions under these keys, too, and have the first answered before any page is shown.
  const flags = useQuery({
    queryKey: ["admin", "feature-flags"],
    queryFn: async () => {
      type Flags = Record<string, boolean | undefined>
      return (await sdk.client.fetch<{ feature_flags: Flags }>("/admin/feature-flags"))
        .feature_flags
    },
    staleTime,
  })
  const hasRoles = flags.data?.rbac === true
  const { data, isError } = useQuery({
    queryKey: ["me-permissions"],
    queryFn: () => sdk.admin.rbacRole.mePermissions(),
    enabled: hasRoles,
    staleTime,
  })
  if (!hasRoles) return !flags.isPending
  if (data === undefined) return isError
  return data.permissions.includes(`${resource ?? "payment_service"}:${operation}`)
}

/** The reads that a settle or an action on a payment, a problem or a payout may change, with Medusa's own of the order. */
const CHANGED: QueryKey[] = [
  ...["transactions", "payments", "problems", "comparisons", "overview"].map(keyOf),
  ...["payouts", "payout-settings"].map(keyOf),
  ordersQueryKeys.all,
]

export function useReadAgain(...paths: string[]): () => Promise<unknown> {
  const client = useQueryClient()
  const keys = paths.length > 0 ? paths.map(keyOf) : CHANGED
  return () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}

export interface Acting<Input, Answer> {
  run: (input: Input) => Promise<Answer>
  done?: (answer: Answer) => void
  /** Gets what is wrong with the fields of a form. */
  refused?: (fields: Record<string, Text>) => void
  /** The key of the words above the reason of a failure; without it, the page shows failures itself. */
  failed?: string
  /** The reads that are repeated after it; unless given, all that a payment may change. */
  readAgain?: string[]
}

/** Changes something by a route, one thing at a time, has read again what that may have changed, and tells what came of it. */
export function useAction<Answer, Input = void>(acting: Acting<Input, Answer>) {
  const { t, reasonOf } = useFormat()
  const { run, done, refused, failed, readAgain = [] } = acting
  const { mutate, ...state } = useMutation({
    mutationFn: run,
    onSettled: useReadAgain(...readAgain),
  })
  // A second click may come before the page shows that the first one is at work, and only the last call tells what came of it.
  const isAtWork = useRef(false)
  const act = (input: Input) => {
    if (isAtWork.current) return
    isAtWork.current = true
    mutate(input, {
      ...(done ? { onSuccess: done } : {}),
      onError: (error: Error & { facts?: { fields?: Record<string, Text> } }) => {
        refused?.(error.facts?.fields ?? {})
        if (failed) toast.error(t(failed), { description: reasonOf(error) })
      },
      onSettled: () => {
        isAtWork.current = false
      },
    })
  }
  return { act, ...state }
}

interface Question {
  label: string
  description: string
  title?: string
  isDangerous?: boolean
}

export function useConfirm() {
  const { t } = useFormat()
  const prompt = usePrompt()
  return async ({ label, description, title = label, isDangerous }: Question) =>
    await prompt({
      title,
      description,
      confirmText: label,
      cancelText: t("actions.cancel"),
      variant: isDangerous ? "danger" : "confirmation",
    })
}
