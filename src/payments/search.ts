import type { MedusaContainer } from "@medusajs/framework/types"

import { findBuyersByText, findOrderIdsByNumber } from "../medusa/search"
import { paymentServiceModule } from "../modules/payment-service"
import type { RecordSearch } from "../reconciliation/service-list"
import { toWireAmount } from "../values/amount"
import type { TransactionSearch } from "./statements/transaction-list"

/** @param seesCustomers whether the reader may; if not, nothing is found by a customer's name or e-mail address */
export async function filterOf<Query extends { q?: string | undefined }>(
  container: MedusaContainer,
  { q, ...filter }: Query,
  seesCustomers: boolean
) {
  return { ...filter, search: q ? await searchTerms(container, q, seesCustomers) : undefined }
}

/**
 * The possible meanings of an admin's search text: `#1027` or `1027` is an order's number, a number is an amount, too (`2 290,50`,
 * `2,290.50`), a text with letters is a part of an e-mail address or of a name, one of at least six characters an id or its beginning.
 */
async function searchTerms(container: MedusaContainer, text: string, seesCustomers: boolean) {
  const [numbered, buyers] = await Promise.all([
    findOrderIdsByNumber(container, text),
    buyersMeant(container, text, seesCustomers),
  ])
  // Digits alone may begin a UUID, too.
  const isId = /^[\w-]{6,}$/.test(text)
  return {
    ...buyers,
    id: isId ? text : null,
    orderIds: [...numbered, ...buyers.orderIds],
    payers: [...(isId ? [text] : []), ...buyers.payers],
    amount: amountOf(text),
  }
}

/** The beginning of an id of Medusa's or ours (a prefix and a ULID, which begins with 01 until 2039), or of a UUID. */
const ID = /^(?:[a-z_]+_01[\dA-Z]{2,}|(?=[a-fA-F-]*\d)[\da-fA-F]{8}[\da-fA-F-]*)$/

/** A text as a part of an e-mail address or a name. A guest whose cart is gone is found by the digest of the whole address. */
export async function buyersMeant(
  container: MedusaContainer,
  text: string,
  seesCustomers: boolean
): Promise<TransactionSearch> {
  const nobody = { id: null, amount: null, orderIds: [], cartIds: [], payers: [] }
  if (!seesCustomers || !/[\p{L}@]/u.test(text) || ID.test(text)) return nobody
  const [{ customerIds, ...sales }, guests] = await Promise.all([
    findBuyersByText(container, text),
    text.includes("@") ? paymentServiceModule(container).guestPayerIds(text) : [],
  ])
  return { ...nobody, ...sales, payers: [...customerIds, ...guests] }
}

/** The same for the service's records, in whose texts it is looked for, too. */
export async function recordSearch(
  container: MedusaContainer,
  text: string | undefined,
  seesCustomers: boolean
): Promise<RecordSearch | undefined> {
  if (!text) return undefined
  const terms = await searchTerms(container, text, seesCustomers)
  const meant = await paymentServiceModule(container).transactionList.meantBy(terms)
  return { text, amount: terms.amount, meant }
}

/** The sum in a text, or null. Russian has a comma before kopecks; English groups by it: three digits after it are thousands. */
export function amountOf(text: string): string | null {
  const joined = text.replace(/[\s\u00a0\u202f₽]/g, "")
  const isEnglish = /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(joined)
  const plain = isEnglish ? joined.replaceAll(",", "") : joined.replace(",", ".")
  return /^\d{1,12}(\.\d{1,2})?$/.test(plain) ? toWireAmount(plain) : null
}
