import { findDelivery } from "../../../../../medusa/buyer"
import type { PaymentServiceModuleService } from "../../../../../modules/payment-service"
import { problemViews } from "../../../../../problems"
import { reasonsText } from "../../../../../problems/rules/reasons"
import { notFound } from "../../../../../refusals/refused"
import { type Asked, inReadersLanguage, maySeeCustomers } from "../../in-readers-language"

/** Shows one problem, and to whoever may see customers in Medusa also the buyer, the address and the items of its order or cart. */
export const GET = inReadersLanguage(async (req: Asked, module) => {
  const shown = await problemPage(req, module)
  const { order_id: orderId, cart_id: cartId } = shown.problem
  const delivery = (await maySeeCustomers(req))
    ? await findDelivery(req.scope, { orderId, cartId })
    : null
  return { ...shown, delivery }
})

/** A problem with its transaction's state and, if it is closed, with the open problem to which an admin's action may have led. */
export async function problemPage(req: Asked, module: PaymentServiceModuleService) {
  const id = req.params.id ?? ""
  const [problem] = await module.listProblems({ id }, { take: 1 })
  if (!problem) throw notFound("no_problem", id)
  const { transaction_row_id: rowId } = problem
  const [row = null] = rowId ? await module.listTransactions({ id: rowId }, { take: 1 }) : []
  const latest = { order: { opened_at: "DESC" }, take: 1 } as const
  const next =
    rowId && problem.closed_at
      ? await module.listProblems({ transaction_row_id: rowId, closed_at: null }, latest)
      : []
  const reader = { seesCustomers: await maySeeCustomers(req) }
  const [view, nextView = null] = await problemViews(req.scope, [problem, ...next], reader)
  if (!view) throw notFound("no_problem", id)
  return {
    problem: view,
    next_problem: nextView,
    transaction: row && {
      id: row.transaction_id,
      state: row.state,
      exception: row.exception,
      exception_reason:
        row.exception && row.exception_reasons && reasonsText(row.exception_reasons),
      order_id: row.order_id,
    },
  }
}
