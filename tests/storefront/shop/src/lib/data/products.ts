"use server"

import { sdk } from "@lib/config"
import { getRegion } from "./regions"

export const listProducts = async () => {
  const region = await getRegion("ru")
  const { products } = await sdk.store.product.list({
    region_id: region?.id,
    fields: "title,*variants,*variants.calculated_price",
  })
  return products
}
