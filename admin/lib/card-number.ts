/** How many digits a card number has that the service pays to. */
export const CARD_DIGITS = 16

/** The digits of what was typed or pasted, no more than a card number has. */
export const digitsOf = (typed: string): string => typed.replace(/\D/g, "").slice(0, CARD_DIGITS)

/**
 * A UUID, or 13 digits and more, whatever stands between them but letters; or the end of a number with more digits behind
 * it: somebody goes on typing, or pastes another one there.
 */
const UUID_OR_LONG_NUMBER =
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|\d(?:[^\p{L}\p{N}]{0,3}\d){12,}|\*{4} \d{4}(?:[^\p{L}\p{N}]{0,3}\d)+/giu

/**
 * The text of a search without card numbers, however they are grouped: it stands in the address bar, and so in
 * the browser's history and in logs. The last four digits find the same payouts.
 */
export const withoutCardNumbers = (searched: string): string =>
  searched.replace(
    UUID_OR_LONG_NUMBER,
    (written, uuid?: string) => uuid ?? `**** ${written.replace(/\D/g, "").slice(-4)}`
  )

/** In groups of four, as it stands on the card. */
export const grouped = (digits: string): string => digits.match(/\d{1,4}/g)?.join(" ") ?? ""

/**
 * Whether the last digit is the check digit of the others (Luhn). It finds a mistyped digit and most swapped ones; the
 * service's interface does not promise that every card has it.
 */
export function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, place) => {
      const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return sum % 10 === 0
}
