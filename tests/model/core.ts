import { sumOf } from "../../src/medusa/payments"
import { addAmounts, compareAmounts, subtractAmounts } from "../../src/settlement/amount"
import { LockTimeoutError } from "../../src/workflows/completion/cart-lock"
import { takeBackUnprovenRefunds } from "../../src/workflows/refunds/take-back-unproven-refunds"
import { checkCapture } from "./capture-rules"
import { kopecks } from "./money"
import { attempt, Refusal, Violation } from "./processes"
import * as provider from "./provider"
import { checkNotPaidBack, checkRefund } from "./refund-rules"
import type { Cart, Collection, Order, Payment, Refund, Session } from "./shop"
import type { World } from "./world"

/**
 * Medusa's own workflows, as far as they matter to a payment, with the moments between their writes and
 * what they put right when they fail. A process that dies puts nothing right.
 */

const PROCESSABLE = ["pending", "requires_more", "authorized", "captured", "pending_authorization"]
const CART_LOCK_MS = 120_000

/** While it lives, its holder keeps a cart; core takes it that its work is done before the lock runs out. */
export async function withCartLock<T>(
  world: World,
  cartId: string,
  waitMs: number,
  work: () => Promise<T>,
  lockMs = CART_LOCK_MS
): Promise<T> {
  const { cartLocks } = world.shop
  const holder = world.processes.currentId
  const giveUpAt = world.clock.now + waitMs
  const isFree = () => {
    const lock = cartLocks.get(cartId)
    return !lock || !(world.processes.isAlive(lock.holder) || lock.until > world.clock.now)
  }
  await world.processes.pause(() => isFree() || world.clock.now >= giveUpAt)
  if (!isFree()) throw new LockTimeoutError(`cart ${cartId} is already locked`)
  const since = world.processes.moment
  cartLocks.set(cartId, { holder, until: world.clock.now + lockMs, since })
  try {
    return await work()
  } finally {
    if (cartLocks.get(cartId)?.holder === holder) cartLocks.delete(cartId)
  }
}

/**
 * A payment session of a collection in place of those that it had; nothing is kept when that fails. What is to
 * be paid, and which sessions there are, is read before: the cart may become worth another sum in between.
 */
export async function replaceSessions(
  world: World,
  collectionId: string,
  kind: Session["provider"]
): Promise<void> {
  const { shop } = world
  const { amount, currency } = shop.collection(collectionId)
  const old = shop.sessionsOf(collectionId)
  const made: Session[] = []
  await world.processes.pause()
  const create = async () => {
    const wanted = { provider: kind, amount, currency, adopt: null }
    made.push(await createSession(world, collectionId, wanted))
  }
  // At the same time, as core runs steps in parallel.
  const ends = await Promise.all([attempt(create()), attempt(deleteSessions(world, old))])
  const failure = ends.find((end) => end !== null)
  if (failure) {
    for (const { id } of made) await attempt(deleteSession(world, id))
    throw failure
  }
}

export async function createSession(
  world: World,
  collectionId: string,
  wanted: Pick<Session, "provider" | "amount" | "currency"> & { adopt: string | null }
): Promise<Session> {
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
  await world.processes.pause()
  if (session.provider === "other") return session
  try {
    const data = await provider.initiatePayment(world, session, adopt)
    await world.processes.pause()
    if (!shop.sessions.has(id)) throw new Refusal(`session ${id} was not found`)
    session.data = data
    return session
  } catch (error) {
    shop.sessions.delete(id)
    throw error
  }
}

/** As many as can be deleted are; a veto of one fails it all, and core makes the others again. */
async function deleteSessions(world: World, sessions: Session[]): Promise<void> {
  let vetoed: Error | null = null
  for (const { id } of sessions) {
    vetoed = (await attempt(deleteSession(world, id))) ?? vetoed
  }
  if (vetoed) throw new Refusal("could not delete all payment sessions")
}

export async function deleteSession(world: World, id: string): Promise<void> {
  const session = world.shop.sessions.get(id)
  if (!session) return
  if (session.provider === "ours") await provider.deletePayment(world, session.data)
  await world.processes.pause()
  world.shop.sessions.delete(id)
}

/** A cart that becomes worth another sum loses its sessions; a veto takes back the change of the cart only. */
export async function changeCart(world: World, cartId: string, total: string): Promise<void> {
  const { shop } = world
  await withCartLock(world, cartId, 2_000, async () => {
    const cart = shop.cart(cartId)
    if (cart.orderId) throw new Refusal(`cart ${cartId} is completed`)
    const before = cart.total
    cart.total = total
    await world.processes.pause()
    const collection = shop.collection(cart.collectionId)
    if (collection.amount === total) return
    collection.amount = total
    const failure = await attempt(deleteSessions(world, shop.sessionsOf(collection.id)))
    if (failure) {
      await world.processes.pause()
      cart.total = before
      throw failure
    }
  })
}

