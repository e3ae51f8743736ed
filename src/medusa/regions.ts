import type { MedusaContainer } from "@medusajs/framework/types"

import { readGraph } from "./search"

type Region = { payment_providers?: ({ id: string; is_enabled: boolean } | null)[] | null }

const MOST_REGIONS = 200

export async function listRegions(container: MedusaContainer) {
  type Named = Region & Record<"id" | "name" | "currency_code", string>
  const regions = await readGraph<Named>(container, {
    entity: "region",
    fields: ["id", "name", "currency_code", "payment_providers.id", "payment_providers.is_enabled"],
    filters: {},
    pagination: { take: MOST_REGIONS, skip: 0, order: { name: "ASC" } },
  })
  return regions.map(({ id, name, currency_code, ...region }) => ({
    id,
    name,
    currency: currency_code.toUpperCase(),
    providerIds: enabledOf(region),
  }))
}

export async function listProvidersForOrder(container: MedusaContainer, orderId: string) {
  const [order] = await readGraph<{ region?: Region | null }>(container, {
    entity: "order",
    fields: ["region.payment_providers.id", "region.payment_providers.is_enabled"],
    filters: { id: orderId },
  })
  return enabledOf(order?.region)
}

const enabledOf = (region: Region | null | undefined) =>
  (region?.payment_providers ?? []).flatMap((one) => (one?.is_enabled ? [one.id] : []))
