/** The number of digits in a card number that the service accepts. */
const CARD_DIGITS = 16

export const isWhole = (digits: string): boolean => digits.length === CARD_DIGITS

/** The digits of typed or pasted text, at most as many as a card number has. */
export const digitsOf = (typed: string): string => typed.replace(/\D/g, "").slice(0, CARD_DIGITS)

/** A UUID, or 13 or more digits with no letter between; masked ones with more behind them, too: somebody may type on. */
const UUID_OR_LONG_NUMBER =
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|\d(?:[^\p{L}\p{N}]{0,3}\d){12,}|\*{4} \d{4}(?:[^\p{L}\p{N}]{0,3}\d)+/giu

/** Masks card numbers in a search text, which the store need not know: the last four digits find as much. */
export const withoutCardNumbers = (searched: string): string =>
  searched.replace(
    UUID_OR_LONG_NUMBER,
    (written, uuid?: string) => uuid ?? `**** ${written.replace(/\D/g, "").slice(-4)}`
  )

export const grouped = (digits: string): string => digits.match(/\d{1,4}/g)?.join(" ") ?? ""

/** Whether the check digit (Luhn) is right, which finds typing errors. No specification promises that every card has one. */
export function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return sum % 10 === 0
}
