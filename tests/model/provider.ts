import { compareAmounts, toWireAmount } from "../../src/settlement/amount"
import type { Decision } from "../../src/settlement/decide"
import {
  freshSince,
  isProvenSince,
  recordedRead,
  type SessionState,
} from "../../src/settlement/evidence"
import { isOwed } from "../../src/settlement/order-balance"
import { isClosed, isProven } from "../../src/settlement/transaction-state"
import type { Row } from "./books"
import { findCart, owedWithout } from "./medusa-state"
import { attempt, Refusal, type Steps } from "./processes"
import { readTransaction } from "./read-transaction"
import { MERCHANT, STATUSES } from "./remote-service"
import type { Payment, Session } from "./shop"
import type { World } from "./world"

/** What our payment provider does when core calls it. */

const OPEN_LEASE = { ttlMs: 7_000, waitMs: 2_000 }
const LEAST_TIME_TO_PAY_MS = 60_000
const FRESH_MS = 2_000
const TIME_TO_PAY_MS = 15 * 60_000

const OPEN_SESSION = new Set(["pending", "requires_more", "pending_authorization"])

type SessionData = Session["data"]

export function* initiatePayment(
  world: World,
  session: Session,
  adopt: string | null
): Steps<SessionData> {
  const row = adopt
    ? yield* adoptTransaction(world, adopt, session)
    : yield* openTransaction(world, session)
  return { transaction_id: row.transaction_id, session_id: row.session_id }
}

/** The open transaction of the same collection and amount, else a new one. */
function* openTransaction(world: World, session: Session): Steps<Row> {
  const { books } = world
  if (session.currency !== "rub") throw new Refusal("this way to pay takes RUB")
  if (world.shop.orderOf(session.collectionId)?.canceledAt) {
    throw new Refusal("this order was canceled")
  }
  if (Number(toWireAmount(session.amount)) <= 0) throw new Refusal("there is nothing to pay for")
  return yield* books.holding(`open:${session.collectionId}`, OPEN_LEASE, function* () {
    const amount = toWireAmount(session.amount)
    const open = yield* payableTransactions(world, session.collectionId)
    const owed = owedFor(world, session.collectionId)
    if (owed !== null && compareAmounts(amount, toWireAmount(owed)) > 0) {
      throw new Refusal(`only ${owed} are still to be paid for this order`)
    }
    const resumable = open.find(
      (row) =>
        row.payment_collection_id === session.collectionId &&
        row.amount === amount &&
        (!row.expires_at || row.expires_at.getTime() - world.clock.now > LEAST_TIME_TO_PAY_MS)
    )
    if (resumable) {
      return books.update(resumable.id, { session_id: session.id })
    }
    const row = books.create({
      merchant_id: MERCHANT,
      provider_id: "pp_sbp_main",
      session_id: session.id,
      return_session_id: session.id,
      payment_collection_id: session.collectionId,
      cart_id: world.shop.collection(session.collectionId).cartId,
      order_id: world.shop.collection(session.collectionId).orderId,
      amount,
      currency: "RUB",
    })
    yield
    return yield* createAtService(world, row)
  })
}

function* createAtService(world: World, row: Row): Steps<Row> {
  const { books, service } = world
  if (service.isDown) {
    books.update(row.id, { state: "unknown" })
    throw new Refusal("the payment could not be opened")
  }
  // Some transactions have no time to pay.
  const isTimed = service.transactions.size % 4 !== 3
  const expiresAt = isTimed ? world.clock.now + TIME_TO_PAY_MS : null
  const { amount, currency, merchant_id: merchantId, id: payload } = row
  const created = service.create({ amount, currency, merchantId, payload }, expiresAt)
  yield
  return books.update(row.id, {
    state: "pending",
    status: "PENDING",
    watch_at: new Date(world.clock.now + 5_000),
    transaction_id: created.id,
    expires_at: expiresAt === null ? null : new Date(expiresAt),
  })
}

/** Those that can still be paid, each freshly read; nobody must pay for the same thing again. */
function* payableTransactions(world: World, collectionId: string): Steps<Row[]> {
  const { books, shop } = world
  const order = shop.orderOf(collectionId)
  const ids = order ? shop.collectionsOf(order.id).map(({ id }) => id) : [collectionId]
  const ofCollection = books.list((row) => ids.includes(row.payment_collection_id))
  const owed = owedFor(world, collectionId)
  const paid = ofCollection.find(
    ({ paid_at, handled_at, settled_at, exception }) =>
      paid_at && !handled_at && (owed === null || !settled_at || exception !== null)
  )
  if (paid) {
    books.hint(paid.id)
    throw new Refusal("a payment for this cart has already been received")
  }
  if (owed !== null && !isOwed(owed)) {
    throw new Refusal("this order is paid already")
  }
  const open: Row[] = []
  const readable = ofCollection.filter(({ state }) =>
    ["pending", "canceled", "expired"].includes(state)
  )
  for (const row of readable.reverse()) {
    let looked = row
    if (!row.read_at || world.clock.now - row.read_at.getTime() >= FRESH_MS) {
      yield* attempt(readTransaction(world, row))
      looked = books.retrieve(row.id)
    }
    if (looked.paid_at) {
      books.hint(row.id)
      throw new Refusal("a payment for this cart has already been received")
    }
    if (looked.state === "pending") open.push(looked)
  }
  return open
}

