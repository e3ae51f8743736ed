import Medusa from "@medusajs/js-sdk"

/** The dashboard does not hand its own client to plugins; this one is configured as that one is. */
export const sdk = new Medusa({
  baseUrl: __BACKEND_URL__ ?? "/",
  auth: {
    type: __AUTH_TYPE__ ?? "session",
    ...(__JWT_TOKEN_STORAGE_KEY__ ? { jwtTokenStorageKey: __JWT_TOKEN_STORAGE_KEY__ } : {}),
  },
})

/** A question to the plugin's own routes. */
export async function ask<Answer>(path: string, query: object = {}): Promise<Answer> {
  return await sdk.client.fetch<Answer>(`/admin/payment-service/${path}`, { query: { ...query } })
}

/** A deed at the plugin's own routes. */
export async function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  return await sdk.client.fetch<Answer>(`/admin/payment-service/${path}`, { method: "POST", body })
}

/** Deletes at the plugin's own routes. */
export async function remove(path: string): Promise<void> {
  await sdk.client.fetch(`/admin/payment-service/${path}`, { method: "DELETE" })
}
