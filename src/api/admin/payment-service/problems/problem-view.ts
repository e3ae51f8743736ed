import type { MedusaContainer } from "@medusajs/framework/types"

import { listCarts } from "../../../../medusa/cart"
import type { ProblemRow } from "../../../../modules/payment-service"
import { toWireAmount } from "../../../../settlement/amount"
import { actionsFor, closingOf, textOf } from "../../../../settlement/problems"
import type { ProblemAction } from "../../../../settlement/problems/entry"
import type { Text } from "../../../../settlement/problems/words"

/** A problem as admins see it. */
interface ProblemView extends Omit<
  ProblemRow,
  "cause" | "created_at" | "updated_at" | "deleted_at"
> {
  /** What can be done about it now; nothing when it is closed. */
  actions: readonly ProblemAction[]
  /** What is wrong, in English. */
  message: string
  /** The same in each language that an admin may read. */
  messages: Text
  /** What closes it without an admin, in each language; null when it is closed. */
  closes: Text | null
  /** What an order made by `place_order` would be worth now, to the kopeck; null without a cart for it. */
  cart_total: string | null
}

/** Problems as admins see them, with what their carts are worth right now. */
export async function problemViews(
  scope: MedusaContainer,
  problems: ProblemRow[]
): Promise<ProblemView[]> {
  const open = problems.map((problem) => ({
    problem,
    actions: problem.closed_at ? [] : actionsFor(problem.kind, problem.transaction_row_id !== null),
  }))
  const cartIds = open.flatMap(({ problem: { cart_id }, actions }) =>
    cart_id && actions.includes("place_order") ? [cart_id] : []
  )
  const totals = cartIds.length ? await totalsOf(scope, cartIds) : new Map<string, string>()
  return open.map(({ problem, actions }) => {
    const { cause: _cause, created_at: _created, updated_at: _updated, ...rest } = problem
    const { deleted_at: _deleted, ...view } = rest
    const messages = textOf(problem)
    return {
      ...view,
      message: messages.en,
      messages,
      actions,
      closes: problem.closed_at ? null : closingOf(problem.kind),
      cart_total: totals.get(problem.cart_id ?? "") ?? null,
    }
  })
}

async function totalsOf(scope: MedusaContainer, cartIds: string[]): Promise<Map<string, string>> {
  const carts = await listCarts(scope, cartIds)
  return new Map(
    carts
      .filter(({ isCompleted }) => !isCompleted)
      .map(({ id, total }) => [id, toWireAmount(total)])
  )
}
