import { subtractAmounts } from "../../src/settlement/amount"
import type { Cart as ReadCart } from "../../src/medusa/cart"
import type { Order as ReadOrder } from "../../src/medusa/order"
import type { OrderMoney } from "../../src/medusa/order-money"
import { type Payment as ReadPayment, type PaymentParts, sumOf } from "../../src/medusa/payments"
import type { MedusaReader } from "../../src/medusa/reader"
import type { Session as ReadSession } from "../../src/medusa/sessions"
import type { Order, Payment, Session, Shop } from "./shop"
import type { World } from "./world"

const PROVIDERS = { ours: "pp_sbp_main", other: "pp_other" }

/** Medusa's answers about the shop; each question is a moment of its own. */
export function medusaOf(world: World): MedusaReader {
  const { shop, processes } = world
  const findCart = (collectionId: string) => {
    const { cartId } = shop.collection(collectionId)
    return cartId === null ? null : toCart(shop, cartId)
  }
  const sessionsWhere: MedusaReader["listSessions"] = async (filters) => {
    const { id, payment_collection_id: collections, provider_id } = filters
    return [...shop.sessions.values()]
      .map((session) => toSession(world, session))
      .filter(
        (session) =>
          (id === undefined || session.id === id) &&
          (collections === undefined || [collections].flat().includes(session.collectionId)) &&
          (provider_id === undefined || session.providerId === provider_id)
      )
  }
  return processes.inSteps({
    findSession: async (id) => (await sessionsWhere({ id }))[0] ?? null,
    findSessionSubject: async (id) => {
      const [session] = await sessionsWhere({ id })
      if (!session) return null
      const { cartId, orderId } = shop.collection(session.collectionId)
      return { ...session, cartId, orderId, storeName: "" }
    },
    listSessions: sessionsWhere,
    findCollection: async (id) => {
      const { amount, currency } = shop.collection(id)
      return { id, amount, currency, sessions: await sessionsWhere({ payment_collection_id: id }) }
    },
    findCart: async (collectionId) => findCart(collectionId),
    listCarts: async (ids) => ids.map((id) => toCart(shop, id)),
    findCartId: async (collectionId) => shop.collection(collectionId).cartId,
    findOrderId: async (collectionId) => shop.collection(collectionId).orderId,
    findOrderAndCartId: async (collectionId) => {
      const { orderId } = shop.collection(collectionId)
      return { orderId, cartId: shop.orders.get(orderId ?? "")?.cartId ?? null }
    },
    listOrderCollections: async ({ order_id: ids = [] }) =>
      [ids]
        .flat()
        .flatMap((order_id) =>
          shop.collectionsOf(order_id).map(({ id }) => ({ order_id, payment_collection_id: id }))
        ),
    findOrderMoney: async (collectionId) => {
      const order = shop.orderOf(collectionId)
      return order && toOrderMoney(world, order)
    },
    listOrderMoney: async (ids) =>
      ids.flatMap((id) => shop.orders.get(id) ?? []).map((order) => toOrderMoney(world, order)),
    isBeingChanged: async () => false,
    listOpenCredits: async (orderId) =>
      shop.openCredits
        .filter((credit) => credit.orderId === orderId)
        .map(({ id, refundId }) => ({ id, refundId, hasAmount: true, since: new Date(0) })),
    listOrders: async ({ id }) => [shop.orders.get(id) ?? []].flat().map(toOrder),
    listPayments: async (filters) => {
      const isAsked = ({ id, collectionId }: Payment) =>
        "id" in filters
          ? id === filters.id
          : [filters.payment_collection_id].flat().includes(collectionId)
      return [...shop.payments.values()].filter(isAsked).map((payment) => toPayment(world, payment))
    },
    listRefundsOfSamePayment: async (refundId) =>
      [...shop.payments.values()]
        .filter(({ refunds }) => refunds.some(({ id }) => id === refundId))
        .flatMap(({ refunds }) => refunds),
    listBookings: async (orderId, { reference, reference_id }) =>
      (reference === "refund"
        ? shop.refundBookings.filter((booking) => booking.orderId === orderId)
        : [...shop.payments.values()]
            .filter(({ bookedOn }) => bookedOn === orderId)
            .map(({ id, amount }) => ({
              id: `booking of ${id}`,
              amount,
              referenceId: captureOf(id),
            }))
      ).filter(({ referenceId }) => reference_id.includes(referenceId)),
    findBuyer: async () => ({
      customerId: null,
      isGuest: true,
      email: "buyer@example.com",
      payerName: null,
      items: [],
    }),
  } satisfies MedusaReader)
}

const captureOf = (paymentId: string) => `capture of ${paymentId}`

function toCart(shop: Shop, cartId: string): ReadCart {
  const { id, total, currency, orderId } = shop.cart(cartId)
  return { id, total, currency, isCompleted: orderId !== null }
}

function toSession(world: World, session: Session): ReadSession {
  const { id, status, amount, currency, collectionId, provider, paymentId } = session
  return {
    id,
    status,
    amount,
    currency,
    collectionId,
    providerId: PROVIDERS[provider],
    data: { ...session.data },
    payment: paymentId === null ? null : toPayment(world, world.shop.payment(paymentId)),
  }
}

function toPayment({ books }: World, payment: Payment) {
  const { id, amount, currency, collectionId, sessionId, rowId, capturedAt, canceledAt } = payment
  return {
    id,
    amount,
    currency,
    collectionId,
    sessionId,
    providerId: PROVIDERS[rowId === null ? "other" : "ours"],
    data: rowId === null ? {} : { transaction_id: books.retrieve(rowId).transaction_id },
    isCaptured: capturedAt !== null,
    isCanceled: canceledAt !== null,
    captures: capturedAt === null ? [] : [{ id: captureOf(id), amount }],
    refunds: [...payment.refunds],
  } satisfies ReadPayment & PaymentParts
}

function toOrder({ id, currency, canceledAt, copiedFor }: Order): ReadOrder {
  return {
    id,
    displayId: 1,
    currency,
    isCanceled: canceledAt !== null,
    canceledAt: canceledAt === null ? null : new Date(canceledAt),
    copiedFor,
  }
}

function toOrderMoney(world: World, order: Order): OrderMoney {
  const { shop } = world
  const payments = shop.paymentsOf(order.id)
  const bookings = shop.refundBookings.filter(({ orderId }) => orderId === order.id)
  const isCaptured = ({ capturedAt }: Payment) => capturedAt !== null
  const promised = sumOf(payments.filter((payment) => !isCaptured(payment)))
  const unbooked = payments.filter(({ bookedOn }) => bookedOn === null).filter(isCaptured)
  const outstanding = subtractAmounts(shop.outstanding(order), sumOf(unbooked))
  return {
    ...toOrder(order),
    collectionIds: shop.collectionsOf(order.id).map(({ id }) => id),
    payments: payments.map((payment) => toPayment(world, payment)),
    worth: subtractAmounts(order.total, order.credited),
    paid: sumOf([...payments.filter(isCaptured), ...bookings]),
    outstanding,
    promised,
    owed: subtractAmounts(outstanding, promised),
    paidAt: null,
    isUntouched: payments.length === 0,
  }
}

/** An open session of another provider, in any collection of the order. */
export function hasOtherWay(shop: Shop, orderId: string): boolean {
  return shop
    .collectionsOf(orderId)
    .flatMap(({ id }) => shop.sessionsOf(id))
    .some(
      ({ provider, status, paymentId }) =>
        provider === "other" &&
        !["canceled", "error"].includes(status) &&
        !(paymentId && shop.payment(paymentId).canceledAt !== null)
    )
}
