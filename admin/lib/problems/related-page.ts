import type { ConnectedAccount, Problem } from "../answers"
import { daysOf, transactionsAt } from "../address"

interface Page {
  label: string
  to: string
}

/** The page of a problem's payment: that of our row, or the service's record. */
export function paymentPageOf({ transaction_row_id: rowId, transaction_id: recordId }: Problem) {
  if (rowId !== null) return `/payment-service/transactions/${rowId}`
  return recordId === null ? null : `/payment-service/records/${recordId}`
}

/** A page with more about a problem than its order, its customer and the service's record of its payment. */
export function relatedPageOf(problem: Problem, accounts: ConnectedAccount[] = []): Page | null {
  const { kind, facts, transaction_row_id: rowId } = problem
  if (kind === "unknown_status") return paymentsOfStatus(problem, accounts)
  if (kind === "payout_unknown" && typeof facts.payout === "string") {
    return { label: "places.payout", to: `/payment-service/payouts/${facts.payout}` }
  }
  if (rowId !== null) {
    return { label: "places.transaction", to: `/payment-service/transactions/${rowId}` }
  }
  if (facts.found === "foreign_payments") return foreignPaymentsOf(problem, accounts)
  // A problem that names an address of the service and no payment is about the connection.
  const isOfConnection = facts.baseUrl !== undefined && facts.found === undefined
  return isOfConnection || kind === "callback_unreadable"
    ? { label: "places.connection", to: "/settings/sbp-crypto?tab=connection" }
    : null
}

/** This store's payments with the status that a problem is about. */
function paymentsOfStatus({ facts }: Problem, accounts: ConnectedAccount[]): Page | null {
  const { status, merchant } = facts
  if (typeof status !== "string" || typeof merchant !== "string") return null
  const of = accounts.filter(({ merchant_id }) => isSame(merchant_id, merchant))
  const filters = { exception: ["unknown_status"], ...withStatus(status, of, accounts) }
  return { label: "places.payments", to: transactionsAt(filters) }
}

/** Filters of this store's payments: a status of these accounts, of all that there are. */
export const withStatus = (status: string, of: ConnectedAccount[], all: ConnectedAccount[]) => ({
  status: [status],
  // Payments of an account that was renamed since are found, too, unless another merchant may have the same status.
  ...(of.length < all.length ? { account: of.map(({ id }) => id) } : {}),
})

export const isSame = (merchant: string, other: string) =>
  merchant.toLowerCase() === other.toLowerCase()

/** The service's list of the payments that the store never heard of, in the span in which a comparison found them. */
function foreignPaymentsOf({ facts }: Problem, accounts: ConnectedAccount[]): Page | null {
  const { from, to, merchantId, baseUrl, statuses, methods } = facts
  if (typeof from !== "string" || typeof to !== "string") return null
  const account = accounts.find(
    ({ merchant_id, base_url }) => merchant_id === merchantId && base_url === baseUrl
  )
  const filters = {
    source: "service",
    // Medusa's table writes a single choice as a text of JSON.
    known: JSON.stringify("false"),
    status_name: JSON.stringify(statuses),
    ...(Array.isArray(methods) && methods.length > 0 ? { method: JSON.stringify(methods) } : {}),
    ...(account?.id ? { account: JSON.stringify(account.id) } : {}),
    created_at: daysOf({ from, to }),
  }
  return { label: "places.foreign", to: transactionsAt(filters) }
}
