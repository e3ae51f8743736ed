import { BigNumber } from "bignumber.js"

// Nothing here goes through floats. Amounts are returned as decimal text without an exponent.

/** An amount from Medusa or the wire: decimal text, number, or Medusa's BigNumber. */
export type AmountInput = string | number | { toString(): string }

declare const isRounded: unique symbol
/** Decimal text with two digits after the point. Only `toWireAmount` makes one. */
export type WireAmount = string & { readonly [isRounded]: true }

/** Rounds half up to kopecks: Medusa's totals are unrounded (1199.988), and the option `currencies` takes only two decimals. */
export const toWireAmount = (amount: AmountInput) =>
  decimal(amount).decimalPlaces(2, BigNumber.ROUND_HALF_UP).toFixed(2) as WireAmount

export const toDecimalText = (amount: AmountInput) => decimal(amount).toFixed()

export const compareAmounts = (left: AmountInput, right: AmountInput) =>
  decimal(left).comparedTo(decimal(right)) as -1 | 0 | 1

/** The same for sums that a payer pays: both are rounded to the kopeck, because JSON says 599.8000000000001 for 599.80, too. */
export const compareSums = (left: AmountInput, right: AmountInput) =>
  compareAmounts(toWireAmount(left), toWireAmount(right))

/** A sum whose text is the same whenever `compareSums` finds it the same. */
export function inKopecks<T extends { amount: string }>(sum: T): T {
  return { ...sum, amount: toDecimalText(toWireAmount(sum.amount)) }
}

export const addAmounts = (left: AmountInput, right: AmountInput) =>
  decimal(left).plus(decimal(right)).toFixed()
export const subtractAmounts = (left: AmountInput, right: AmountInput) =>
  decimal(left).minus(decimal(right)).toFixed()
export const sumOf = (records: { amount: AmountInput }[]) =>
  records.reduce((sum, { amount }) => sum.plus(decimal(amount)), BigNumber(0)).toFixed()
export const absoluteAmount = (amount: AmountInput) => decimal(amount).abs().toFixed()

export const remainder = (sum: AmountInput, taken: AmountInput) =>
  BigNumber.max(decimal(sum).minus(decimal(taken)), 0).toFixed()

export const larger = (one: string, other: string) => (compareAmounts(one, other) > 0 ? one : other)
export const smaller = (one: string, other: string) =>
  compareAmounts(one, other) < 0 ? one : other

/** More than half a kopeck. */
export const isOwed = (owed: AmountInput) => compareAmounts(owed, "0.005") > 0

/** Whether two sums are equal apart from how Medusa stores their digits, for example on a cart and on an order. */
export const isSameButForDigits = (left: AmountInput, right: AmountInput) =>
  !isOwed(absoluteAmount(subtractAmounts(left, right)))

/** `raw_amount`, which Medusa's types leave out, is exact, and either a number or stored as `{ value }`; `amount` is rounded. */
export function exactAmount({ amount, raw_amount }: { amount: unknown; raw_amount?: unknown }) {
  const exact = raw_amount ?? amount
  const isStored = typeof exact === "object" && exact !== null && "value" in exact
  return toDecimalText((isStored ? exact.value : exact) as AmountInput)
}

/** Texts with more digits or a larger exponent are refused: `1e9999999` would be written out in full. */
const MOST_DIGITS = 1_000

function decimal(amount: AmountInput): BigNumber {
  const text = String(amount)
  const exponent = Math.abs(Number(/e([+-]?\d+)$/i.exec(text)?.[1] ?? 0))
  const isShort = text.length <= MOST_DIGITS && exponent <= MOST_DIGITS
  const value = new BigNumber(isShort ? text : NaN)
  if (!value.isFinite()) throw new RangeError(`Not an amount: ${text.slice(0, 100)}`)
  return value
}
