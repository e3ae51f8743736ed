import type { MedusaContainer } from "@medusajs/framework/types"

import { findOrderIdsByNumber } from "../medusa/search"
import { buyersMeant } from "../payments/search"
import { withoutLongNumbers } from "./rules/card-text"
import { lastFour } from "./rules/outcome"
import type { PayoutSearch } from "./statements/payout-list"

/** The filter of a list of payouts, of which `q` is what an admin searches for. */
export async function payoutFilter<Query extends { q?: string }>(
  container: MedusaContainer,
  { q, ...filter }: Query
) {
  return { ...filter, search: q ? await payoutSearch(container, q) : undefined }
}

const MOST_WORDS = 8

/**
 * The possible meanings of an admin's search text: `#1027` or `1027` is an order's number, `5000` or `5 000` an amount, too;
 * `4242`, `**** 4242` or a whole card number, of which no more leaves this function, are a card's last four digits; words are
 * searched in notes and makers' names, and in the e-mail addresses and names of those who paid.
 */
async function payoutSearch(container: MedusaContainer, searched: string): Promise<PayoutSearch> {
  const shown = withoutLongNumbers(searched)
  if (shown !== searched) return { last4: lastFour(shown) ?? [] }
  const plain = searched.replace(/[\s\u00a0\u202f-]/g, "")
  const isId = /^[\w-]{8,}$/.test(searched) && !/^\d+$/.test(plain)
  const words = isId ? [] : (searched.match(/[\p{L}\p{N}]+/gu) ?? [])
  return {
    ids: isId ? [...new Set([searched, searched.toLowerCase()])] : [],
    orderIds: await findOrderIdsByNumber(container, plain),
    buyers: await buyersMeant(container, searched),
    last4: /^\**(\d{4})$/.exec(plain)?.[1],
    amount: /^\d{1,9}$/.test(plain) ? plain : undefined,
    words: words.slice(0, MOST_WORDS),
  }
}
