import { container } from "@medusajs/framework"
import type { IPaymentModuleService, RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError, Modules } from "@medusajs/framework/utils"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { findCart } from "../../modules/payment-service/find-cart"
import { findOrder } from "../../modules/payment-service/find-order"
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

/** An order that a payment collection belongs to, as far as paying for it goes. */
export interface OrderToPay {
  id: string
  canceled: boolean
  /** What is still to be paid for it; nothing, or less, once it is paid. */
  owed: AmountInput
  /** All of its collections: money for it may come through each of them. */
  collectionIds: string[]
}

/** A payment session and what its collection is for, as far as opening a transaction needs it. */
export interface SessionOrigin {
  sessionId: string
  providerId: string
  /** The provider entry's `id`, which is the account at the service. */
  account: string
  paymentCollectionId: string
  cartId: string | null
  order: OrderToPay | null
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
]
/** Named one by one, those of an order come without their quantity. */
const ITEM_FIELDS = ["items.*"]

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
  const session = await findStoredSession(sessionId)
  if (!session) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, `Payment session ${sessionId} was not found`)
  }
  const { providerId, paymentCollectionId } = session
  const account = providerId.slice(`pp_${method}_`.length)
  const { description } = paymentServiceModule().optionsFor(account)
  // Only what the description names is read.
  const fields = [...BUYER_FIELDS, ...(description.includes("{items}") ? ITEM_FIELDS : [])]
  const [cart, order, storeName] = await Promise.all([
    findBuyer("cart_payment_collection", "cart", fields, paymentCollectionId),
    findOrderToPay(paymentCollectionId),
    description.includes("{store}") ? findStoreName() : "",
  ])
  const buyer = order
    ? await findBuyer("order_payment_collection", "order", fields, paymentCollectionId)
    : cart
  const name = buyer?.billing_address ?? buyer?.shipping_address
  return {
    sessionId,
    providerId,
    account,
    paymentCollectionId,
    cartId: cart?.id ?? null,
    order,
    customerId: buyer?.customer?.id ?? null,
    isGuest: !buyer?.customer?.has_account,
    email: buyer?.email ?? null,
    payerName: [name?.first_name, name?.last_name].filter(Boolean).join(" ") || null,
    storeName,
    items: (buyer?.items ?? []).flatMap((item) =>
      item
        ? [{ title: item.product_title ?? item.title ?? "", quantity: Number(item.quantity ?? 1) }]
        : []
    ),
  }
}

async function findBuyer(
  link: "cart_payment_collection" | "order_payment_collection",
  entity: "cart" | "order",
  fields: string[],
  paymentCollectionId: string
): Promise<Buyer | undefined> {
  const { data } = await container
    .resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
    .graph({
      entity: link,
      fields: fields.map((field) => `${entity}.${field}`),
      filters: { payment_collection_id: paymentCollectionId },
    })
  return (data[0] as Partial<Record<typeof entity, Buyer>> | undefined)?.[entity]
}

async function findStoreName(): Promise<string> {
  const { data } = await container
    .resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
    .graph({ entity: "store", fields: ["name"] })
  return (data[0] as { name?: string } | undefined)?.name ?? ""
}

/** The order that a collection belongs to; null while it is a cart's, or nobody's. */
export async function findOrderToPay(paymentCollectionId: string): Promise<OrderToPay | null> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const order = await findOrder(query, paymentCollectionId)
  return (
    order && {
      id: order.id,
      canceled: order.canceled,
      owed: order.owedWithout(null),
      collectionIds: order.collections.map(({ id }) => id),
    }
  )
}

/** A payment session as it is stored now. */
export interface StoredSession {
  id: string
  status: string
  amount: AmountInput
  currency: string
  providerId: string
  paymentCollectionId: string
  /** Medusa has made a payment of it. */
  isTaken: boolean
}

/** Null when core has deleted the session. */
export async function findStoredSession(sessionId: string): Promise<StoredSession | null> {
  const [session] = await container
    .resolve<IPaymentModuleService>(Modules.PAYMENT)
    .listPaymentSessions({ id: sessionId }, { take: 1, relations: ["payment"] })
  return session
    ? {
        id: session.id,
        status: session.status,
        amount: session.amount as AmountInput,
        currency: session.currency_code,
        providerId: session.provider_id,
        paymentCollectionId: session.payment_collection_id,
        isTaken: Boolean(session.payment),
      }
    : null
}

/** The same with the cart or order that it pays for. */
export interface FoundSession extends SessionState {
  paymentCollectionId: string
}

/** Null when core has deleted the session. */
export async function findSession(
  sessionId: string,
  row: Pick<TransactionRow, "order_id">
): Promise<FoundSession | null> {
  const session = await findStoredSession(sessionId)
  if (!session) {
    return null
  }
  const { paymentCollectionId } = session
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  // The cart became this order before: an edit of it changes what is to be paid, and not the cart. That the
  // collection has an order says less, because core links it before it authorizes a cart's session.
  const order = row.order_id === null ? null : await findOrderToPay(paymentCollectionId)
  const isForOrder = order !== null && order.id === row.order_id
  return {
    paymentCollectionId,
    session,
    cart: isForOrder ? null : await findCart(query, paymentCollectionId),
    // Of what was taken, the order is owed only what is left beside it.
    order: isForOrder && !session.isTaken ? { ...order, unpaid: false, leftUnpaid: false } : null,
  }
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
