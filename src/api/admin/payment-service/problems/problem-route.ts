import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { type SettlePorts, settlePortsOf } from "../../../../payments"
import {
  acceptPayment,
  type AcceptPaymentInput,
  type EndHalfMadeInput,
  endHalfMadeOrder,
  problemViews,
} from "../../../../problems"
import { reasonsText } from "../../../../problems/rules/reasons"
import { notFound } from "../../../../refusals/refused"
import { type Asked, inReadersLanguage } from "../in-readers-language"
import type { BODIES, BodyOf } from "../validators"

interface Asking<Body> {
  problem_id: string
  body: Body
  /** The id of the admin, or of the API key. */
  by: string
}
export type Acting<Path extends keyof typeof BODIES> = Asking<BodyOf<Path>>

/** A route that may act on the problem of its address, and answers with that problem as it is then, and with what `act` returns. */
export const problemRoute = <Body, Told extends object>(
  act: (ports: SettlePorts, asked: Asking<Body>) => Promise<Told>
) =>
  inReadersLanguage(async (req: Asked<Body>) => {
    const problem_id = req.params.id ?? ""
    const asked = { problem_id, body: req.validatedBody, by: req.auth_context.actor_id }
    const told = await act(settlePortsOf(req.scope), asked)
    return { ...(await wholeView(req.scope, problem_id)), ...told }
  })

export const acceptRoute = (action: AcceptPaymentInput["action"]) =>
  problemRoute(async (ports, { problem_id, body, by }: Acting<"problems/:id/place-order">) => {
    await acceptPayment(ports, { problem_id, action, ...body, accepted_by: by })
    return {}
  })

export const endRoute = (action: EndHalfMadeInput["action"]) =>
  problemRoute(async (ports, { problem_id, body, by }: Acting<"problems/:id/link-order">) => {
    await endHalfMadeOrder(ports, { problem_id, action, ...body, ended_by: by })
    return {}
  })

/** A problem with its transaction's state and, if it is closed, with the open problem to which an admin's action may have led. */
export async function wholeView(scope: MedusaContainer, id: string) {
  const module = paymentServiceModule(scope)
  const [problem] = await module.listProblems({ id }, { take: 1 })
  if (!problem) throw notFound("no_problem", id)
  const { transaction_row_id: rowId } = problem
  const [row] = rowId ? await module.listTransactions({ id: rowId }, { take: 1 }) : []
  const [next] =
    rowId && problem.closed_at
      ? await module.listProblems(
          { transaction_row_id: rowId, closed_at: null },
          { order: { opened_at: "DESC" }, take: 1 }
        )
      : []
  const [view, nextView = null] = await problemViews(scope, next ? [problem, next] : [problem])
  if (!view) throw notFound("no_problem", id)
  return {
    problem: view,
    next_problem: nextView,
    transaction: row
      ? {
          id: row.transaction_id,
          state: row.state,
          exception: row.exception,
          exception_reason:
            row.exception && row.exception_reasons && reasonsText(row.exception_reasons),
          order_id: row.order_id,
        }
      : null,
  }
}
