/** A card as it is shown: never more than its last four digits. */
export function maskedCard(last4: string | null): string | null {
  return last4 === null ? null : `**** ${last4}`
}

/** The digits of a typed card number, or null when they are not sixteen. */
export function cardDigits(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, "")
  return /^\d{16}$/.test(digits) ? digits : null
}

const UUID_OR_CARD =
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|\d(?:[\s-]?\d){8,14}[\s-]?(\d[\s-]?\d[\s-]?\d[\s-]?\d)(?![\s-]?\d)/gi

/** A text that people wrote, without card numbers in it: of 13 to 19 digits, the last four are left. */
export function withoutCardNumbers(text: string): string {
  return text.replace(UUID_OR_CARD, (_whole, uuid?: string, last4 = "") => {
    return uuid ?? `**** ${String(last4).replace(/\D/g, "")}`
  })
}
