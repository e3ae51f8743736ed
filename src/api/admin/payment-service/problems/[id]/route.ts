import { findDelivery } from "../../../../../medusa/buyer"
import { type Asked, inReadersLanguage } from "../../in-readers-language"
import { maySeeCustomers } from "../../granted"
import { wholeView } from "../problem-route"

/** Shows one problem, and to whoever may see customers in Medusa also the buyer, the address and the items of its order or cart. */
export const GET = inReadersLanguage(async (req: Asked) => {
  const shown = await wholeView(req.scope, req.params.id ?? "")
  const { order_id: orderId, cart_id: cartId } = shown.problem
  const mayBeTold = await maySeeCustomers(req)
  const delivery = mayBeTold ? await findDelivery(req.scope, { orderId, cartId }) : null
  return { ...shown, delivery }
})
