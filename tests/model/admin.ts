import type { ProblemAction } from "../../src/settlement/problems/entry"
import { acceptPayment } from "../../src/workflows/problems/accept-payment"
import { handleProblem } from "../../src/workflows/problems/handle-problem"
import { closeHandledPayment } from "../../src/workflows/problems/close-handled-payment"
import { actOnProblem, requireTransaction } from "../../src/workflows/problems/open-problem"
import { retryProblem } from "../../src/workflows/problems/retry-problem"
import { loadMedusaState } from "../../src/workflows/settle/load-medusa-state"
import type { Problem } from "./books"
import type { World } from "./world"

/** What an admin does about a problem. */
export async function actOnProblemOf(
  world: World,
  problem: Problem,
  action: ProblemAction
): Promise<void> {
  const { ports } = world
  const { id: problem_id } = problem
  switch (action) {
    case "retry":
      await retryProblem(ports, { problem_id })
      return
    case "place_order":
    case "accept_amount":
      await acceptPayment(ports, {
        problem_id,
        action,
        amount: null,
        cart_total: seenTotal(world, problem),
        accepted_by: null,
      })
      return
    case "handle":
      await handleProblem(ports, { problem_id, note: "by hand", handled_by: null })
      return
    case "refunded_outside":
      await recordRefundOutside(world, problem_id)
  }
}

/** What the order will be worth, as the admin has seen it: the cart's total, or that of a canceled order. */
function seenTotal({ books, shop }: World, { transaction_row_id }: Problem): string | null {
  if (!transaction_row_id) return null
  const { payment_collection_id } = books.retrieve(transaction_row_id)
  const order = shop.orderOf(payment_collection_id)
  const { cartId } = shop.collection(payment_collection_id)
  return order?.canceledAt ? order.total : cartId && shop.cart(cartId).total
}

/** `recordRefundOutside`, but for what it books in Medusa. */
async function recordRefundOutside({ ports }: World, problem_id: string): Promise<void> {
  await actOnProblem(ports, problem_id, "refunded_outside", async ({ module, ...open }) => {
    const row = requireTransaction(open.row)
    const closed = { resolution: "refunded_outside", by: null, note: null } as const
    const { payment } = await loadMedusaState(ports, row)
    if (row.settled_at || payment?.captured) {
      await module.problems.closeByPerson(problem_id, closed)
    } else {
      const back = { amount: row.amount, currency: row.currency }
      await closeHandledPayment(ports, row, () =>
        module.problems.closeByPerson(problem_id, closed, { of: row.id, back })
      )
    }
  })
}
