import { addAmounts } from "../../src/settlement/amount"
import type { Action, Decision } from "../../src/settlement/decide"
import type { MedusaState, TransactionRead } from "../../src/settlement/evidence"
import { unpaidOrder } from "../../src/settlement/problem"
import type { TransactionException } from "../../src/settlement/transaction-state"
import type { Row } from "./books"
import {
  authorizeSession,
  cancelOrder,
  capturePayment,
  completeHeldCart,
  deleteSession,
  holdingCart as holdingCartAsCore,
} from "./core"
import { checkDecision } from "./decision-rules"
import { attempt, Refusal, type Steps } from "./processes"
import { updatePayment } from "./provider"
import { readTransaction } from "./read-transaction"
import { STATUSES } from "./remote-service"
import type { World } from "./world"

/** The settle workflow and the watcher, step by step, with the moments between their writes. */

const READ_LEASE = { ttlMs: 15_000, waitMs: 12_000 }
export const APPLY_LEASE = { ttlMs: 20_000, waitMs: 40_000 }
const CART_LOCK_WAIT_MS = 30_000
const BUSY_CART_WAIT_MS = 8_000
const CART_LOCK_MS = 30_000
const MOST_ROUNDS = 3

export function* settle(world: World, rowId: string): Steps {
  const { row, read } = yield* world.books.holding(`read:${rowId}`, READ_LEASE, () =>
    readTransaction(world, world.books.retrieve(rowId))
  )
  yield
  yield* applyDecision(world, row, read)
  yield* report(world, rowId)
}

function* applyDecision(world: World, row: Row, read: TransactionRead): Steps {
  const isOver = (judged: Judged) => !needsApplying(judged) || isOutdated(row, judged)
  const before = yield* judge(world, row.id, read)
  if (isOver(before)) return
  yield* world.books.holding(`apply:${row.id}`, APPLY_LEASE, function* () {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const judged = yield* judge(world, row.id, read)
      // Somebody else has tried while we waited, in vain.
      const { apply_after: now } = judged.row
      const hasJustFailed = now !== null && Number(now) !== Number(before.row.apply_after)
      if (isOver(judged) || hasJustFailed) return
      if (!(yield* applyOnce(world, judged))) return
    }
  })
}

interface Judged {
  row: Row
  medusa: MedusaState
  decision: Decision
}

function* judge(world: World, rowId: string, read: TransactionRead): Steps<Judged> {
  const row = world.books.retrieve(rowId)
  yield
  const medusa = yield* loadMedusaState(world, row)
  const now = world.books.now()
  const decision = world.decide({ row, read, medusa, statuses: STATUSES, now })
  checkDecision(world, { row, medusa, decision, now })
  return { row, medusa, decision }
}

function needsApplying({ row, decision }: Judged): boolean {
  // A read that is older than what the row says by now; a reversal is recorded where it is read.
  if (decision.exception === "reversed" && row.exception !== "reversed") return false
  return (
    decision.action.do !== "nothing" ||
    decision.exception !== row.exception ||
    (decision.exception === null && row.apply_after !== null)
  )
}

/** What a later read has found on a settled transaction is not for an earlier one to judge. */
function isOutdated(read: Row, { row, decision }: Judged): boolean {
  const isOlder = Number(row.read_at) > Number(read.read_at)
  return row.settled_at !== null && isOlder && decision.action.do === "nothing"
}

function* applyOnce(world: World, { row, medusa, decision }: Judged): Steps<boolean> {
  const { books } = world
  const { action } = decision
  yield
  if (action.do === "nothing") {
    if (decision.exception) {
      books.recordRefusal(row, decision.exception, decision.differences.join("; "))
    } else {
      books.recordProgress(row)
    }
    return false
  }
  let applied: Applied
  try {
    applied = yield* applyAction(world, row, action)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const exception = error instanceof Found ? error.exception : "completion_failed"
    books.recordRefusal(row, row.state === "paid" ? exception : null, error.message)
    if (action.do === "cancel_order") books.tell(row)
    return false
  }
  yield
  books.recordProgress(row, {
    captured: applied.captured,
    orderId: applied.orderId ?? medusa.order?.id,
  })
  yield
  return action.do !== "report_order"
}

