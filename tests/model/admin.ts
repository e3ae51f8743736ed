import { toDecimalText } from "../../src/settlement/amount"
import type { TransactionException } from "../../src/settlement/transaction-state"
import { causeOfTransaction } from "../../src/settlement/cause"
import { actionsFor, type ProblemAction } from "../../src/settlement/problem"
import type { Problem, Row } from "./books"
import { createSession, deleteSession } from "./core"
import { Refusal, type Steps } from "./processes"
import { readTransaction } from "./read-transaction"
import { APPLY_LEASE, loadMedusaState, setSessionStatus, settle } from "./settle"
import type { World } from "./world"

/** What an admin does about a problem, as the dashboard's workflows do it. */

const ACCEPTABLE = new Set<TransactionException>([
  "amount_less",
  "amount_more",
  "session_gone",
  "session_differs",
  "cart_changed",
  "order_canceled",
])

export function* actOnProblem(world: World, problem: Problem, action: ProblemAction): Steps {
  if (action === "retry") {
    requireOpen(problem, action)
    yield* settle(world, problem.rowId)
    return
  }
  yield* world.books.holding(`apply:${problem.rowId}`, APPLY_LEASE, function* () {
    requireOpen(problem, action)
    if (action === "place_order" || action === "accept_amount") {
      yield* accept(world, problem)
      close(world, problem, "accepted")
    } else {
      const isAboutItsMoney = problem.cause === causeOfTransaction(problem.rowId)
      const row = world.books.retrieve(problem.rowId)
      const isOpenMoney = isAboutItsMoney && !row.settled_at
      if (isOpenMoney) handle(world, row)
      close(world, problem, action === "handle" ? "handled" : action)
      yield
      if (isOpenMoney) yield* closeSessionOf(world, row)
    }
  })
  if (action === "place_order" || action === "accept_amount") yield* settle(world, problem.rowId)
}

function requireOpen({ closedAt, kind }: Problem, action: ProblemAction): void {
  if (closedAt !== null) throw new Refusal("this problem is closed already")
  if (!actionsFor(kind).includes(action)) throw new Refusal("it cannot be solved in this way")
}

/** The transaction gets a new session of the sum that was paid, where it can pay for something. */
function* accept(world: World, { rowId }: Problem): Steps {
  const { books, shop } = world
  yield* readTransaction(world, books.retrieve(rowId))
  const row = books.retrieve(rowId)
  if (row.settled_at || row.handled_at || !row.exception) {
    throw new Refusal("this payment has settled in the meantime")
  }
  if (row.state !== "paid" || !ACCEPTABLE.has(row.exception) || row.read_amount === null) {
    throw new Refusal("the service does not confirm a payment that can be accepted")
  }
  const target = yield* findTarget(world, row)
  const amount = toDecimalText(row.read_amount)
  books.update(rowId, {
    accepted_amount: amount,
    accepted_cart_total: target.cartTotal,
    apply_attempts: 0,
    apply_after: null,
  })
  yield
  const session = yield* createSession(world, target.collectionId, {
    provider: "ours",
    amount,
    currency: "rub",
    adopt: rowId,
  })
  yield
  if (shop.sessions.has(row.session_id) && row.session_id !== session.id) {
    yield* deleteSession(world, row.session_id)
  }
}

function* findTarget(
  world: World,
  row: Row
): Steps<{ collectionId: string; cartTotal: string | null }> {
  const { cart, order, otherPayment, payment } = yield* loadMedusaState(world, row)
  if (otherPayment || (payment && !payment.canceled)) {
    throw new Refusal("Medusa holds a payment for this already")
  }
  if (order?.canceled) {
    const { total, currency } = world.shop.order(order.id)
    const copy = world.shop.addCart(total, currency)
    yield
    return { collectionId: copy.collectionId, cartTotal: total }
  }
  return {
    collectionId: row.payment_collection_id,
    cartTotal: order || !cart ? null : toDecimalText(cart.total),
  }
}

/** One statement with the closing: nothing happens with this money by itself any more. */
function handle({ books }: World, row: Row): void {
  books.update(row.id, { handled_at: row.handled_at ?? books.now(), watch_at: null })
}

/** What a person decided stands, even if the problem has closed by itself in the same moment. */
function close(
  { clock, books }: World,
  problem: Problem,
  resolution: "accepted" | "handled" | "refunded_outside"
): void {
  if (problem.closedAt !== null && problem.resolution !== "settled") return
  if (resolution !== "accepted" && problem.cause === causeOfTransaction(problem.rowId)) {
    const { read_amount, read_currency, amount, currency } = books.retrieve(problem.rowId)
    books.update(problem.rowId, {
      handled_as: problem.kind === "reversed" ? "reversed" : "paid",
      handled_amount: read_amount ?? amount,
      handled_currency: read_currency ?? currency,
    })
  }
  problem.closedAt = clock.now
  problem.resolution = resolution
}

/** A cart that is still a cart is paid by another payment. */
function* closeSessionOf(world: World, row: Row): Steps {
  const { session, order } = yield* loadMedusaState(world, row)
  if (session && !order) yield* setSessionStatus(world, session.id, "canceled")
}
