import { toDecimalText, toWireAmount } from "../../src/settlement/amount"
import type { MedusaState } from "../../src/settlement/evidence"
import type { TransactionException } from "../../src/settlement/transaction-state"
import { causeOfTransaction } from "../../src/settlement/cause"
import { actionsFor } from "../../src/settlement/problems"
import type { ProblemAction } from "../../src/settlement/problems/entry"
import type { Problem, Row } from "./books"
import { createSession, deleteSession } from "./core"
import { findCart, loadMedusaState } from "./medusa-state"
import { Refusal, type Steps } from "./processes"
import { readTransaction } from "./read-transaction"
import { closeSession, holdingTarget, settle } from "./settle"
import type { World } from "./world"

/** What an admin does about a problem, as the dashboard's workflows do it. */

const ACCEPTABLE = new Set<TransactionException>([
  "completion_failed",
  "payment_canceled",
  "amount_less",
  "amount_more",
  "session_gone",
  "session_differs",
  "cart_changed",
  "order_canceled",
])

export function* actOnProblem(world: World, problem: Problem, action: ProblemAction): Steps {
  const { books } = world
  const rowId = problem.rowId
  requireOpen(problem, action)
  if (!rowId) {
    close(world, problem, "handled")
    return
  }
  const before = books.retrieve(rowId)
  const seen = findCart(world, before.payment_collection_id)?.total.toString() ?? null
  yield* holdingTarget(world, before, function* (row) {
    yield
    requireOpen(problem, action)
    switch (action) {
      case "retry":
        return
      case "place_order":
      case "accept_amount":
        yield* accept(world, problem, row, seen)
        return
      case "handle":
        yield* handle(world, problem, row)
        return
      case "refunded_outside":
        yield* refundOutside(world, problem, row)
    }
  })
  if (action === "retry" || action === "place_order" || action === "accept_amount") {
    yield* settle(world, rowId)
  }
}

function requireOpen({ closedAt, kind, rowId }: Problem, action: ProblemAction): void {
  if (closedAt !== null) throw new Refusal("this problem is closed already")
  if (!actionsFor(kind, rowId !== null).includes(action)) {
    throw new Refusal("it cannot be solved in this way")
  }
}

/**
 * The transaction gets a new session of the sum that was paid, where it can pay for something.
 *
 * @param seen what the cart was worth when the admin looked at it
 */
function* accept(world: World, problem: Problem, before: Row, seen: string | null): Steps {
  const { books, shop } = world
  const { row, decision } = yield* readTransaction(world, before)
  if (row.settled_at || row.handled_at || !row.exception) {
    throw new Refusal("this payment has settled in the meantime")
  }
  const isConfirmed = decision.isMoney && row.state === "paid" && row.read_amount !== null
  if (!isConfirmed || !ACCEPTABLE.has(row.exception)) {
    throw new Refusal("the service does not confirm a payment that can be accepted")
  }
  // Its session is as it should be: what Medusa refused is only tried again.
  if (row.exception === "completion_failed") return
  const amount = toDecimalText(row.read_amount ?? row.amount)
  const target = yield* findTarget(world, row)
  if (target.cart && target.isNewOrder && !target.isCopy) {
    if (toWireAmount(seen ?? amount) !== toWireAmount(target.cart.total)) {
      throw new Refusal("the cart is worth another sum by now")
    }
  }
  books.update(row.id, {
    accepted_amount: amount,
    accepted_cart_total: target.cart ? toDecimalText(target.cart.total) : null,
    apply_attempts: 0,
    apply_after: null,
    watch_at: books.now(),
  })
  yield
  const session = yield* createSession(world, target.collectionId, {
    provider: "ours",
    amount,
    currency: "rub",
    adopt: row.id,
  })
  yield
  const old = shop.sessions.get(row.session_id)
  if (old && old.id !== session.id && !old.paymentId) yield* deleteSession(world, old.id)
  yield
  books.recordProgress(row)
  yield
  close(world, problem, "accepted")
}

interface Target {
  collectionId: string
  cart: MedusaState["cart"]
  isNewOrder: boolean
  /** An admin who has an order made anew knows what it was worth. */
  isCopy: boolean
}

function* findTarget(world: World, row: Row): Steps<Target> {
  const { cart, order, otherPayment, payment } = yield* loadMedusaState(world, row)
  if (otherPayment || (payment && !payment.canceled)) {
    throw new Refusal("Medusa holds a payment for this already")
  }
  if (order?.canceled) {
    const { total, currency } = world.shop.order(order.id)
    const copy = world.shop.addCart(total, currency)
    yield
    const copied = findCart(world, copy.collectionId)
    return { collectionId: copy.collectionId, cart: copied, isNewOrder: true, isCopy: true }
  }
  if (!order && !cart) throw new Refusal("the cart of this payment is gone")
  const collectionId = row.payment_collection_id
  return order
    ? { collectionId, cart: findCart(world, collectionId), isNewOrder: false, isCopy: false }
    : { collectionId, cart, isNewOrder: true, isCopy: false }
}

function* handle(world: World, problem: Problem, row: Row): Steps {
  if (problem.cause === causeOfTransaction(row.id) && !row.settled_at) {
    yield* leaveAlone(world, row, () => {
      close(world, problem, "handled", row.id)
    })
  } else {
    close(world, problem, "handled")
  }
}

function* refundOutside(world: World, problem: Problem, row: Row): Steps {
  const { payment } = yield* loadMedusaState(world, row)
  yield
  if (row.settled_at || payment?.captured) {
    close(world, problem, "refunded_outside")
  } else {
    yield* leaveAlone(world, row, () => {
      close(world, problem, "refunded_outside", row.id)
    })
  }
}

/** A cart that is still a cart is paid by another payment. */
function* leaveAlone(world: World, row: Row, closeProblem: () => void): Steps {
  const { session, order, payment } = yield* loadMedusaState(world, row)
  if (payment && !payment.canceled) throw new Refusal("Medusa has taken this payment meanwhile")
  yield
  closeProblem()
  yield
  if (session && !order) yield* closeSession(world, session.id)
}

/**
 * What a person decided stands, even if the problem has closed by itself in the same moment. Nothing happens any
 * more by itself with the money of `handled`: that is one statement with the closing.
 */
function close(
  { books, clock }: World,
  problem: Problem,
  resolution: "accepted" | "handled" | "refunded_outside",
  handled: string | null = null
): void {
  if (handled) {
    const { handled_at } = books.retrieve(handled)
    books.update(handled, { handled_at: handled_at ?? books.now(), watch_at: null })
  }
  if (problem.closedAt !== null && problem.resolution !== "settled") return
  const { rowId } = problem
  if (resolution !== "accepted" && rowId && problem.cause === causeOfTransaction(rowId)) {
    const { read_amount, read_currency, amount, currency } = books.retrieve(rowId)
    books.update(rowId, {
      handled_as: problem.kind === "reversed" ? "reversed" : "paid",
      handled_amount: read_amount ?? amount,
      handled_currency: read_currency ?? currency,
    })
  }
  problem.closedAt = clock.now
  problem.resolution = resolution
}
