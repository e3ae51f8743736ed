import type { MedusaContainer } from "@medusajs/framework/types"

import { findNumbersFor, findOrderIdsByNumber } from "../medusa/search"
import type { Accounts, PayoutRow } from "../modules/payment-service"
import { buyersMeant } from "../payments/search"
import { isRepeatable } from "./draft-payout"
import { withoutLongNumbers } from "./rules/card-text"
import { outcomeReason } from "./rules/outcome"
import { actionsOf, isUnsent } from "./rules/payout"
import { shownFacts } from "./statements/payouts"

/** A payout as files have it; its amount is whole rubles. */
export function payoutView(row: PayoutRow, orderNumbers: Map<string, number>) {
  return {
    id: row.id,
    ...shownFacts(row),
    revision: row.revision,
    attempts: row.attempts,
    recipient: row.card_id === null ? ("typed_number" as const) : ("saved_card" as const),
    card_id: row.card_id,
    card_brand: row.card_brand,
    card_label: row.card_label,
    /** Identifies the request at the service, which may never have answered it. */
    idempotency_key: row.sent_at === null ? null : row.idempotency_key,
    reason: outcomeReason(row),
    note: row.note,
    order_display_id: orderNumbers.get(row.order_id ?? "") ?? null,
    made_by: { id: row.made_by, name: row.made_by_name },
    approved_by: person(row.approved_by, row.approved_by_name),
    sent_by: person(row.sent_by, row.sent_by_name),
    marked_by: person(row.marked_by, row.marked_by_name),
    created_at: row.made_at,
    approved_at: row.approved_at,
    sent_at: row.sent_at,
    answered_at: row.answered_at,
    marked_at: row.marked_at,
    mark_note: row.mark_note,
  }
}

/** Payouts with what the reader of this id may do; null for one who may not act. */
export async function payoutViews(
  scope: MedusaContainer,
  rows: PayoutRow[],
  { accounts, reader }: { accounts: Accounts; reader: string | null }
) {
  const orderNumbers = await findNumbersFor(scope, rows)
  return rows.map((row) => {
    const allowed = reader === null ? [] : actionsOf(row, reader, accounts.store.payouts)
    const mayRepeat = row.state === "unknown" && isRepeatable(accounts, row)
    return {
      ...payoutView(row, orderNumbers),
      actions: allowed.filter((action) => action !== "send_again" || mayRepeat),
      needs_card_number: row.card_id === null && (isUnsent(row) || mayRepeat),
    }
  })
}

export const person = (id: string | null, name: string | null) =>
  id === null ? null : { id, name: name ?? id }

const MOST_WORDS = 8

/** `1027` is an order's number or an amount, `4242` the last digits of a card (of a whole number no more leaves here), words are searched in notes and names. */
export async function payoutFilter<Query extends { q?: string }>(
  container: MedusaContainer,
  { q, ...filter }: Query,
  seesCustomers: boolean
) {
  if (!q) return filter
  const searched = withoutLongNumbers(q)
  const plain = searched.replace(/[\s\u00a0\u202f-]/g, "")
  const isId = /^[\w-]{8,}$/.test(searched) && !/^\d+$/.test(plain)
  const words = isId ? [] : (searched.match(/[\p{L}\p{N}]+/gu) ?? [])
  const search = {
    ids: isId ? [...new Set([searched, searched.toLowerCase()])] : [],
    orderIds: await findOrderIdsByNumber(container, plain),
    buyers: await buyersMeant(container, searched, seesCustomers),
    last4: /(?:^|\*)(\d{4})$/.exec(plain)?.[1],
    amount: /^\d{1,9}$/.test(plain) ? plain : undefined,
    words: words.slice(0, MOST_WORDS),
  }
  return { ...filter, search }
}
