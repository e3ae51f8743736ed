import { paidSum, standingOf, type Transaction } from "../../payments/rules/transaction"
import type { Sum } from "../../texts"

/** The facts of any kind of problem that tell what service or shop have. */
interface KnownFacts {
  found?: string
  /** A record of the service's list, or the sums and statuses of several. */
  record?: string
  listed?: Sum & { status: string }
  sums?: Sum[]
  statuses?: string[]
  /** The service's word for a payment that it had confirmed; null when it does not know that any more. */
  status?: string | null
  /** The sum that Medusa holds, or that an order is worth. */
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
  const sum = held ?? worth ?? (row && paidHere(row))
  if (!sum) return null
  // Medusa has lost what it had taken.
  const standing = row && found !== "payment_gone" ? standingOf(row) : null
  return { row_id: row?.id ?? null, standing, sums: [sum] }
}

/** The sum that the shop has, or that it asked for. */
function paidHere(row: Transaction): Sum {
  return row.settled_at ? paidSum(row) : { amount: row.amount, currency: row.currency }
}