interface Applied {
  captured: boolean
  orderId?: string
}

/** Something that only an attempt to act could find. */
class Found extends Refusal {
  constructor(
    readonly exception: TransactionException,
    message: string
  ) {
    super(message)
  }
}

function* applyAction(world: World, row: Row, action: Action): Steps<Applied> {
  switch (action.do) {
    case "nothing":
      return { captured: false }
    case "place_order":
      return yield* placeOrder(world, row, action)
    case "authorize":
      return yield* payOrder(world, row, action)
    case "capture":
      yield* holdingCart(world, action.cartId, CART_LOCK_WAIT_MS, () =>
        capturePayment(world, action.paymentId)
      )
      return { captured: true }
    case "cancel_session":
      yield* setSessionStatus(world, action.sessionId, "canceled")
      return { captured: false }
    case "cancel_order":
      yield* holdingCart(world, action.cartId, CART_LOCK_WAIT_MS, function* () {
        const order = loadOrder(world, row)
        yield
        if (order?.unpaid && !order.canceled) yield* cancelOrder(world, order.id)
      })
      return { captured: false }
    case "report_order":
      world.books.openProblem(unpaidOrder(action.orderId, null), row.id)
      return { captured: false }
  }
}

function holdingCart<T>(
  world: World,
  cartId: string | null,
  waitMs: number,
  work: () => Steps<T>
): Steps<T> {
  return holdingCartAsCore(world, cartId, waitMs, work, CART_LOCK_MS)
}

function* placeOrder(
  world: World,
  row: Row,
  { cartId, sessionId, reopenSession }: Extract<Action, { do: "place_order" }>
): Steps<Applied> {
  const { shop } = world
  if (reopenSession) yield* setSessionStatus(world, sessionId, "pending")
  const session = requireSession(world, sessionId)
  // An edit of the cart that was vetoed leaves its sum on the collection.
  const collection = shop.collection(session.collectionId)
  collection.amount = session.amount
  yield
  for (const { id, status } of shop.sessionsOf(session.collectionId)) {
    if (id !== sessionId && (status === "pending" || status === "requires_more")) {
      yield* attempt(deleteSession(world, id))
    }
  }
  const orderId = yield* holdingCart(world, cartId, BUSY_CART_WAIT_MS, () =>
    completeHeldCart(world, cartId)
  )
  yield
  const { paymentId } = requireSession(world, sessionId)
  if (!paymentId) {
    const paid = yield* payOrder(world, row, { cartId, sessionId, reopenSession: false })
    return { ...paid, orderId }
  }
  yield* capturePayment(world, paymentId)
  return { captured: true, orderId }
}

function* payOrder(
  world: World,
  row: Row,
  { cartId, sessionId, reopenSession }: Omit<Extract<Action, { do: "authorize" }>, "do">
): Steps<Applied> {
  const { shop } = world
  return yield* holdingCart(world, cartId, CART_LOCK_WAIT_MS, function* () {
    if (reopenSession) yield* setSessionStatus(world, sessionId, "pending")
    const session = requireSession(world, sessionId)
    const order = loadOrder(world, row)
    const other = shop.heldPayments(session.collectionId).find(({ id }) => id !== session.paymentId)
    if (other) throw new Found("paid_twice", `there is payment ${other.id}`)
    if (order?.canceled) throw new Found("order_canceled", `order ${order.id} is canceled`)
    // A completion that was seen half-way has failed since: the cart is still to be completed.
    if (cartId && !order) throw new Refusal(`the order of cart ${cartId} is gone`)
    yield
    const payment = yield* authorizeSession(world, sessionId)
    yield
    if (!payment) throw new Refusal(`session ${sessionId} was not authorized`)
    yield* capturePayment(world, payment.id)
    return { captured: true, ...(order ? { orderId: order.id } : {}) }
  })
}

