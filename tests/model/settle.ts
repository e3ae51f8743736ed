import { toWireAmount } from "../../src/settlement/amount"
import type { Action, Decision } from "../../src/settlement/decide"
import {
  freshSince,
  isProvenSince,
  type MedusaState,
  recordedRead,
} from "../../src/settlement/evidence"
import type { SettleOptions } from "../../src/workflows/settle/settle-transaction"
import { problem, QUIET_ATTEMPTS } from "../../src/settlement/problems"
import { medusaRefusal } from "../../src/settlement/problems/refusals"
import { concernsMedusa, standingOf } from "../../src/settlement/standing"
import { CART_LOCK_MS, LONGEST_LOCK_MS, READ_LEASE } from "../../src/settlement/timing"
import { isProven, type TransactionException } from "../../src/settlement/transaction-state"
import type { Row } from "./books"
import {
  authorizeSession,
  cancelOrder,
  capturePayment,
  completeHeldCart,
  deleteSession,
  holdingCart,
  Locked,
} from "./core"
import { checkDecision } from "./decision-rules"
import { loadMedusaState } from "./medusa-state"
import { followOrderBalance } from "./order-balance"
import { attempt, Refusal, type Steps } from "./processes"
import { updatePayment } from "./provider"
import { readTransaction } from "./read-transaction"
import { STATUSES } from "./remote-service"
import type { World } from "./world"

/** The settle workflow and the watcher, step by step, with the moments between their writes. */

const TARGET_WAIT_MS = 30_000
const BUSY_TARGET_WAIT_MS = 8_000
const PAUSE_OF_LOCKED_MS = 10_000
const MOST_ROUNDS = 3

export function* settle(
  world: World,
  rowId: string,
  { provenSince, leaveProven = false }: SettleOptions = {}
): Steps {
  const { books } = world
  const { before, row } = yield* books.holding(`read:${rowId}`, READ_LEASE, function* () {
    const before = books.retrieve(rowId)
    return provenSince && isProvenSince(before, provenSince)
      ? { before, row: before }
      : { before, row: (yield* readTransaction(world, before)).row }
  })
  if (row === before && leaveProven) return
  yield
  yield* applyDecision(world, row)
  yield* report(world, rowId)
}

function* applyDecision(world: World, row: Row): Steps {
  if (!concernsMedusa(row)) return
  const work = function* (held: Row): Steps {
    if (!concernsMedusa(held) || hasJustFailed(row, held)) return
    for (let round = 1; (yield* applyOnce(world, held)) && round < MOST_ROUNDS; round++) {
      held = world.books.retrieve(row.id)
    }
  }
  try {
    yield* holdingTarget(world, row, work, BUSY_TARGET_WAIT_MS)
  } catch (error) {
    if (!(error instanceof Locked)) throw error
    yield
    recordLocked(world, row, error)
  }
}

/** Somebody else has tried while we waited, in vain. */
function hasJustFailed(before: Row, now: Row): boolean {
  return now.apply_after !== null && Number(now.apply_after) !== Number(before.apply_after)
}

/** Nobody else judges or changes what the transaction pays for meanwhile; `work` gets the row as it is then. */
export function* holdingTarget<T>(
  world: World,
  row: Row,
  work: (row: Row) => Steps<T>,
  waitMs = TARGET_WAIT_MS
): Steps<T> {
  for (let awaited = row; ;) {
    const key = targetOf(world, awaited)
    yield
    const held = function* (): Steps<{ result: T } | null> {
      awaited = world.books.retrieve(row.id)
      yield
      return targetOf(world, awaited) === key ? { result: yield* work(awaited) } : null
    }
    const done = yield* holdingCart(world, key, waitMs, held, CART_LOCK_MS)
    if (done) return done.result
  }
}

function targetOf({ shop, rules }: World, { id, cart_id, payment_collection_id }: Row): string {
  const { orderId } = shop.collection(payment_collection_id)
  return rules.targetOf({
    rowId: id,
    cartId: cart_id,
    orderCartId: shop.orders.get(orderId ?? "")?.cartId ?? null,
    orderId,
    collectionId: payment_collection_id,
  })
}

