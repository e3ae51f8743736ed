import { checkCapture } from "./capture-rules"
import { attempt, both, Refusal, type Steps } from "./processes"
import * as provider from "./provider"
import type { Cart, Order, Payment, Session } from "./shop"
import type { World } from "./world"

/**
 * Medusa's own workflows, as far as they matter to a payment, with the moments between their writes and
 * what they put right when they fail. A process that dies puts nothing right.
 */

const PROCESSABLE = ["pending", "requires_more", "authorized", "captured", "pending_authorization"]
const CART_LOCK_MS = 120_000

/** While it lives, its holder keeps a cart; core takes it that its work is done before the lock runs out. */
export function* holdingCart<T>(
  world: World,
  cartId: string | null,
  waitMs: number,
  work: () => Steps<T>,
  lockMs = CART_LOCK_MS
): Steps<T> {
  if (!cartId) return yield* work()
  const { cartLocks } = world.shop
  const holder = world.processes.currentId
  const giveUpAt = world.clock.now + waitMs
  for (;;) {
    const lock = cartLocks.get(cartId)
    const isHeld = lock && (world.processes.isAlive(lock.holder) || lock.until > world.clock.now)
    if (!isHeld) break
    if (world.clock.now >= giveUpAt) throw new Refusal(`cart ${cartId} is locked`)
    yield "wait"
  }
  cartLocks.set(cartId, { holder, until: world.clock.now + lockMs })
  try {
    return yield* work()
  } finally {
    if (cartLocks.get(cartId)?.holder === holder) cartLocks.delete(cartId)
  }
}

/** A payment session of a collection in place of those that it had; nothing is kept when that fails. */
export function* replaceSessions(
  world: World,
  collectionId: string,
  kind: Session["provider"]
): Steps {
  const { shop } = world
  const collection = shop.collection(collectionId)
  const old = shop.sessionsOf(collectionId)
  const made: Session[] = []
  const create = function* (): Steps {
    made.push(
      yield* createSession(world, collectionId, {
        provider: kind,
        amount: collection.amount,
        currency: collection.currency,
        adopt: null,
      })
    )
  }
  const failure = yield* attempt(both(create(), deleteSessions(world, old)))
  if (failure) {
    for (const { id } of made) yield* attempt(deleteSession(world, id))
    throw failure
  }
}

export function* createSession(
  world: World,
  collectionId: string,
  wanted: Pick<Session, "provider" | "amount" | "currency"> & { adopt: string | null }
): Steps<Session> {
  const { shop } = world
  const { adopt, ...stored } = wanted
  const id = shop.nextId("payses")
  const session: Session = {
    ...stored,
    id,
    collectionId,
    status: "pending",
    data: { transaction_id: null, session_id: id },
    paymentId: null,
  }
  shop.sessions.set(id, session)
  yield
  if (session.provider === "other") return session
  try {
    const data = yield* provider.initiatePayment(world, session, adopt)
    yield
    if (!shop.sessions.has(id)) throw new Refusal(`session ${id} was not found`)
    session.data = data
    return session
  } catch (error) {
    if (error instanceof Refusal) shop.sessions.delete(id)
    throw error
  }
}

/** As many as can be deleted are; a veto of one fails it all, and core makes the others again. */
function* deleteSessions(world: World, sessions: Session[]): Steps {
  let vetoed: Refusal | null = null
  for (const { id } of sessions) {
    vetoed = (yield* attempt(deleteSession(world, id))) ?? vetoed
  }
  if (vetoed) throw new Refusal("could not delete all payment sessions")
}

export function* deleteSession(world: World, id: string): Steps {
  const session = world.shop.sessions.get(id)
  if (!session) return
  if (session.provider === "ours") yield* provider.deletePayment(world, session.data)
  yield
  world.shop.sessions.delete(id)
}

/** A cart that becomes worth another sum loses its sessions; a veto takes back the change of the cart only. */
export function* changeCart(world: World, cartId: string, total: string): Steps {
  const { shop } = world
  yield* holdingCart(world, cartId, 2_000, function* () {
    const cart = shop.cart(cartId)
    if (cart.orderId) throw new Refusal(`cart ${cartId} is completed`)
    const before = cart.total
    cart.total = total
    yield
    const collection = shop.collection(cart.collectionId)
    if (collection.amount === total) return
    collection.amount = total
    const failure = yield* attempt(deleteSessions(world, shop.sessionsOf(collection.id)))
    if (failure) {
      yield
      cart.total = before
      throw failure
    }
  })
}

/** Places the order of a cart, or answers with the one that there is; authorizes last. */
export function* completeCart(world: World, cartId: string): Steps<string> {
  return yield* holdingCart(world, cartId, 30_000, () => completeHeldCart(world, cartId))
}

