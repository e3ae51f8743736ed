import { addAmounts } from "../../src/settlement/amount"
import { causeOfBalance } from "../../src/settlement/cause"
import type { Row } from "./books"
import type { Steps } from "./processes"
import type { World } from "./world"

/** The net: right after each capture, and once a day for every order that a payment of ours was taken for. */
export function* followOrderBalance(world: World, orderId: string): Steps {
  const { shop, books, rules } = world
  const order = shop.orders.get(orderId)
  if (!order) return
  const { total, currency, canceledAt } = order
  const outstanding = shop.outstanding(order)
  yield
  const captured = shop.paymentsOf(orderId).filter(({ capturedAt }) => capturedAt !== null)
  const ours = books.list(
    ({ id, state, handled_at }) =>
      captured.some(({ rowId }) => rowId === id) && state === "paid" && handled_at === null
  )
  const accepted = sumOfAccepted(ours)
  const problem =
    canceledAt === null
      ? rules.balanceProblem({ name: orderId, orderId, currency, total, outstanding, accepted })
      : null
  yield
  if (problem) books.openComparedProblem(problem.found, ours.at(-1)?.id ?? null, problem.amount)
  else books.closeCause(causeOfBalance(orderId), "settled")
}

/** What people accepted to be missing. */
function sumOfAccepted(rows: Row[]): string {
  return rows.reduce(
    (sum, { amount, accepted_amount }) =>
      accepted_amount === null ? sum : addAmounts(addAmounts(sum, amount), `-${accepted_amount}`),
    "0"
  )
}

/** The daily comparison, as far as it looks at orders. */
export function* compareOrders(world: World): Steps {
  const paid = world.books.list(
    ({ settled_at, order_id }) => settled_at !== null && order_id !== null
  )
  for (const orderId of new Set(paid.map(({ order_id }) => order_id ?? ""))) {
    yield
    yield* followOrderBalance(world, orderId)
  }
}
