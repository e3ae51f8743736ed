import { addAmounts } from "../../src/settlement/amount"
import type { MedusaState } from "../../src/settlement/evidence"
import { isClosed } from "../../src/settlement/transaction-state"
import type { Row } from "./books"
import type { Steps } from "./processes"
import type { Order } from "./shop"
import type { World } from "./world"

/** What Medusa holds for a transaction; sessions, order and cart are not read in the same moment. */
export function* loadMedusaState(world: World, row: Row): Steps<MedusaState> {
  const { shop } = world
  const sessions = shop.sessionsOf(row.payment_collection_id)
  const named = sessions.filter(({ data }) => data.transaction_id === row.transaction_id)
  const session =
    named.find(({ paymentId }) => paymentId && shop.payment(paymentId).canceledAt === null) ??
    named.find(({ id }) => id === row.session_id) ??
    named[0] ??
    sessions.find(({ id, data }) => id === row.session_id && !data.transaction_id)
  const payment = session?.paymentId ? shop.payment(session.paymentId) : null
  const other = sessions
    .filter(({ id, paymentId }) => id !== session?.id && paymentId)
    .map(({ paymentId }) => shop.payment(paymentId ?? ""))
    .find(({ canceledAt }) => canceledAt === null)
  const held = {
    session: session
      ? {
          id: session.id,
          status: session.status,
          amount: session.amount,
          currency: session.currency,
        }
      : null,
    payment: payment
      ? {
          id: payment.id,
          captured: payment.capturedAt !== null,
          canceled: payment.canceledAt !== null,
        }
      : null,
    otherPayment: other ? { id: other.id } : null,
  }
  yield
  const order = shop.orderOf(row.payment_collection_id)
  yield
  // A cart that has become an order is not read.
  const cart = order ? null : findCart(world, row.payment_collection_id)
  return { ...held, cart, order: order && judgedOrder(world, row, order, payment?.id ?? null) }
}

/** As it is worth now, or null for a payment link. */
export function findCart({ shop }: World, collectionId: string): MedusaState["cart"] {
  const { cartId } = shop.collection(collectionId)
  if (!cartId) return null
  const { id, total, currency } = shop.cart(cartId)
  return { id, total, currency }
}

function judgedOrder(
  { shop, books }: World,
  row: Row,
  order: Order,
  paymentId: string | null
): MedusaState["order"] {
  const ids = shop.collectionsOf(order.id).map(({ id }) => id)
  const { isDeferred, isPayable } = books.promisesIn(ids, row.id)
  const isHopeless =
    isClosed(row.state) &&
    shop.paymentsOf(order.id).length === 0 &&
    !isPayable &&
    !hasOtherWay(shop, order.id)
  return {
    id: order.id,
    canceled: order.canceledAt !== null,
    owed: owedWithout(shop, order, paymentId),
    unpaid: isHopeless && isDeferred,
    leftUnpaid: isHopeless && !isDeferred && row.cart_id !== null && row.order_id === null,
  }
}

/** What is still to be paid for an order when Medusa's payments count, booked or not, but for one of them. */
export function owedWithout(
  shop: World["shop"],
  { id, total }: Order,
  paymentId: string | null
): string {
  return shop
    .paymentsOf(id)
    .filter((payment) => payment.id !== paymentId)
    .reduce((owed, { amount }) => addAmounts(owed, `-${amount}`), addAmounts(total, "0"))
}

/** An open session of another provider, in any collection of the order. */
export function hasOtherWay(shop: World["shop"], orderId: string): boolean {
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
