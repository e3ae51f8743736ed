import type { Problem } from "./api"

/** Kinds about the connection to the service instead of a payment. */
const OF_CONNECTION = [
  "callback_unreadable",
  "service_unreachable",
  "credentials_refused",
  "not_configured",
]

/** The page on which an admin sees more about a problem. */
export function relatedPageOf(problem: Problem): { label: string; to: string } | null {
  if (OF_CONNECTION.includes(problem.kind))
    return { label: "places.connection", to: "/payment-service/connection" }
  if (problem.kind === "payout_unknown" && typeof problem.facts?.payout === "string") {
    return { label: "places.payout", to: `/payment-service/payouts/${problem.facts.payout}` }
  }
  if (problem.transaction_row_id !== null) {
    return {
      label: "places.transaction",
      to: `/payment-service/transactions/${problem.transaction_row_id}`,
    }
  }
  if (problem.order_id !== null) return { label: "places.order", to: `/orders/${problem.order_id}` }
  if (problem.transaction_id !== null) {
    return { label: "places.record", to: `/payment-service/records/${problem.transaction_id}` }
  }
  return null
}
