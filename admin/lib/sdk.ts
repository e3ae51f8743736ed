import Medusa from "@medusajs/js-sdk"
import type { LoaderFunctionArgs } from "react-router-dom"

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

/**
 * Calls one of the plugin's routes.
 *
 * @throws FetchError when the route answers with an error; TypeError when the store does not answer
 */
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

export const keyOf = (path: string) => ["payment_service", ...path.split("/")]

/** The read of a route, under a key that has the route's name. */
export const reading = <Answer>(path: string, query: object = {}) => ({
  queryKey: [...keyOf(path), query],
  queryFn: () => ask<Answer>(path, query),
})

/** The read of a list. What is searched for, an e-mail address or a name, goes in a body, because addresses are logged. */
export const searching = <Answer>(
  path: string,
  query: { q?: string; [name: string]: unknown }
) => ({
  queryKey: [...keyOf(path), query],
  queryFn: () => (query.q ? post<Answer>(`search/${path}`, query) : ask<Answer>(path, query)),
})

/** Reads what a page shows before it opens; where that fails, the page itself says why. */
export const loading =
  <Answer>(list: string) =>
  async ({ params }: LoaderFunctionArgs) =>
    await ask<Answer>(`${list}/${encodeURIComponent(params.id ?? "")}`).catch(() => undefined)
