"use server"

import { sdk } from "@lib/config"
import medusaError from "@lib/util/medusa-error"
import { HttpTypes } from "@medusajs/types"

export const retrieveOrder = async (id: string) => {
  return sdk.client
    .fetch<HttpTypes.StoreOrderResponse>(`/store/orders/${id}`, {
      method: "GET",
      query: {
        fields: "*payment_collections.payments,*items",
      },
      cache: "no-store",
    })
    .then(({ order }) => order)
    .catch((err) => medusaError(err))
}
