import { type AmountInput, compareAmounts, toWireAmount } from "./amount"
import {
  type ExpectedTransaction,
  isComplete,
  type MedusaState,
  type SessionState,
  type TransactionRead,
} from "./evidence"
import type { TransactionException } from "./transaction-state"

/** What differs; `exception` names the first difference. */
type Mismatch = { exception: TransactionException; differences: string[] }

/** What differs between what the service describes and what was asked of it, or null when nothing does. */
export function transactionMismatch(
  row: ExpectedTransaction,
  read: TransactionRead
): Mismatch | null {
  const found: [TransactionException, string][] = []
  if (read.merchantId?.toLowerCase() !== row.merchant_id.toLowerCase()) {
    found.push([
      "merchant_differs",
      `merchant ${read.merchantId ?? "missing"}, ours ${row.merchant_id}`,
    ])
  }
  if (read.payload !== row.id) {
    found.push([
      "reference_differs",
      `payload ${read.payload ? "is another one" : "is missing"}, ours ${row.id}`,
    ])
  }
  if (read.currency.toUpperCase() !== row.currency.toUpperCase()) {
    found.push(["currency_differs", `currency ${read.currency}, asked for ${row.currency}`])
  }
  const order = compareAmounts(read.amount, wantedAmount(row))
  if (order !== 0) {
    found.push([
      order < 0 ? "amount_less" : "amount_more",
      `amount ${read.amount}, ${row.accepted_amount ? "accepted" : "asked for"} ${wantedAmount(row)}`,
    ])
  }
  const [first] = found
  return first ? { exception: first[0], differences: found.map(([, text]) => text) } : null
}

function wantedAmount(row: ExpectedTransaction): string {
  return row.accepted_amount ?? row.amount
}

/** What differs between session or cart and what was asked of the service; null if nothing. */
export function medusaMismatch(
  row: ExpectedTransaction,
  medusa: MedusaState | SessionState | null
): Mismatch | null {
  const { session = null, cart = null } = medusa ?? {}
  if (!session) {
    return null
  }
  const asked = { amount: wantedAmount(row), currency: row.currency }
  const sessionSum = { amount: session.amount, currency: session.currency }
  if (!isSameSum(sessionSum, asked)) {
    return {
      exception: "session_differs",
      differences: [
        `session ${session.id} is for ${inWords(sessionSum)}, the transaction for ${inWords(asked)}`,
      ],
    }
  }
  const isPlaced = isComplete(medusa) && medusa.order !== null
  const cartSum = cart && { amount: cart.total, currency: cart.currency }
  // When a person accepted the payment, the cart must still be worth what they saw then.
  const expected = { ...sessionSum, amount: row.accepted_cart_total ?? session.amount }
  if (cartSum && !isPlaced && !isSameSum(cartSum, expected)) {
    return {
      exception: "cart_changed",
      differences: [
        `cart ${cart.id} is now ${inWords(cartSum)}, ` +
          (row.accepted_cart_total
            ? `accepted as ${inWords(expected)}`
            : `its session ${inWords(expected)}`),
      ],
    }
  }
  return null
}

interface Sum {
  amount: AmountInput
  currency: string
}

/** Compares to the kopeck: below it, totals and sessions differ only by how Medusa stores their digits. */
function isSameSum(left: Sum, right: Sum): boolean {
  return (
    toWireAmount(left.amount) === toWireAmount(right.amount) &&
    left.currency.toUpperCase() === right.currency.toUpperCase()
  )
}

function inWords({ amount, currency }: Sum): string {
  return `${amount.toString()} ${currency.toUpperCase()}`
}
