import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../modules/payment-service"
import { hasText, NOTHING, type Text, text } from "../texts"
import { problemViews } from "./problem-view"
import { SHORT_NUMBER } from "./statements/problems"

/**
 * The words of the dashboard's feed for a problem; null when it is closed by now. The feed has no links, so they end with the
 * problem's short number, which the search finds.
 */
export async function notificationOf(
  container: MedusaContainer,
  problemId: string,
  language: keyof Text
) {
  const module = paymentServiceModule(container)
  const open = await module.listProblems({ id: problemId, closed_at: null }, { take: 1 })
  const [view] = await problemViews(container, open, { seesCustomers: true })
  if (!view) return null
  const { kind, id, messages, customer_email: customer, amount, currency } = view
  const paid = amount && currency && { sum: { amount, currency } }
  const sum = paid ? text("notifications", "sum", paid) : NOTHING
  const named = hasText("problemKinds", kind) ? text("problemKinds", kind) : { en: kind, ru: kind }
  const number = text("notifications", "number", { number: id.slice(-SHORT_NUMBER) })
  return {
    title: text("notifications", "problem", { kind: named, sum })[language],
    description: `${messages[language]} · ${number[language]}`,
    /** The same with the customer, for no log; null without one. */
    whole: customer && `${messages[language]} · ${customer} · ${number[language]}`,
  }
}