interface Judged {
  row: Row
  medusa: MedusaState
  decision: Decision
}

/** @returns whether there is more to do */
function* applyOnce(world: World, row: Row): Steps<boolean> {
  const medusa = yield* loadMedusaState(world, row)
  const now = world.books.now()
  const read = recordedRead(row)
  const decision = world.rules.decide({ row, read, medusa, statuses: STATUSES, now })
  checkDecision(world, { row, medusa, decision, now })
  yield
  return decision.action.do === "nothing"
    ? recordNothingToDo(world, row, decision)
    : yield* act(world, { row, medusa, decision })
}

function recordNothingToDo(world: World, row: Row, { exception, differences }: Decision): false {
  if (exception !== row.exception && exception !== null) {
    recordFailure(world, row, exception, differences.join("; "))
  } else if (exception === null && (row.exception !== null || row.apply_after !== null)) {
    world.books.recordProgress(row)
  }
  return false
}

function* act(world: World, { row, medusa, decision: { action } }: Judged): Steps<boolean> {
  const { books } = world
  const applied = yield* applyAction(world, row, action)
  yield
  switch (applied.outcome) {
    case "again":
      return true

    case "failed":
      recordFailure(world, row, row.state === "paid" ? "completion_failed" : null, applied.reason)
      if (action.do === "cancel_order") {
        books.publish(row)
        if (row.apply_attempts >= QUIET_ATTEMPTS) {
          const refusal = medusaRefusal(applied.reason)
          const found = problem("order_unpaid", { order: action.orderId, refusal })
          books.openProblem(found, row.id)
        }
      }
      return false

    case "done":
      books.recordProgress(row, {
        captured: applied.captured ?? false,
        orderId: applied.orderId ?? medusa.order?.id,
      })
      yield
      return action.do === "cancel_session"
  }
}

function recordFailure(
  { books, clock }: World,
  row: Row,
  exception: TransactionException | null,
  reason: string
): void {
  const isLocked = exception === "completion_failed" && reason.includes("already locked")
  const since = row.exception === exception ? row.exception_at : null
  const isQuiet = isLocked && (since ? clock.now - since.getTime() : 0) < LONGEST_LOCK_MS
  const growing = Math.min(2_000 * 2 ** row.apply_attempts, 5 * 60_000)
  books.recordRefusal(row, {
    exception,
    reason,
    attempts: row.apply_attempts + (isQuiet ? 0 : 1),
    pauseMs: isQuiet ? PAUSE_OF_LOCKED_MS : growing,
  })
}

function recordLocked(world: World, before: Row, { message }: Locked): void {
  const row = world.books.retrieve(before.id)
  const standing = standingOf(row)
  const isPaid = standing === "waiting_for_medusa"
  if ((isPaid || standing === "over") && !hasJustFailed(before, row)) {
    recordFailure(world, row, isPaid ? "completion_failed" : null, message)
  }
}

type Applied =
  | { outcome: "done"; orderId?: string; captured?: boolean }
  | { outcome: "again" }
  | { outcome: "failed"; reason: string }

const DONE: Applied = { outcome: "done" }

/** Only to be run while the target is held. */
function* applyAction(world: World, row: Row, action: Action): Steps<Applied> {
  try {
    return yield* actionSteps(world, row, action)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { outcome: "failed", reason: error.message }
  }
}

function* actionSteps(world: World, row: Row, action: Action): Steps<Applied> {
  switch (action.do) {
    case "nothing":
      return DONE
    case "place_order":
      return yield* placeOrder(world, action)
    case "authorize":
      return yield* authorize(world, row, action)
    case "capture":
      return yield* capture(world, action.paymentId, action.orderId)
    case "cancel_session":
      yield* closeSession(world, action.sessionId)
      return DONE
    case "cancel_order":
      yield* cancelOrder(world, action.orderId)
      return DONE
    case "report_order":
      world.books.openProblem(
        problem("order_unpaid", { order: action.orderId, refusal: null }),
        row.id
      )
      return DONE
  }
}

