import { container } from "@medusajs/framework"
import type { IPaymentModuleService, RemoteQueryFunction } from "@medusajs/framework/types"
import {
  ContainerRegistrationKeys,
  MedusaError,
  Modules,
  type OrderStatus,
} from "@medusajs/framework/utils"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { isOrderCanceled } from "../../modules/payment-service/canceled-order"
import { findCart } from "../../modules/payment-service/find-cart"
import { followRefundDue } from "../../modules/payment-service/refund-due"
import { type AmountInput, toDecimalText } from "../../settlement/amount"
import type { SessionState } from "../../settlement/evidence"

/**
 * What a provider needs of the store around it. A provider's own container holds the payment module's
 * internals only, so this file, and no other, reaches for the store's.
 */

export function paymentServiceModule(): PaymentServiceModuleService {
  return container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
}

/** A payment session and what its collection is for, as far as opening a transaction needs it. */
export interface SessionOrigin {
  sessionId: string
  providerId: string
  /** The provider entry's `id`, which is the account at the service. */
  account: string
  paymentCollectionId: string
  cartId: string | null
  orderId: string | null
  orderCanceled: boolean
  customerId: string | null
  /** A registered customer has an id of their own; a guest is known by e-mail only. */
  isGuest: boolean
  email: string | null
  payerName: string | null
  storeName: string
  items: { title: string; quantity: number }[]
}

const BUYER_FIELDS = [
  "id",
  "email",
  "customer.id",
  "customer.has_account",
  "shipping_address.first_name",
  "shipping_address.last_name",
  "billing_address.first_name",
  "billing_address.last_name",
  // Named one by one, those of an order come without their quantity.
  "items.*",
]

interface Buyer {
  id: string
  email?: string | null
  customer?: { id: string; has_account?: boolean } | null
  shipping_address?: PersonName | null
  billing_address?: PersonName | null
  items?: ({ title?: string; product_title?: string; quantity?: unknown } | null)[]
}
interface PersonName {
  first_name?: string | null
  last_name?: string | null
}

/**
 * Looks up where a session comes from. All of it is read on the server: nothing that a browser sent
 * decides who pays, for what, or through which account.
 *
 * @throws MedusaError `NOT_FOUND` when the session does not exist
 */
export async function findSessionOrigin(sessionId: string, method: string): Promise<SessionOrigin> {
  const payments = container.resolve<IPaymentModuleService>(Modules.PAYMENT)
  const [session] = await payments.listPaymentSessions(
    { id: sessionId },
    { select: ["id", "provider_id", "payment_collection_id"], take: 1 }
  )
  const paymentCollectionId = session?.payment_collection_id
  if (!session || !paymentCollectionId) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, `Payment session ${sessionId} was not found`)
  }
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const ofCollection = { filters: { payment_collection_id: paymentCollectionId } }
  const [carts, orders, stores] = await Promise.all([
    query.graph({
      entity: "cart_payment_collection",
      fields: ["cart_id", ...BUYER_FIELDS.map((field) => `cart.${field}`)],
      ...ofCollection,
    }),
    query.graph({
      entity: "order_payment_collection",
      fields: [
        "order_id",
        "order.status",
        "order.canceled_at",
        ...BUYER_FIELDS.map((field) => `order.${field}`),
      ],
      ...ofCollection,
    }),
    query.graph({ entity: "store", fields: ["name"] }),
  ])
  const cart = (carts.data[0] as { cart?: Buyer } | undefined)?.cart
  const order = (
    orders.data[0] as { order?: Buyer & { status: OrderStatus; canceled_at: unknown } } | undefined
  )?.order
  const buyer = order ?? cart
  const name = buyer?.billing_address ?? buyer?.shipping_address
  return {
    sessionId,
    providerId: session.provider_id,
    account: session.provider_id.slice(`pp_${method}_`.length),
    paymentCollectionId,
    cartId: cart?.id ?? null,
    orderId: order?.id ?? null,
    orderCanceled: order !== undefined && isOrderCanceled(order),
    customerId: buyer?.customer?.id ?? null,
    isGuest: !buyer?.customer?.has_account,
    email: buyer?.email ?? null,
    payerName: [name?.first_name, name?.last_name].filter(Boolean).join(" ") || null,
    storeName: (stores.data[0] as { name?: string } | undefined)?.name ?? "",
    items: (buyer?.items ?? []).flatMap((item) =>
      item
        ? [{ title: item.product_title ?? item.title ?? "", quantity: Number(item.quantity ?? 1) }]
        : []
    ),
  }
}

