import { ContainerRegistrationKeys, Modules, ProductStatus } from "@medusajs/framework/utils"
import { createProductsWorkflow } from "@medusajs/medusa/core-flows"

import type { TestStore } from "./store"

/** Adds a product that never runs out; answers the id of its variant. */
export async function addProduct(
  store: TestStore,
  prices: { currency_code: string; amount: number }[]
): Promise<string> {
  const { container } = store
  const [channel] = await container.resolve(Modules.SALES_CHANNEL).listSalesChannels({})
  const [profile] = await container.resolve(Modules.FULFILLMENT).listShippingProfiles({})
  const { result } = await createProductsWorkflow(container).run({
    input: {
      products: [
        {
          title: "Чай",
          status: ProductStatus.PUBLISHED,
          shipping_profile_id: profile?.id ?? "",
          sales_channels: [{ id: channel?.id ?? "" }],
          options: [{ title: "Size", values: ["One"] }],
          variants: [{ title: "One", options: { Size: "One" }, manage_inventory: false, prices }],
        },
      ],
    },
  })
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "variant",
    fields: ["id"],
    filters: { product_id: result[0]?.id ?? "" },
  })
  return (data[0] as { id: string }).id
}