function* placeOrder(
  world: World,
  { cartId, cartTotal, sessionId, reopenSession }: Extract<Action, { do: "place_order" }>
): Steps<Applied> {
  const { shop } = world
  if (reopenSession) yield* setSessionStatus(world, sessionId, "pending")
  const { collectionId } = requireSession(world, sessionId)
  // An edit of the cart that was vetoed leaves its sum on the collection.
  const collection = shop.collection(collectionId)
  if (toWireAmount(collection.amount) !== toWireAmount(cartTotal)) collection.amount = cartTotal
  yield
  for (const { id, status } of shop.sessionsOf(collectionId)) {
    if (id !== sessionId && (status === "pending" || status === "requires_more")) {
      yield* attempt(deleteSession(world, id))
    }
  }
  const orderId = yield* completeHeldCart(world, cartId)
  yield
  const { paymentId } = requireSession(world, sessionId)
  // Core answers with the order that a cart has already, which need not be paid by this session.
  return paymentId ? yield* capture(world, paymentId, orderId) : { outcome: "again" }
}

function* authorize(
  world: World,
  row: Row,
  { sessionId, orderId, reopenSession }: Extract<Action, { do: "authorize" }>
): Steps<Applied> {
  const { books } = world
  if (orderId && !books.isOrderKnown(row.payment_collection_id)) {
    yield
    books.update(row.id, { order_id: orderId })
  }
  if (reopenSession) yield* setSessionStatus(world, sessionId, "pending")
  const payment = yield* authorizeSession(world, sessionId)
  yield
  return payment
    ? yield* capture(world, payment.id, orderId)
    : { outcome: "failed", reason: `session ${sessionId} was not authorized` }
}

function* capture(world: World, paymentId: string, orderId: string | null): Steps<Applied> {
  yield* capturePayment(world, paymentId)
  yield
  if (!orderId) return { outcome: "done", captured: true }
  yield* followOrderBalance(world, orderId)
  return { outcome: "done", captured: true, orderId }
}

/** A session that core has deleted meanwhile is as closed as it can be. */
export function* closeSession(world: World, sessionId: string): Steps {
  if (world.shop.sessions.has(sessionId)) yield* setSessionStatus(world, sessionId, "canceled")
}

/** Core asks the provider whenever a session is updated. */
function* setSessionStatus(world: World, sessionId: string, status: string): Steps {
  const session = requireSession(world, sessionId)
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

export function* report(world: World, rowId: string): Steps {
  const row = world.books.retrieve(rowId)
  yield
  yield* world.books.follow(row)
  yield
  world.books.publishSettled(row)
}

/** One pass of the watcher. */
export function* watch(world: World): Steps {
  const { books } = world
  for (let row = books.claimDue(); row; row = books.claimDue()) {
    yield
    yield* attempt(settle(world, row.id, { provenSince: freshSince(world.books.now()) }))
    books.planWatch(row.id)
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
  for (const row of books.findUnpublished()) {
    books.publishSettled(row)
    yield
  }
}

/** A callback makes its transaction due before it is answered. */
export function* settleCallback(world: World, rowId: string): Steps {
  const { books } = world
  const receivedAt = books.now()
  books.hint(rowId)
  // Polls leave the read to it.
  books.claimPoll(rowId)
  const { settled_at, handled_at } = books.retrieve(rowId)
  yield
  if (!settled_at && !handled_at) yield* settle(world, rowId, { provenSince: receivedAt })
}

export function* poll(world: World, rowId: string): Steps {
  const cameAt = world.books.now()
  const row = world.books.retrieve(rowId)
  if (!row.watch_at || !row.transaction_id || isProven(row)) return
  if (!world.books.claimPoll(rowId)) return
  yield
  yield* settle(world, rowId, { provenSince: cameAt, leaveProven: true })
}
