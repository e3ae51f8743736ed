import Medusa from "@medusajs/js-sdk"

/** The dashboard does not share its own client with plugins; this one has the same configuration. */
export const sdk = new Medusa({
  baseUrl: __BACKEND_URL__ ?? "/",
  auth: {
    type: __AUTH_TYPE__ ?? "session",
    ...(__JWT_TOKEN_STORAGE_KEY__ ? { jwtTokenStorageKey: __JWT_TOKEN_STORAGE_KEY__ } : {}),
  },
})

/** Refusals come in the language of the page, which the dashboard stores under this name. */
export const inOurLanguage = () => ({
  "accept-language": localStorage.getItem("lng") ?? navigator.language,
})

/** Reads from the plugin's own routes. */
export async function ask<Answer>(path: string, query: object = {}): Promise<Answer> {
  return await sdk.client.fetch<Answer>(`/admin/payment-service/${path}`, {
    query: { ...query },
    headers: inOurLanguage(),
  })
}

/** The raw answer of one of the plugin's routes, for a file. */
export async function fetchFile(
  path: string,
  query: object,
  signal: AbortSignal
): Promise<Response> {
  return await sdk.client.fetch<Response>(`/admin/payment-service/${path}`, {
    query: { ...query },
    headers: { accept: "*/*", ...inOurLanguage() },
    signal,
  })
}