/** Places the order of a cart, or answers with the one that there is; authorizes last. */
export async function completeCart(world: World, cartId: string): Promise<string> {
  return await withCartLock(world, cartId, 30_000, () => completeHeldCart(world, cartId))
}

export async function completeHeldCart(world: World, cartId: string): Promise<string> {
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
    credited: "0",
    currency: cart.currency,
    canceledAt: null,
    copiedFor: null,
    isPlaced: false,
    totals: [{ total: cart.total, since: world.processes.moment }],
  }
  shop.orders.set(order.id, order)
  await world.processes.pause()
  link(world, cart, order)
  const hasStock = shop.stock > 0
  if (hasStock) shop.stock--
  await world.processes.pause()
  try {
    if (!hasStock) throw new Refusal("not enough stock")
    const payment = await authorizeSession(world, first.id)
    await world.processes.pause()
    if (payment?.capturedAt) payment.bookedOn = order.id
    if (shop.failsAtTheEnd) {
      shop.failsAtTheEnd = false
      if (payment) {
        payment.hasLostItsOrder = true
        await attempt(cancelPayment(world, payment))
      }
      throw new Refusal("a step at the end failed")
    }
    if (payment?.rowId) checkNotPaidBack(world, payment)
    order.isPlaced = true
    // Our subscriber hears of the order.
    world.books.recordOrderPlaced(order.id, cart.collectionId)
    return order.id
  } catch (error) {
    await world.processes.pause()
    // Core would refund what is captured then, which our provider refuses.
    unlink(world, cart, order)
    if (hasStock) shop.stock++
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
  for (const payment of world.shop.payments.values()) {
    if (payment.bookedOn === order.id) payment.bookedOn = null
  }
}

/** @returns the payment, or null when the provider lets the order be placed before it is paid */
export async function authorizeSession(world: World, id: string): Promise<Payment | null> {
  const { shop } = world
  const session = shop.sessions.get(id)
  if (!session) throw new Refusal(`session ${id} was not found`)
  if (session.paymentId) return shop.payment(session.paymentId)
  const answer =
    session.provider === "ours"
      ? await provider.authorizePayment(world, session)
      : { status: "authorized", rowId: null }
  await world.processes.pause()
  if (!shop.sessions.has(id)) throw new Refusal(`session ${id} was not found`)
  if (answer.status === "pending_authorization") {
    checkPromise(world, session)
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
    refunds: [],
    bookedOn: null,
    hasLostItsOrder: false,
  }
  shop.payments.set(payment.id, payment)
  session.paymentId = payment.id
  session.status = "authorized"
  if (answer.status === "captured") take(world, payment)
  return payment
}

/** An order that is placed before its payment is promised the sum that it is worth. */
function checkPromise({ shop }: World, { id, amount, collectionId }: Session): void {
  const { cartId } = shop.collection(collectionId)
  const total = shop.orderOf(collectionId)?.total
  const worth = cartId && shop.cart(cartId).total
  if (worth && total && kopecks(amount) !== kopecks(worth)) {
    throw new Violation(`${id}: an order of ${total} was promised ${amount}`)
  }
}

/** `capturePaymentWorkflow`: asks the provider for what is not captured yet. */
export async function capturePayment(world: World, id: string): Promise<void> {
  const payment = world.shop.payment(id)
  if (payment.canceledAt) throw new Refusal(`payment ${id} has been canceled`)
  if (!payment.capturedAt) {
    await provider.capturePayment(world, payment)
    await world.processes.pause()
    if (!payment.capturedAt) take(world, payment)
  }
  await world.processes.pause()
  payment.bookedOn ??= world.shop.orderOf(payment.collectionId)?.id ?? null
}

function take(world: World, payment: Payment): void {
  payment.capturedAt = world.processes.moment
  if (payment.rowId) checkCapture(world, payment)
}

async function cancelPayment(world: World, payment: Payment): Promise<void> {
  if (payment.rowId) await provider.cancelPayment(world, payment.rowId)
  await world.processes.pause()
  payment.canceledAt = world.processes.moment
}