/** Core asks the provider whenever a session is updated. */
export function* setSessionStatus(world: World, sessionId: string, status: string): Steps {
  const session = world.shop.sessions.get(sessionId)
  if (!session) return
  if (session.provider === "ours") {
    const data = yield* updatePayment(world, session)
    yield
    session.data = data
  }
  session.status = status
}

function requireSession(world: World, id: string) {
  const session = world.shop.sessions.get(id)
  if (!session) throw new Refusal(`session ${id} was not found`)
  return session
}

/** What Medusa holds for a transaction; sessions, cart and order are not read in the same moment. */
export function* loadMedusaState(world: World, row: Row): Steps<MedusaState> {
  const { shop } = world
  const sessions = shop.sessionsOf(row.payment_collection_id)
  const named = sessions.filter(({ data }) => data.transaction_id === row.transaction_id)
  const session =
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
  const { id, total, currency } = shop.cart(shop.collection(row.payment_collection_id).cartId)
  const cart = { id, total, currency }
  yield
  return { ...held, cart, order: loadOrder(world, row) }
}

export function loadOrder({ shop, books }: World, row: Row): MedusaState["order"] {
  const { orderId } = shop.collection(row.payment_collection_id)
  if (!orderId) return null
  const order = shop.order(orderId)
  const held = shop.heldPayments(row.payment_collection_id)
  const isPaid = held.length > 0
  const captured = held.filter(({ capturedAt }) => capturedAt !== null)
  const { isDeferred, isPayable } = books.promisesIn(row.payment_collection_id, row.id)
  const isHopeless = !isPaid && !isPayable && !hasOtherWay(shop, row.payment_collection_id)
  return {
    id: order.id,
    owed: captured.reduce((owed, { amount }) => addAmounts(owed, `-${amount}`), order.total),
    canceled: order.canceledAt !== null,
    unpaid: isHopeless && isDeferred,
    leftUnpaid: isHopeless && !isDeferred && row.order_id === null,
  }
}

/** An open session of another provider. */
export function hasOtherWay(shop: World["shop"], collectionId: string): boolean {
  return shop
    .sessionsOf(collectionId)
    .some(
      ({ provider, status, paymentId }) =>
        provider === "other" &&
        !["canceled", "error"].includes(status) &&
        !(paymentId && shop.payment(paymentId).canceledAt !== null)
    )
}

export function* report(world: World, rowId: string): Steps {
  const row = world.books.retrieve(rowId)
  yield
  yield* world.books.follow(row)
  yield
  world.books.tellSettled(row)
}

/** One pass of the watcher. */
export function* watch(world: World): Steps {
  const { books } = world
  for (const { id } of books.claimDue()) {
    yield
    yield* attempt(settle(world, id))
    books.planWatch(id)
  }
  yield
  yield* reportWhatWasMissed(world)
}

function* reportWhatWasMissed({ books }: World): Steps {
  for (const row of books.findUnfollowed()) {
    yield* books.follow(row)
    yield
  }
  books.closeKnownStatuses()
  for (const row of books.findUntold()) {
    books.tellSettled(row)
    yield
  }
}

/** A callback is kept before it is answered, and is forgotten when it has been settled. */
export function* settleCallback(world: World, rowId: string): Steps {
  const { books } = world
  books.inbox.add(rowId)
  yield
  books.hint(rowId)
  const { settled_at, handled_at } = books.retrieve(rowId)
  if (!settled_at && !handled_at) yield* settle(world, rowId)
  yield
  books.inbox.delete(rowId)
}

export function* poll(world: World, rowId: string): Steps {
  const { settled_at, transaction_id } = world.books.retrieve(rowId)
  if (settled_at || !transaction_id || !world.books.claimPoll(rowId)) return
  yield
  yield* settle(world, rowId)
}
