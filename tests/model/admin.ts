import type { ProblemAction } from "../../src/settlement/problems/entry"
import { acceptPayment } from "../../src/workflows/problems/accept-payment"
import { handleProblem } from "../../src/workflows/problems/handle-problem"
import {
  recordPaidOut,
  recordRefundOutside,
} from "../../src/workflows/problems/record-refund-outside"
import { retryProblem } from "../../src/workflows/problems/retry-problem"
import type { Problem } from "./books"
import { payBack } from "./payout-commands"
import type { World } from "./world"

/** A part of each sum that can be due. */
export const PART = "40"

/** Acts on a problem as an admin; `isPart` when only a part of the sum due went back. */
export async function actOnProblemOf(
  world: World,
  problem: Problem,
  action: ProblemAction,
  isPart: boolean
): Promise<void> {
  const { ports } = world
  const { id: problem_id } = problem
  switch (action) {
    case "pay_out":
      await payBack(world, problem)
      return
    case "record_refund":
      await recordPaidOut(ports, { problem_id, note: "paid out", given_by: null })
      return
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
      await recordRefundOutside(ports, {
        problem_id,
        amount: isPart ? PART : null,
        note: "by hand",
        given_by: null,
      })
  }
}

/** The order's future total as the admin saw it: the cart's total, or that of a canceled order. */
function seenTotal({ books, shop }: World, { transaction_row_id }: Problem): string | null {
  if (!transaction_row_id) return null
  const { payment_collection_id } = books.retrieve(transaction_row_id)
  const order = shop.orderOf(payment_collection_id)
  const { cartId } = shop.collection(payment_collection_id)
  return order?.canceledAt ? order.total : cartId && shop.cart(cartId).total
}
