import { paidSum, standingOf, type Transaction } from "../../payments/rules/transaction"
import type { Sum } from "../../texts"

/** The facts of any kind of problem that tell what service or shop have, see `problems/rules/problems.ts`. */
interface KnownFacts {
  found?: string
  record?: string
  listed?: Sum & { status: string }
  sums?: Sum[]
  statuses?: string[]
  status?: string | null
  held?: Sum
  worth?: Sum
}

/**
 * The records of service and shop of the payment that a problem is about; null for a side that has nothing of it. The service's side is
 * what the comparison was told, else what the latest read was told.
 */
export function twoSides(facts: KnownFacts, row: Transaction | null) {
  return { service: serviceSide(facts, row), shop: shopSide(facts, row) }
}

function serviceSide(facts: KnownFacts, row: Transaction | null) {
  const { listed, record = null, sums, statuses, found } = facts
  if (listed) {
    const { status, ...sum } = listed
    return { id: record, status, sums: [sum] }
  }
  if (sums) return { id: null, status: statuses?.join(", ") ?? null, sums }
  if (!row || (found === "unconfirmed" && facts.status === null)) return null
  const { transaction_id: id, read_amount: amount, read_currency: currency } = row
  const read = amount === null || currency === null ? [] : [{ amount, currency }]
  return { id, status: facts.status ?? row.status, sums: read }
}

function shopSide({ held, worth, found }: KnownFacts, row: Transaction | null) {
  // The sum that the shop has, or that it asked for.
  const ofRow = row?.settled_at ? paidSum(row) : row
  const sum = held ?? worth ?? (ofRow && { amount: ofRow.amount, currency: ofRow.currency })
  if (!sum) return null
  // Medusa has lost what it had taken.
  const standing = row && found !== "payment_gone" ? standingOf(row) : null
  return { row_id: row?.id ?? null, standing, sums: [sum] }
}
