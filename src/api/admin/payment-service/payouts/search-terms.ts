import type { MedusaContainer } from "@medusajs/framework/types"

import { findOrderIdsByNumber } from "../../../../medusa/search"
import type { PayoutFilter, PayoutSearch } from "../../../../modules/payment-service/payout-list"
import { withoutLongNumbers } from "../../../../settlement/payouts/card-text"
import { lastFour } from "../../../../settlement/payouts/outcome"
import type { PayoutsQuery } from "./validators"

/** A list's question, without its order and page. */
type AskedPayouts = Omit<PayoutsQuery, "limit" | "offset" | "order" | "with_totals">

/** The filter of a list of payouts. */
export async function payoutFilter(
  container: MedusaContainer,
  asked: AskedPayouts
): Promise<PayoutFilter> {
  return {
    state: asked.state,
    account: asked.account,
    order_id: asked.order_id,
    problem_id: asked.problem_id,
    transaction_row_id: asked.transaction_row_id,
    made_by: asked.made_by,
    from: asked.created_at?.gte,
    to: asked.created_at?.lt,
    search: asked.q ? await payoutSearch(container, asked.q) : undefined,
  }
}

/** Larger order numbers do not fit into the column. */
const LARGEST_ORDER_NUMBER = 2_147_483_647
const MOST_WORDS = 8

/**
 * The possible meanings of an admin's search text: `#1027` or `1027` is an order's number, `5000` or `5 000` an amount, too;
 * `4242`, `**** 4242` or a whole card number are the last four digits of a card; words are searched in notes and makers' names.
 * Only the last four digits of a card number leave this function.
 */
export async function payoutSearch(
  container: MedusaContainer,
  searched: string
): Promise<PayoutSearch> {
  const plain = searched.replace(/[\s\u00a0\u202f-]/g, "")
  const shown = withoutLongNumbers(searched)
  const isCardNumber = shown !== searched
  const number = isCardNumber ? Number.NaN : Number(/^#?(\d{1,10})$/.exec(plain)?.[1])
  const isId = !isCardNumber && /^[\w-]{8,}$/.test(searched) && !/^\d+$/.test(plain)
  const words = isCardNumber || isId ? [] : (searched.match(/[\p{L}\p{N}]+/gu) ?? [])
  return {
    ids: isId ? [...new Set([searched, searched.toLowerCase()])] : [],
    orderIds:
      number > 0 && number <= LARGEST_ORDER_NUMBER
        ? await findOrderIdsByNumber(container, number)
        : [],
    last4: isCardNumber ? lastFour(shown) : (/^\**(\d{4})$/.exec(plain)?.[1] ?? null),
    amount: number > 0 && number <= LARGEST_ORDER_NUMBER ? number : null,
    words: words.slice(0, MOST_WORDS),
  }
}
