/** How many digits a card number has that the service pays to. */
export const CARD_DIGITS = 16

/** The digits of what was typed or pasted, no more than a card number has. */
export const digitsOf = (typed: string): string => typed.replace(/\D/g, "").slice(0, CARD_DIGITS)

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
