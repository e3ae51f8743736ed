import type { MedusaContainer } from "@medusajs/framework/types"

import { listCarts } from "../../../../medusa/cart"
import { findOrderNumbers } from "../../../../medusa/search"
import { findNames } from "../../../../medusa/users"
import {
  paymentServiceModule,
  type ProblemRow,
  type TransactionRow,
} from "../../../../modules/payment-service"
import { toWireAmount } from "../../../../settlement/amount"
import { actionsFor, closingOf, textOf } from "../../../../settlement/problems"
import type { ProblemAction } from "../../../../settlement/problems/entry"
import type { Text } from "../../../../settlement/problems/words"

/** A problem as admins see it. */
interface ProblemView extends Omit<
  ProblemRow,
  "cause" | "created_at" | "updated_at" | "deleted_at"
> {
  /** The actions that it allows now; none when it is closed. */
  actions: readonly ProblemAction[]
  /** Says what is wrong, in English. */
  message: string
  /** The same in each language that an admin may read. */
  messages: Text
  /** Says what closes it without an admin, in each language; null when it is closed. */
  closes: Text | null
  /** The account that opened the payment, and its method; null for a problem of no payment. */
  account: string | null
  method: string | null
  /** The number of the order that it is about. */
  order_number: number | null
  /** The name of the admin who closed it; null when it is open or closed by itself. */
  closed_by_name: string | null
  /** The worth of an order that `place_order` would make now, to the kopeck; null without a cart for it. */
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
  const [totals, payments, numbers, names] = await Promise.all([
    totalsOf(scope, cartIds),
    paymentsOf(scope, present(problems.map(({ transaction_row_id }) => transaction_row_id))),
    findOrderNumbers(scope, present(problems.map(({ order_id }) => order_id))),
    findNames(
      scope,
      problems.map(({ closed_by }) => closed_by)
    ),
  ])
  return open.map(({ problem, actions }) => {
    const { cause: _cause, created_at: _created, updated_at: _updated, ...rest } = problem
    const { deleted_at: _deleted, ...view } = rest
    const messages = textOf(problem)
    return {
      ...view,
      message: messages.en,
      messages,
      actions,
      account: payments.get(problem.transaction_row_id ?? "")?.account ?? null,
      method: payments.get(problem.transaction_row_id ?? "")?.method ?? null,
      order_number: numbers.get(problem.order_id ?? "") ?? null,
      closes: problem.closed_at ? null : closingOf(problem.kind),
      closed_by_name: names.get(problem.closed_by ?? "") ?? null,
      cart_total: totals.get(problem.cart_id ?? "") ?? null,
    }
  })
}

/** Each id once. */
const present = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))]

async function paymentsOf(
  scope: MedusaContainer,
  rowIds: string[]
): Promise<Map<string, Pick<TransactionRow, "account" | "method">>> {
  const rows = rowIds.length
    ? await paymentServiceModule(scope).listTransactions(
        { id: rowIds },
        { select: ["id", "account", "method"], take: rowIds.length }
      )
    : []
  return new Map(rows.map((row) => [row.id, row]))
}

async function totalsOf(scope: MedusaContainer, cartIds: string[]): Promise<Map<string, string>> {
  if (!cartIds.length) {
    return new Map()
  }
  const carts = await listCarts(scope, cartIds)
  return new Map(
    carts
      .filter(({ isCompleted }) => !isCompleted)
      .map(({ id, total }) => [id, toWireAmount(total)])
  )
}