/** `refundPayment` of core's payment module. */
export async function refundPayment(
  world: World,
  { id }: Pick<Payment, "id">,
  amount: string
): Promise<void> {
  const { shop, processes } = world
  const payment = shop.payment(id)
  if (compareAmounts(amount, leftOf(payment)) > 0) {
    throw new Refusal(`${amount} of payment ${id} cannot be refunded`)
  }
  const since = new Date(world.clock.now)
  const refund: Refund = { id: shop.nextId("ref"), amount, since, isAllowed: false }
  payment.refunds.push(refund)
  await processes.pause()
  try {
    await provider.refundPayment(world, payment, refund)
    checkRefund(world, payment, refund)
  } catch (error) {
    await processes.pause()
    payment.refunds = payment.refunds.filter((each) => each !== refund)
    throw error
  }
}

/** How much of a captured payment is not refunded. */
function leftOf({ amount, capturedAt, refunds }: Payment): string {
  return capturedAt === null ? "0" : subtractAmounts(amount, sumOf(refunds))
}

/** `refundPaymentWorkflow`, which books all refunds of the payment that are not booked, each with this amount. */
export async function refundOrderPayment(
  world: World,
  paymentId: string,
  amount: string
): Promise<void> {
  const { shop, processes } = world
  const payment = shop.payment(paymentId)
  const order = shop.orderOf(payment.collectionId)
  if (!order) throw new Refusal(`payment ${paymentId} has no order`)
  const owed = shop.outstanding(order)
  await refundPayment(world, payment, amount)
  await processes.pause()
  const refunds = payment.refunds.map(({ id }) => ({ id, amount }))
  const booked = shop.bookRefunds(order.id, refunds)
  await processes.pause()
  const overpaid = compareAmounts(owed, 0) < 0 ? subtractAmounts(0, owed) : "0"
  if (compareAmounts(amount, overpaid) <= 0) return
  if (order.canceledAt || shop.isBeingChanged(order.id)) {
    shop.deleteBookings(booked.map(({ id }) => id))
    throw new Refusal(`order ${order.id} is canceled or being changed`)
  }
  order.credited = addAmounts(order.credited, subtractAmounts(amount, overpaid))
}

/**
 * A payment that its provider does not let go is kept, and what it does not refund is booked as refunded; the
 * order is canceled all the same. Our subscriber hears of it afterwards.
 */
export async function cancelOrder(world: World, orderId: string): Promise<void> {
  const { shop, processes } = world
  const order = shop.order(orderId)
  if (order.canceledAt) throw new Refusal(`order ${orderId} is canceled already`)
  for (const payment of shop.paymentsOf(orderId)) {
    const amount = leftOf(payment)
    if (!payment.capturedAt) await attempt(cancelPayment(world, payment))
    else if (compareAmounts(amount, 0) > 0) {
      await attempt(refundPayment(world, payment, amount))
      await processes.pause()
      shop.bookRefunds(orderId, [{ id: payment.id, amount }])
    }
  }
  await processes.pause()
  if (order.canceledAt) throw new Refusal(`order ${orderId} is canceled already`)
  order.canceledAt = world.clock.now
  shop.stock++
  processes.spawn("order canceled", () => takeBackUnprovenRefunds(world.ports, orderId))
}

/**
 * An order becomes worth another sum. Core changes what a collection of it that nothing has paid asks for, and
 * deletes no session; where there is none, it makes one for what is owed.
 */
export async function editOrder(world: World, orderId: string, total: string): Promise<void> {
  const { shop } = world
  const order = shop.order(orderId)
  if (order.canceledAt) throw new Refusal(`order ${orderId} is canceled`)
  if (shop.isBeingChanged(orderId)) throw new Refusal(`order ${orderId} is being changed`)
  await world.processes.pause()
  order.total = total
  order.totals.push({ total, since: world.processes.moment })
  await world.processes.pause()
  const owed = shop.outstanding(order)
  const isOwed = compareAmounts(owed, "0")
  const unpaid = shop.collectionsOf(orderId).find(({ id }) => !shop.heldPayments(id).length)
  if (unpaid && isOwed >= 0) unpaid.amount = owed
  else if (!unpaid && isOwed > 0) shop.addCollection(order, owed)
}

/** An admin asks for what an order is owed, whether or not another collection of it can be paid. */
export async function linkPayment(world: World, orderId: string): Promise<Collection> {
  const { shop } = world
  const order = shop.order(orderId)
  const owed = shop.outstanding(order)
  if (compareAmounts(owed, "0") <= 0) throw new Refusal(`order ${orderId} is owed nothing`)
  await world.processes.pause()
  return shop.addCollection(order, owed)
}
