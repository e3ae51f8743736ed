import { addAmounts, compareAmounts } from "../../src/settlement/amount"
import { CART_LOCK_MS } from "../../src/settlement/timing"
import type { Core } from "../../src/workflows/ports"
import * as core from "./core"
import * as provider from "./provider"
import { Refusal, Violation } from "./processes"
import type { World } from "./world"

/** As long as a settle waits for a cart that it is not told to wait for less. */
const LOCK_WAIT_MS = 30_000

/** The port `core`: the plugin's requests to Medusa, carried out by the core in memory. */
export function corePortOf(world: World): Core {
  const { shop, books, processes } = world
  const authorize = async (id: string) => {
    await core.authorizeSession(world, id)
  }
  const { hold, ...rest } = {
    hold: (id, work, waitMs = LOCK_WAIT_MS) =>
      core.withCartLock(world, id, waitMs, work, CART_LOCK_MS),
    // A completion that was killed leaves its order in the model, as one whose mark was lost does.
    finishKilledCompletion: async () => undefined,
    completeCart: async (_, id) => ({
      orderId: await core.completeHeldCart(world, id),
      ended: async () => undefined,
    }),
    linkOrder: async (orderId, collectionId) => {
      shop.collection(collectionId).orderId = orderId
    },
    emitOrderPlaced: async (orderId, collectionId) => {
      books.recordOrderPlaced(orderId, collectionId)
    },
    setCollectionAmount: async (id, { amount }) => {
      shop.collection(id).amount = amount
    },
    setSessionStatus: async (id, status) => {
      const session = requireSession(id)
      // Core asks the provider whenever a session is updated.
      if (session.provider === "ours") {
        const data = await provider.updatePayment(world, session)
        await processes.pause()
        session.data = data
      }
      session.status = status
    },
    createSession: (collectionId, { amount, currency, adopt }) =>
      core.createSession(world, collectionId, { provider: "ours", amount, currency, adopt }),
    deleteSession: (id) => core.deleteSession(world, id),
    authorizeSession: authorize,
    authorizeDeferredSession: authorize,
    capturePayment: (id) => core.capturePayment(world, id),
    publishCaptured: async () => undefined,
    cancelOrder: (id) => core.cancelOrder(world, id),
    refundPayment: ({ paymentId, amount }) => core.refundPayment(world, { id: paymentId }, amount),
    deleteRefund: async (id) => {
      for (const payment of shop.payments.values()) {
        payment.refunds = payment.refunds.filter((refund) => refund.id !== id)
      }
    },
    bookRefund: async (orderId, refund) => {
      const made = shop.bookRefunds(orderId, [refund])
      if (!made.length) throw new Violation(`${orderId}: a refund is booked twice`)
    },
    openCredit: async (orderId, credit) => shop.openCredit(orderId, credit),
    confirmCredit: async (id) => {
      const { orderId, amount } = shop.endCredit(id)
      const order = shop.order(orderId)
      order.credited = addAmounts(order.credited, amount)
    },
    cancelCredit: async (id) => {
      shop.endCredit(id)
    },
    deleteBookings: async (ids) => {
      shop.deleteBookings(ids)
    },
    // In the model, an order's summary is always the sum of its bookings.
    correctOrderTotals: async () => undefined,
    offerRest: async ({ id, owed, collectionIds }) => {
      const rest = collectionIds.find(
        (collectionId) =>
          !shop.heldPayments(collectionId).length &&
          compareAmounts(shop.collection(collectionId).amount, "0") > 0 &&
          compareAmounts(shop.collection(collectionId).amount, owed) <= 0
      )
      if (!rest) shop.addCollection(shop.order(id), owed)
    },
    copyOrderToCart: async (orderId, rowId) => {
      const order = shop.order(orderId)
      const { total, currency } = order
      order.copiedFor = rowId
      const { id, collectionId } = shop.addCart(total, currency)
      return { collectionId, cart: { id, total, currency } }
    },
    sendEvents: async () => undefined,
  } satisfies Core
  return { hold: hold, ...processes.inSteps(rest) }

  function requireSession(id: string) {
    const session = shop.sessions.get(id)
    if (!session) throw new Refusal(`session ${id} was not found`)
    return session
  }
}
