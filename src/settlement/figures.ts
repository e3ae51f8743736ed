import { addAmounts } from "./amount"

/** Payments of one method and currency. The amount is decimal text. */
export interface PaidSum {
  method: string
  currency: string
  count: number
  amount: string
}

/** Carts, or orders without a cart, whose first payment was opened in a span of time. */
interface CartCount {
  opened: number
  /** Those of them that any attempt paid, at any time. */
  paid: number
}

/** A number of seconds, and the count of payments that took so long from their opening until a read showed them paid. */
export type TimeToPayCount = [seconds: number, count: number]

/** Seconds from opening to paying; null when nothing was paid. */
interface TimeToPay {
  median: number | null
  p90: number | null
}

/** The figures of a span of time. Figures of consecutive spans can be added. */
export interface Figures {
  paid: PaidSum[]
  times_to_pay: TimeToPayCount[]
  carts_opened: number
  carts_paid: number
}

/** The money of several spans, by method and currency, in order. */
export function paidIn(spans: readonly Figures[]): PaidSum[] {
  const sums = new Map<string, PaidSum>()
  for (const { method, currency, count, amount } of spans.flatMap(({ paid }) => paid)) {
    const key = JSON.stringify([method, currency])
    const sum = sums.get(key) ?? { method, currency, count: 0, amount: "0" }
    sums.set(key, {
      ...sum,
      count: sum.count + count,
      amount: addAmounts(sum.amount, amount),
    })
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum)
}

/** A cart is counted where its first payment was opened, so none is counted twice. */
export function cartsIn(spans: readonly Figures[]): CartCount {
  return {
    opened: spans.reduce((sum, { carts_opened }) => sum + carts_opened, 0),
    paid: spans.reduce((sum, { carts_paid }) => sum + carts_paid, 0),
  }
}

/** The times within which half, and nine tenths, of the payments of several spans were made. */
export function timeToPayIn(spans: readonly Figures[]): TimeToPay {
  const counts = new Map<number, number>()
  let total = 0
  for (const { times_to_pay } of spans) {
    for (const [seconds, count] of times_to_pay) {
      counts.set(seconds, (counts.get(seconds) ?? 0) + count)
      total += count
    }
  }
  const inOrder = [...counts].sort(([one], [other]) => one - other)
  const within = (share: number): number | null => {
    let upTo = 0
    for (const [seconds, count] of inOrder) {
      upTo += count
      if (upTo >= share * total) return seconds
    }
    return null
  }
  return { median: within(0.5), p90: within(0.9) }
}
