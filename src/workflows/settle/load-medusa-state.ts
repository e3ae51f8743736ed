import type {
  IPaymentModuleService,
  MedusaContainer,
  RemoteQueryFunction,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, OrderStatus } from "@medusajs/framework/utils"

import type { TransactionRow } from "../../modules/payment-service"
import type { AmountInput } from "../../settlement/amount"
import type { MedusaState } from "../../settlement/decide"

interface CartRecord {
  id: string
  total: AmountInput
  currency_code: string
}

/** What Medusa holds for a transaction right now: the other half of a decision. */
export async function loadMedusaState(
  container: MedusaContainer,
  row: Pick<TransactionRow, "session_id" | "transaction_id" | "payment_collection_id">
): Promise<MedusaState> {
  const payments = container.resolve<IPaymentModuleService>(Modules.PAYMENT)
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const ofCollection = { payment_collection_id: row.payment_collection_id }

  const [sessions, carts, orders] = await Promise.all([
    payments.listPaymentSessions(ofCollection, { relations: ["payment"] }),
    query.graph({ entity: "cart_payment_collection", fields: ["cart_id"], filters: ofCollection }),
    query.graph({
      entity: "order_payment_collection",
      fields: ["order.id", "order.status"],
      filters: ofCollection,
    }),
  ])
  // Two tabs may hold sessions of one transaction, and an updated session has moved on to another one: what
  // a session's own data names decides, and among several the row's.
  const named = sessions.filter(({ data }) => data.transaction_id === row.transaction_id)
  const session =
    named.find(({ id }) => id === row.session_id) ??
    named[0] ??
    sessions.find(({ id, data }) => id === row.session_id && !data.transaction_id)
  const payment = session?.payment

  const cartId = (carts.data[0] as { cart_id: string } | undefined)?.cart_id
  const order = (orders.data[0] as { order?: { id: string; status: OrderStatus } } | undefined)
    ?.order
  return {
    session: session
      ? {
          id: session.id,
          status: session.status,
          amount: session.amount as AmountInput,
          currency: session.currency_code,
        }
      : null,
    payment: payment
      ? {
          id: payment.id,
          captured: Boolean(payment.captured_at),
          canceled: Boolean(payment.canceled_at),
        }
      : null,
    cart: cartId ? await loadCart(query, cartId) : null,
    order: order ? { id: order.id, canceled: order.status === OrderStatus.CANCELED } : null,
  }
}

async function loadCart(query: RemoteQueryFunction, id: string): Promise<MedusaState["cart"]> {
  const { data } = await query.graph({
    entity: "cart",
    fields: ["id", "total", "currency_code"],
    filters: { id },
  })
  const cart = data[0] as CartRecord | undefined
  return cart ? { id: cart.id, total: cart.total, currency: cart.currency_code } : null
}