export function* completeHeldCart(world: World, cartId: string): Steps<string> {
  const { shop } = world
  const cart = shop.cart(cartId)
  const first = shop
    .sessionsOf(cart.collectionId)
    .find(({ status }) => PROCESSABLE.includes(status))
  if (!first) throw new Refusal("payment sessions are required to complete cart")
  if (cart.orderId) return cart.orderId
  const order: Order = {
    id: shop.nextId("order"),
    cartId,
    total: cart.total,
    currency: cart.currency,
    canceledAt: null,
  }
  shop.orders.set(order.id, order)
  yield
  link(world, cart, order)
  const hasStock = shop.stock > 0
  if (hasStock) shop.stock--
  yield
  try {
    if (!hasStock) throw new Refusal("not enough stock")
    const payment = yield* authorizeSession(world, first.id)
    yield
    if (shop.failsAtTheEnd) {
      shop.failsAtTheEnd = false
      if (payment) {
        payment.hasLostItsOrder = true
        yield* attempt(cancelPayment(world, payment))
      }
      throw new Refusal("a step at the end failed")
    }
    // Our subscriber hears of the order.
    for (const { id, order_id } of world.books.list(
      (row) => row.payment_collection_id === cart.collectionId
    )) {
      if (order_id === null) world.books.update(id, { order_id: order.id })
    }
    return order.id
  } catch (error) {
    if (error instanceof Refusal) {
      yield
      // Core would refund what is captured then, which our provider refuses.
      unlink(world, cart, order)
      if (hasStock) shop.stock++
    }
    throw error
  }
}

function link(world: World, cart: Cart, order: Order): void {
  cart.orderId = order.id
  world.shop.collection(cart.collectionId).orderId = order.id
}

function unlink(world: World, cart: Cart, order: Order): void {
  cart.orderId = null
  world.shop.collection(cart.collectionId).orderId = null
  world.shop.orders.delete(order.id)
}

/** @returns the payment, or null when the provider lets the order be placed before it is paid */
export function* authorizeSession(world: World, id: string): Steps<Payment | null> {
  const { shop } = world
  const session = shop.sessions.get(id)
  if (!session) throw new Refusal(`session ${id} was not found`)
  if (session.paymentId) return shop.payment(session.paymentId)
  const answer =
    session.provider === "ours"
      ? yield* provider.authorizePayment(world, session)
      : { status: "authorized", rowId: null }
  yield
  if (!shop.sessions.has(id)) throw new Refusal(`session ${id} was not found`)
  if (answer.status === "pending_authorization") {
    session.status = answer.status
    return null
  }
  if (answer.status !== "captured" && answer.status !== "authorized") {
    session.status = answer.status
    throw new Refusal(`session ${id} was not authorized`)
  }
  if (session.paymentId) throw new Refusal(`session ${id} has a payment already`)
  const payment: Payment = {
    id: shop.nextId("pay"),
    sessionId: id,
    collectionId: session.collectionId,
    rowId: answer.rowId,
    amount: session.amount,
    currency: session.currency,
    capturedAt: null,
    canceledAt: null,
    hasLostItsOrder: false,
  }
  shop.payments.set(payment.id, payment)
  session.paymentId = payment.id
  session.status = "authorized"
  if (answer.status === "captured") book(world, payment)
  return payment
}

/** `capturePaymentWorkflow`: asks the provider for what is not captured yet. */
export function* capturePayment(world: World, id: string): Steps {
  const payment = world.shop.payment(id)
  if (payment.canceledAt) throw new Refusal(`payment ${id} has been canceled`)
  if (payment.capturedAt) return
  yield* provider.capturePayment(world, payment)
  yield
  if (!payment.capturedAt) book(world, payment)
}

function book(world: World, payment: Payment): void {
  payment.capturedAt = world.processes.moment
  if (payment.rowId) checkCapture(world, payment)
}

function* cancelPayment(world: World, payment: Payment): Steps {
  if (payment.rowId) yield* provider.cancelPayment(world, payment.rowId)
  yield
  payment.canceledAt = world.processes.moment
}

/** A payment that its provider does not let go is kept; the order is canceled all the same. */
export function* cancelOrder(world: World, orderId: string): Steps {
  const { shop } = world
  const order = shop.order(orderId)
  if (order.canceledAt) throw new Refusal(`order ${orderId} is canceled already`)
  const { collectionId } = shop.cart(order.cartId)
  for (const payment of shop.heldPayments(collectionId)) {
    if (!payment.capturedAt) yield* attempt(cancelPayment(world, payment))
  }
  yield
  if (order.canceledAt) throw new Refusal(`order ${orderId} is canceled already`)
  order.canceledAt = world.processes.moment
  shop.stock++
}
