import { ordersQueryKeys } from "@medusajs/dashboard/hooks"

/** Keys in Medusa's own form, with a name of ours for each kind. */
const keysOf = (name: string) => ({
  all: [`payment_service_${name}`],
  list: (query: object) => [`payment_service_${name}`, "list", { query }],
  detail: (id: string) => [`payment_service_${name}`, "detail", id],
})

export const transactionKeys = {
  ...keysOf("transactions"),
  of: (of: object) => [...keysOf("transactions").all, "of", of],
  check: (id: string) => [...keysOf("transactions").all, "check", id],
}
export const recordKeys = keysOf("service_transactions")
export const problemKeys = keysOf("problems")
export const overviewKeys = keysOf("overview")
export const comparisonKeys = keysOf("comparisons")
export const settingsKey = ["payment_service_settings"]
export const connectionKey = ["payment_service_connection"]
export const connectionCheckKey = ["payment_service_connection_check"]
export const subscriptionKeys = keysOf("subscriptions")
export const payoutKeys = keysOf("payouts")
export const payoutSettingsKey = ["payment_service_payout_settings"]
export const cardKeys = keysOf("cards")

/** Orders to choose from, which become stale with Medusa's own. */
export const orderPickerKey = [...ordersQueryKeys.all, "payment_service_order_picker"]

/** Medusa's own keys: what its dashboard has asked with them is not asked again. */
export const featureFlagsKey = ["admin", "feature-flags"]
export const myPermissionsKey = ["me-permissions"]
