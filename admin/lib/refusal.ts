import type { Text } from "./api"
import { useFormat } from "./format"
import { inOurLanguage, sdk } from "./sdk"

/** A route's refusal with its code, and in each language if the route has the texts. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string | null,
    message: string,
    readonly messages: Text | null,
    /** Facts of the refusal that the page can use, such as the fields that are wrong. */
    readonly facts: object = {}
  ) {
    super(message)
  }
}

/**
 * Calls one of the plugin's routes. Medusa's own client keeps only an error's message.
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
  const refused = (await response.json().catch(() => ({}))) as Partial<
    Pick<Refusal, "code" | "message" | "messages" | "facts">
  >
  throw new Refusal(
    response.status,
    refused.code ?? null,
    refused.message ?? response.statusText,
    refused.messages ?? null,
    refused.facts
  )
}

export async function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  return await call<Answer>("POST", path, { body })
}

export async function remove(path: string): Promise<void> {
  await call("DELETE", path)
}

/** An error as text in the language of the page. */
export function useErrorWords(): (error: unknown) => string {
  const { t, text } = useFormat()
  return (error) => {
    if (error instanceof Refusal && error.messages) return text(error.messages)
    // The browser's message about a silent store is not in the page's language.
    if (error instanceof TypeError) return t("payout.storeSilent")
    const message = error instanceof Error ? error.message : String(error)
    // A proxy between store and browser may answer with a page of its own, which has no message.
    return message || t("failed.noReason")
  }
}
