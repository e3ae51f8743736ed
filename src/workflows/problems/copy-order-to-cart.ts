import type { MedusaContainer, RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import {
  addShippingMethodToCartWorkflow,
  createCartWorkflow,
  createPaymentCollectionForCartWorkflow,
} from "@medusajs/medusa/core-flows"

import { findCart } from "../../modules/payment-service/find-cart"
import type { MedusaState } from "../../settlement/evidence"

const ADDRESS_FIELDS = [
  "first_name",
  "last_name",
  "phone",
  "company",
  "address_1",
  "address_2",
  "city",
  "country_code",
  "province",
  "postal_code",
] as const
type Address = Partial<Record<(typeof ADDRESS_FIELDS)[number], string | null>>

interface OrderRecord {
  region_id: string
  sales_channel_id: string
  customer_id: string | null
  email: string | null
  currency_code: string
  shipping_address: Address | null
  billing_address: Address | null
  items: { variant_id: string | null; unit_price: number; detail: { quantity: number } }[]
  shipping_methods: { shipping_option_id: string | null }[]
}

/**
 * A cart like an order, at the order's prices: an order that was canceled cannot be opened again, so what
 * is paid late gets a new one.
 *
 * @throws MedusaError of core when there is not enough stock; nothing is kept then
 */
export async function copyOrderToCart(
  container: MedusaContainer,
  orderId: string
): Promise<{ collectionId: string; cart: MedusaState["cart"] }> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "order",
    fields: [
      "region_id",
      "sales_channel_id",
      "customer_id",
      "email",
      "currency_code",
      ...ADDRESS_FIELDS.flatMap((field) => [
        `shipping_address.${field}`,
        `billing_address.${field}`,
      ]),
      "items.*",
      "items.detail.*",
      "shipping_methods.shipping_option_id",
    ],
    filters: { id: orderId },
  })
  const order = data[0] as unknown as OrderRecord | undefined
  if (!order) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, `Order ${orderId} was not found`)
  }
  const { result: cart } = await createCartWorkflow(container).run({
    input: {
      region_id: order.region_id,
      sales_channel_id: order.sales_channel_id,
      currency_code: order.currency_code,
      ...(order.customer_id ? { customer_id: order.customer_id } : {}),
      ...(order.email ? { email: order.email } : {}),
      ...addresses(order),
      items: order.items.flatMap(({ variant_id, unit_price, detail }) =>
        variant_id ? [{ variant_id, unit_price, quantity: detail.quantity }] : []
      ),
    },
  })
  const options = order.shipping_methods.flatMap(({ shipping_option_id: id }) =>
    id ? [{ id }] : []
  )
  if (options.length) {
    await addShippingMethodToCartWorkflow(container).run({
      input: { cart_id: cart.id, options },
    })
  }
  const { result: collection } = await createPaymentCollectionForCartWorkflow(container).run({
    input: { cart_id: cart.id },
  })
  return { collectionId: collection.id, cart: await findCart(query, collection.id) }
}

function addresses(order: OrderRecord) {
  const known = (address: Address | null) =>
    address &&
    (Object.fromEntries(
      ADDRESS_FIELDS.flatMap((field) => (address[field] ? [[field, address[field]]] : []))
    ) as Record<string, string>)
  const shipping_address = known(order.shipping_address)
  const billing_address = known(order.billing_address)
  return {
    ...(shipping_address ? { shipping_address } : {}),
    ...(billing_address ? { billing_address } : {}),
  }
}
