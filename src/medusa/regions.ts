import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { updateRegionsWorkflow } from "@medusajs/medusa/core-flows"

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

/** Leaves each region the enabled payment providers that `isKept` keeps; returns the names of the regions that had others. */
export async function setProvidersOfRegions(
  container: MedusaContainer,
  isKept: (providerId: string) => boolean
): Promise<string[]> {
  const regions = await listRegions(container)
  const changed = regions.filter(({ providerIds }) => !providerIds.every(isKept))
  for (const { id, providerIds } of changed) {
    const update = { payment_providers: providerIds.filter(isKept) }
    await updateRegionsWorkflow(container).run({ input: { selector: { id }, update } })
  }
  return changed.map(({ name }) => name)
}

/** Runs `work` while a region has a lost payment provider again. It keeps it if the process dies, so that stands in the log. */
export async function whileInRegion<T>(
  container: MedusaContainer,
  cartId: string,
  providerId: string,
  work: () => Promise<T>
): Promise<T> {
  const only = { select: ["region_id"] }
  const { region_id } = await container.resolve(Modules.CART).retrieveCart(cartId, only)
  const what = `${providerId} is switched on in region ${region_id} until the paid cart ${cartId} is completed.`
  container.resolve(ContainerRegistrationKeys.LOGGER).warn(`Payment Service: ${what}`)
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  const pair = {
    [Modules.REGION]: { region_id },
    [Modules.PAYMENT]: { payment_provider_id: providerId },
  }
  await link.create(pair)
  try {
    return await work()
  } finally {
    await link.dismiss(pair)
  }
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
