import {
  convertDraftOrderWorkflow,
  createOrderPaymentCollectionWorkflow,
  createOrderWorkflow,
} from "@medusajs/medusa/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { products } from "./products"
import type { SeededShop } from "./seed"

/** An order that somebody at the shop wrote down on the phone, and its payment collection. */
export type OwedOrder = { orderId: string; collectionId: string }

type ReadOrder = {
  id: string
  status: string
  payment_collections?: { id: string; status: string }[]
}

const CUSTOMER = "by-phone@demo.test"

/** Finds or makes an order that is still to be paid, for the page of payment links. */
export async function seedOwedOrder(
  container: MedusaContainer,
  shop: SeededShop
): Promise<OwedOrder> {
  return (await findOwedOrder(container)) ?? (await makeOwedOrder(container, shop))
}

async function findOwedOrder(container: MedusaContainer): Promise<OwedOrder | null> {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "order",
    fields: ["id", "status", "payment_collections.id", "payment_collections.status"],
    filters: { email: CUSTOMER },
  })
  const orders = data as ReadOrder[]
  for (const { id: orderId, status, payment_collections: collections } of orders) {
    const unpaid = collections?.find((collection) => collection.status === "not_paid")
    if (unpaid && status === "pending") return { orderId, collectionId: unpaid.id }
  }
  return null
}

async function makeOwedOrder(
  container: MedusaContainer,
  { regionId, variantIds }: SeededShop
): Promise<OwedOrder> {
  const [variantId] = variantIds
  const [product] = products
  if (!variantId || !product) throw new Error("There is nothing in the shop that could be ordered.")
  const [salesChannel] = await container
    .resolve(Modules.SALES_CHANNEL)
    .listSalesChannels({}, { take: 1, order: { created_at: "ASC" } })
  // As core's own route for draft orders does it; the workflow's type leaves `is_draft_order` out.
  const input = {
    status: "draft",
    is_draft_order: true,
    region_id: regionId,
    sales_channel_id: salesChannel?.id,
    email: CUSTOMER,
    currency_code: "rub",
    items: [
      {
        variant_id: variantId,
        title: product.ru.title,
        unit_price: product.price,
        quantity: 1,
      },
    ],
    shipping_address: {
      first_name: "Пётр",
      last_name: "Иванов",
      address_1: "Арбат, 7",
      city: "Москва",
      country_code: "ru",
      postal_code: "119019",
    },
  }
  const { result: draft } = await createOrderWorkflow(container).run({ input })
  await convertDraftOrderWorkflow(container).run({ input: { id: draft.id } })
  const order = await container
    .resolve(Modules.ORDER)
    .retrieveOrder(draft.id, { select: ["id", "total"] })
  const { result } = await createOrderPaymentCollectionWorkflow(container).run({
    input: { order_id: order.id, amount: Number(order.total) },
  })
  const [collection] = result
  if (!collection) throw new Error("Medusa made no payment collection.")
  return { orderId: order.id, collectionId: collection.id }
}
