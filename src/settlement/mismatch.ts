import { type AmountInput, compareSums } from "./amount"
import { isComplete, type MedusaState, type SessionState, type TransactionRead } from "./evidence"
import { isSameMerchant } from "./merchant-account"
import type { Difference } from "./problems/reasons"
import type { Sum } from "../texts"
import type { Transaction } from "./transaction"
import type { TransactionException } from "./transaction-state"

/** The differences that were found; `exception` names the first of them. */
export interface Mismatch {
  exception: TransactionException
  differences: Difference[]
}

/** The differences between the service's description and our request, or null when there are none. */
export function transactionMismatch(row: Transaction, read: TransactionRead): Mismatch | null {
  const found: [TransactionException, Difference][] = []
  if (!isSameMerchant(read.merchantId, row.merchant_id)) {
    found.push([
      "merchant_differs",
      { what: "merchant", read: read.merchantId, ours: row.merchant_id },
    ])
  }
  if (read.payload !== row.id) {
    found.push([
      "reference_differs",
      { what: "reference", isNamed: Boolean(read.payload), ours: row.id },
    ])
  }
  if (read.currency.toUpperCase() !== row.currency.toUpperCase()) {
    found.push(["currency_differs", { what: "currency", read: read.currency, asked: row.currency }])
  }
  const wanted = wantedSum(row)
  const order = compareSums(read.amount, wanted.amount)
  if (order !== 0) {
    const sum = { amount: read.amount, currency: read.currency }
    found.push([
      order < 0 ? "amount_less" : "amount_more",
      row.accepted
        ? { what: "accepted_amount", read: sum, accepted: wanted }
        : { what: "amount", read: sum, asked: wanted },
    ])
  }
  const [first] = found
  return first
    ? { exception: first[0], differences: found.map(([, difference]) => difference) }
    : null
}

function wantedSum({ accepted, amount, currency }: Transaction): Sum {
  return sumOf(accepted?.amount ?? amount, currency)
}

/** The differences between session or cart and our request to the service, or null when there are none. */
export function medusaMismatch(
  row: Transaction,
  medusa: MedusaState | SessionState | null
): Mismatch | null {
  const { session = null, cart = null } = medusa ?? {}
  if (!session) return null
  const transaction = wantedSum(row)
  const sessionSum = sumOf(session.amount, session.currency)
  if (!isSameSum(sessionSum, transaction)) {
    return {
      exception: "session_differs",
      differences: [{ what: "session_sum", session: session.id, is: sessionSum, transaction }],
    }
  }
  const isPlaced = isComplete(medusa) && medusa.order !== null
  if (!cart || isPlaced) return null
  const is = sumOf(cart.total, cart.currency)
  // When a person accepted the payment, the cart must still be worth what they saw then.
  const accepted = row.accepted?.cart_total && sumOf(row.accepted.cart_total, session.currency)
  return isSameSum(is, accepted || sessionSum)
    ? null
    : {
        exception: "cart_changed",
        differences: [
          accepted
            ? { what: "accepted_cart_total", cart: cart.id, is, accepted }
            : { what: "cart_total", cart: cart.id, is, session: sessionSum },
        ],
      }
}

function sumOf(amount: AmountInput, currency: string): Sum {
  return { amount: amount.toString(), currency: currency.toUpperCase() }
}

function isSameSum(left: Sum, right: Sum): boolean {
  return compareSums(left.amount, right.amount) === 0 && left.currency === right.currency
}
