import type { Text } from "./api"
import { useFormat } from "./format"
import { inOurLanguage, sdk } from "./sdk"

/** A route's refusal, with its code, and in each language where the route has the words. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string | null,
    message: string,
    readonly messages: Text | null
  ) {
    super(message)
  }
}

/**
 * Calls one of the plugin's routes. Medusa's client does the same, and keeps nothing of an error but its message.
 *
 * @throws Refusal when the route answers with an error; TypeError when the store does not answer
 */
export async function call<Answer>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  { query = {}, body }: { query?: Record<string, string>; body?: object } = {}
): Promise<Answer> {
  const backend = __BACKEND_URL__ ?? "/"
  const address = new URL(
    `${backend.replace(/\/$/, "")}/admin/payment-service/${path}`,
    window.location.origin
  )
  address.search = new URLSearchParams(query).toString()
  const isJwt = __AUTH_TYPE__ === "jwt"
  const token = isJwt ? await sdk.client.getToken() : null
  const response = await fetch(address, {
    method,
    headers: {
      accept: "application/json",
      ...inOurLanguage(),
      ...(body ? { "content-type": "application/json" } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    credentials: isJwt ? "omit" : "include",
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (response.ok) return (await response.json()) as Answer
  const told = (await response.json().catch(() => ({}))) as Partial<
    Pick<Refusal, "code" | "message" | "messages">
  >
  throw new Refusal(
    response.status,
    told.code ?? null,
    told.message ?? response.statusText,
    told.messages ?? null
  )
}

/** A deed at the plugin's own routes. */
export async function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  return await call<Answer>("POST", path, { body })
}

/** Deletes at the plugin's own routes. */
export async function remove(path: string): Promise<void> {
  await call("DELETE", path)
}

/** Puts an error into words in the language of the page. */
export function useErrorWords(): (error: unknown) => string {
  const { t, text } = useFormat()
  return (error) => {
    if (error instanceof Refusal && error.messages) return text(error.messages)
    // The browser's words for a store that does not answer are in no language of ours.
    if (error instanceof TypeError) return t("payout.storeSilent")
    const message = error instanceof Error ? error.message : String(error)
    // A proxy between store and browser may answer with a page of its own, which has no message.
    return message || t("failed.noReason")
  }
}
