import Medusa from "@medusajs/js-sdk"

/** The dashboard does not hand its own client to plugins; this one is configured as that one is. */
export const sdk = new Medusa({
  baseUrl: __BACKEND_URL__ ?? "/",
  auth: {
    type: __AUTH_TYPE__ ?? "session",
    ...(__JWT_TOKEN_STORAGE_KEY__ ? { jwtTokenStorageKey: __JWT_TOKEN_STORAGE_KEY__ } : {}),
  },
})

/** Refusals are said in the language of the page, which the dashboard keeps under this name. */
const inOurLanguage = () => ({
  "accept-language": localStorage.getItem("lng") ?? navigator.language,
})

const call = async <Answer>(path: string, init: Parameters<typeof sdk.client.fetch>[1]) =>
  await sdk.client.fetch<Answer>(`/admin/payment-service/${path}`, {
    ...init,
    headers: { ...init?.headers, ...inOurLanguage() },
  })

/** A question to the plugin's own routes. */
export async function ask<Answer>(path: string, query: object = {}): Promise<Answer> {
  return await call<Answer>(path, { query: { ...query } })
}

/** A deed at the plugin's own routes. */
export async function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  return await call<Answer>(path, { method: "POST", body })
}

/** Deletes at the plugin's own routes. */
export async function remove(path: string): Promise<void> {
  await call(path, { method: "DELETE" })
}

/** The answer of one of the plugin's own routes as it comes, for a file. */
export async function fetchFile(
  path: string,
  query: object,
  signal: AbortSignal
): Promise<Response> {
  return await call<Response>(path, { query: { ...query }, headers: { accept: "*/*" }, signal })
}
