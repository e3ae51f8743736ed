import { type SettlePorts, settlePortsOf } from "../../../../../../payments"
import * as problems from "../../../../../../problems"
import { type Asked, byName, inReadersLanguage } from "../../../in-readers-language"
import type { BODIES, BodyOf } from "../../../validators"
import { problemPage } from "../route"

interface Asking {
  problem_id: string
  by: string
}
type Acting<Path extends keyof typeof BODIES> = BodyOf<Path> & Asking

/** Acts on the problem of the address, and answers with that problem as it is then, and with what `act` returns. */
const acting = <Body, Extra extends object>(
  act: (ports: SettlePorts, asked: Body & Asking) => Promise<Extra>
) =>
  inReadersLanguage(async (req: Asked<Body>, module) => {
    const problem_id = req.params.id ?? ""
    const asked = { ...req.validatedBody, problem_id, by: req.auth_context.actor_id }
    const extra = await act(settlePortsOf(req.scope), asked)
    return { ...(await problemPage(req, module)), ...extra }
  })

const accepting = (action: problems.AcceptPaymentInput["action"]) =>
  acting(async (ports, { by, ...asked }: Acting<"problems/:id/place-order">) => {
    await problems.acceptPayment(ports, { ...asked, action, accepted_by: by })
    return {}
  })

const ending = (action: problems.EndHalfMadeInput["action"]) =>
  acting(async (ports, { by, ...asked }: Acting<"problems/:id/link-order">) => {
    await problems.endHalfMadeOrder(ports, { ...asked, action, ended_by: by })
    return {}
  })

export const retry = acting(async (ports, { problem_id, by }: Asking) => {
  const { settled, left } = await problems.retryProblem(ports, { problem_id, retried_by: by })
  return { retried: { now: settled.length, left } }
})

export const refundedOutside = acting(
  async (ports, { by, ...asked }: Acting<"problems/:id/refunded-outside">) => {
    const recorded = await problems.recordRefundOutside(ports, { ...asked, given_by: by })
    return { waits_for_change: recorded.waits_for_change }
  }
)

const handle = acting(async (ports, { by, ...asked }: Acting<"problems/:id/handle">) => {
  await problems.handleProblem(ports, { ...asked, handled_by: by })
  return {}
})

export const POST = byName({
  "place-order": accepting("place_order"),
  "accept-amount": accepting("accept_amount"),
  "take-instead": accepting("take_instead"),
  "link-order": ending("link_order"),
  "replace-order": ending("replace_order"),
  "refunded-outside": refundedOutside,
  retry,
  handle,
})