/** What the order of a collection is owed; null while it has none. */
function owedFor({ shop }: World, collectionId: string): string | null {
  const order = shop.orderOf(collectionId)
  return order && owedWithout(shop, order, null)
}

function* adoptTransaction(world: World, rowId: string, session: Session): Steps<Row> {
  const row = world.books.retrieve(rowId)
  if (
    row.accepted_amount === null ||
    compareAmounts(row.accepted_amount, session.amount) !== 0 ||
    row.currency !== session.currency.toUpperCase()
  ) {
    throw new Refusal(`${rowId} was not accepted for ${session.amount}`)
  }
  yield
  return world.books.update(rowId, {
    session_id: session.id,
    payment_collection_id: session.collectionId,
    cart_id: world.shop.collection(session.collectionId).cartId,
    order_id: world.shop.collection(session.collectionId).orderId,
  })
}

/** A veto for what is paid; what is not, or cannot be read just now, is let go. */
export function* deletePayment(world: World, data: SessionData): Steps {
  const row = rowOf(world, data)
  if (!row || data.session_id !== row.session_id) return
  if (yield* holdsMoney(world, row)) {
    // It is watched already, since the read that proved it. Were it hinted at, two paid transactions of one
    // cart, which try to drop each other's session, would keep each other awake for ever.
    throw new Refusal("this payment has been paid and is being confirmed")
  }
}

export function* cancelPayment(world: World, rowId: string): Steps {
  if (yield* holdsMoney(world, world.books.retrieve(rowId))) {
    throw new Refusal("this payment has been paid and cannot be canceled")
  }
}

function* holdsMoney(world: World, row: Row): Steps<boolean> {
  if (row.handled_at || !row.transaction_id) return false
  if (row.paid_at) return true
  yield* attempt(readTransaction(world, row))
  return world.books.retrieve(row.id).paid_at !== null
}

/** Takes no lease, because core or a settle holds the cart meanwhile; a fresh proof is not read again. */
export function* authorizePayment(
  world: World,
  session: Session
): Steps<{ status: string; rowId: string }> {
  const row = rowOf(world, session.data)
  if (!row) throw new Refusal("this payment is not known to the payment plugin")
  if (row.payment_collection_id !== session.collectionId) {
    throw new Refusal("this payment belongs to another cart")
  }
  const decision = yield* judgeSession(world, row, findSession(world, row, session))
  if (decision.isOutdated) throw new Refusal("the cart has changed since this payment was started")
  // A session can be deleted by another tab while it becomes a payment, which then has none any more.
  const other = world.shop
    .paymentsOfRow(row.id)
    .find(({ sessionId, canceledAt }) => sessionId !== session.id && canceledAt === null)
  if (decision.sessionStatus === "captured" && other) {
    throw new Refusal(`this payment is in Medusa already, as ${other.id}`)
  }
  if (decision.sessionStatus === "pending_authorization") world.books.markDeferred(row.id)
  return { status: decision.sessionStatus, rowId: row.id }
}

function* judgeSession(world: World, row: Row, medusa: SessionState): Steps<Decision> {
  const now = world.books.now()
  return isProvenSince(row, freshSince(now))
    ? world.rules.decide({ row, read: recordedRead(row), medusa, statuses: STATUSES, now })
    : (yield* readTransaction(world, row, medusa)).decision
}

/** What a session pays for: its order, where core has told of that, else its cart. */
function findSession(world: World, row: Row, session: Session): SessionState {
  const { id, status, amount, currency, collectionId, paymentId } = session
  const order = world.shop.orderOf(collectionId)
  const isForOrder = order !== null && order.id === row.order_id
  return {
    session: { id, status, amount, currency },
    cart: isForOrder ? null : findCart(world, collectionId),
    order:
      isForOrder && !paymentId
        ? {
            id: order.id,
            canceled: order.canceledAt !== null,
            owed: owedWithout(world.shop, order, null),
            unpaid: false,
            leftUnpaid: false,
          }
        : null,
  }
}

export function* capturePayment(world: World, { rowId }: Payment): Steps {
  yield
  if (!isProven(world.books.retrieve(rowId ?? ""))) {
    throw new Refusal("the payment service has not confirmed this payment")
  }
}

/** Another amount needs another transaction, unless the payment is over; the same one changes nothing. */
export function* updatePayment(world: World, session: Session): Steps<SessionData> {
  const row = rowOf(world, session.data)
  if (row && toWireAmount(row.accepted_amount ?? row.amount) === toWireAmount(session.amount)) {
    return { transaction_id: row.transaction_id, session_id: row.session_id }
  }
  // Nobody in here asks for another amount than the session's own.
  if (!OPEN_SESSION.has(session.status) || (row && isClosed(row.state))) return session.data
  const opened = yield* openTransaction(world, {
    ...session,
    id: row?.session_id ?? session.data.session_id,
  })
  return { transaction_id: opened.transaction_id, session_id: opened.session_id }
}

function rowOf({ books }: World, data: SessionData): Row | null {
  return (
    (data.transaction_id ? books.findByTransactionId(data.transaction_id) : null) ??
    books.findBySession(data.session_id)
  )
}
