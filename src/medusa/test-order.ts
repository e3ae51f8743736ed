import type { MedusaContainer } from "@medusajs/framework/types"
import {
  createCartWorkflow,
  createPaymentCollectionForCartWorkflow,
  createPaymentSessionsWorkflow,
} from "@medusajs/medusa/core-flows"

interface TestOrder {
  regionId: string
  /** The payment provider, for example `pp_sbp_main`. */
  providerId: string
  /** In the region's currency. */
  amount: number
  /** The e-mail address of the order: that of the admin who tries it. */
  email: string
  /** The name of its only item, which is no product and is not shipped. */
  title: string
}

/** Makes a cart as a shopper does and begins its payment, which becomes an ordinary order when it is paid. */
export async function beginTestOrder(
  container: MedusaContainer,
  { regionId: region_id, providerId: provider_id, amount, email, title }: TestOrder
) {
  const item = { title, quantity: 1, unit_price: amount, requires_shipping: false }
  const { result: cart } = await createCartWorkflow(container).run({
    input: { region_id, email, items: [item] },
  })
  const { result: collection } = await createPaymentCollectionForCartWorkflow(container).run({
    input: { cart_id: cart.id },
  })
  const { result: session } = await createPaymentSessionsWorkflow(container).run({
    input: { payment_collection_id: collection.id, provider_id },
  })
  return session
}
