import { atLabelledPoint } from "../modules/payment-service/labelled-points"
import { refusedPayment } from "../modules/payment-service/refused-deed"
import { findHeldPayment } from "./find-held-payment"
import { type Data, textOf } from "./find-row"
import type { Ports } from "./ports"
import { judgeSession } from "./read-session"

/**
 * Answers core's question, while it makes an order, whether a session is paid. Only a full proof of payment gives `captured`. An
 * order may be placed before its payment only when both have the same sum.
 *
 * @throws MedusaError `NOT_ALLOWED` when the cart has changed or another session has taken the payment; or as `readSession` does
 */
export async function authorizeSession(ports: Ports, data: Data) {
  const { module } = ports
  const { row, decision } = await judgeSession(ports, data)
  const { sessionStatus: status } = decision
  await atLabelledPoint("authorize:judged")
  if (decision.isOutdated) throw refusedPayment("cart_changed")
  const notOf = textOf(data, "session_id")
  if (status === "captured" && (await findHeldPayment(ports, row, { notOf }))) {
    throw refusedPayment("taken_already")
  }
  if (status === "pending_authorization") {
    await module.transactions.markDeferred(row.id)
  }
  const isPromised = status === "captured" || status === "pending_authorization"
  if (isPromised && row.cart_id) await module.completionMarks.note(row.cart_id, { isAsked: true })
  return { row, status }
}