/** A payment session as it is stored now, and the cart that it pays for, if it is a cart's. */
export interface FoundSession extends SessionState {
  paymentCollectionId: string
}

/** Null when core has deleted the session. */
export async function findSession(
  sessionId: string,
  row: Pick<TransactionRow, "order_id">
): Promise<FoundSession | null> {
  const [session] = await container
    .resolve<IPaymentModuleService>(Modules.PAYMENT)
    .listPaymentSessions({ id: sessionId }, { take: 1 })
  if (!session) {
    return null
  }
  const collectionId = session.payment_collection_id
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  return {
    paymentCollectionId: collectionId,
    session: {
      id: session.id,
      status: session.status,
      amount: session.amount as AmountInput,
      currency: session.currency_code,
    },
    cart: (await isForOrder(row, collectionId)) ? null : await findCart(query, collectionId),
  }
}

/**
 * The cart became this order before: an edit of it changes what is to be paid, and not the cart. That the
 * collection has an order says less, because core links it before it authorizes a cart's session.
 */
async function isForOrder(
  { order_id }: Pick<TransactionRow, "order_id">,
  paymentCollectionId: string
): Promise<boolean> {
  return order_id !== null && order_id === (await findOrderId(paymentCollectionId))
}

/** Amounts of every refund of the payment that a refund belongs to, itself included; decimal text. */
export async function listRefundAmounts(refundId: string | null): Promise<string[]> {
  if (!refundId) {
    return []
  }
  const payments = container.resolve<IPaymentModuleService>(Modules.PAYMENT)
  const [refund] = await payments.listRefunds({ id: refundId }, { relations: ["payment"] })
  const refunds = refund?.payment
    ? await payments.listRefunds({ payment_id: refund.payment.id })
    : []
  return refunds.map(({ amount }) => toDecimalText(amount as AmountInput))
}

/** See `followRefundDue`; answers the row as it is now. */
export async function followRefundDueOf(
  module: PaymentServiceModuleService,
  { id }: TransactionRow
): Promise<TransactionRow> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { row } = await followRefundDue(module, query, id)
  return row
}

export async function findOrderId(paymentCollectionId: string): Promise<string | null> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "order_payment_collection",
    fields: ["order_id"],
    filters: { payment_collection_id: paymentCollectionId },
  })
  return (data[0] as { order_id: string } | undefined)?.order_id ?? null
}

/** Medusa's payment of a transaction: of this session, or of any other than it. Null when there is none. */
export async function findPayment(
  row: Pick<TransactionRow, "transaction_id" | "payment_collection_id" | "provider_id">,
  wanted: { of: string } | { notOf: string | null }
): Promise<string | null> {
  const sessions = await container
    .resolve<IPaymentModuleService>(Modules.PAYMENT)
    .listPaymentSessions(
      // What another provider's session holds as its data, a browser may have written.
      { payment_collection_id: row.payment_collection_id, provider_id: row.provider_id },
      { relations: ["payment"] }
    )
  const isWanted = (id: string) => ("of" in wanted ? id === wanted.of : id !== wanted.notOf)
  const found = sessions.find(
    ({ id, data, payment }) =>
      isWanted(id) && data.transaction_id === row.transaction_id && payment && !payment.canceled_at
  )
  return found?.payment?.id ?? null
}
