"use server"

import { sdk } from "@lib/config"

export const listProducts = async () => {
  const { regions } = await sdk.store.region.list()
  const { products } = await sdk.store.product.list({
    region_id: regions[0]?.id,
    fields: "title,*variants,*variants.calculated_price",
  })
  return products
}
