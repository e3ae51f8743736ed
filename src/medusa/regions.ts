import type { MedusaContainer } from "@medusajs/framework/types"

import { readGraph } from "./graph"

/** A region and the ways to pay that are enabled in it. */
export interface Region {
  id: string
  name: string
  /** In upper case. */
  currency: string
  providerIds: string[]
}

interface ReadRegion {
  id: string
  name: string
  currency_code: string
  payment_providers?: ({ id: string; is_enabled: boolean } | null)[] | null
}

const MOST_REGIONS = 200

/** The store's regions by name. */
export async function listRegions(container: MedusaContainer): Promise<Region[]> {
  const regions = await readGraph<ReadRegion>(container, {
    entity: "region",
    fields: ["id", "name", "currency_code", "payment_providers.id", "payment_providers.is_enabled"],
    filters: {},
    pagination: { take: MOST_REGIONS, skip: 0, order: { name: "ASC" } },
  })
  return regions.map(({ id, name, currency_code, payment_providers }) => ({
    id,
    name,
    currency: currency_code.toUpperCase(),
    providerIds: (payment_providers ?? []).flatMap((provider) =>
      provider?.is_enabled ? [provider.id] : []
    ),
  }))
}
