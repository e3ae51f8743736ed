import type { MedusaContainer } from "@medusajs/framework/types"

import { findOrderIdsByNumber } from "../medusa/search"
import { buyersMeant } from "../payments/search"
import { withoutLongNumbers } from "./rules/card-text"
import { lastFour } from "./rules/outcome"
import type { PayoutFilter, PayoutSearch } from "./statements/payout-list"

/** The filter in the words of the route. */
type Asked = Omit<PayoutFilter, "from" | "to" | "search"> & {
  q?: string
  created_at?: { gte?: Date; lt?: Date }
}

/** The filter of a list of payouts. */
export async function payoutFilter(
  container: MedusaContainer,
  { q, created_at, ...filters }: Asked
): Promise<PayoutFilter> {
  return {
    ...filters,
    from: created_at?.gte,
    to: created_at?.lt,
    search: q ? await payoutSearch(container, q) : undefined,
  }
}

const MOST_WORDS = 8

/**
 * The possible meanings of an admin's search text: `#1027` or `1027` is an order's number, `5000` or `5 000` an amount, too;
 * `4242`, `**** 4242` or a whole card number are the last four digits of a card; words are searched in notes and makers' names, and in the
 * e-mail addresses and names of those who paid.
 * Only the last four digits of a card number leave this function.
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
