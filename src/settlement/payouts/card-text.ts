/** A card as it is shown: never more than its last four digits. */
export function maskedCard(last4: string | null): string | null {
  return last4 === null ? null : `**** ${last4}`
}

/** The digits of a typed card number, or null when they are not sixteen. */
export function cardDigits(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, "")
  return /^\d{16}$/.test(digits) ? digits : null
}

/**
 * A UUID, which is no card number; 13 digits and more with single spaces or hyphens; or groups of four, whatever stands
 * between them. A long run may be several numbers side by side, so all of it goes.
 */
const UUID_OR_CARD =
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|\d(?:[\s-]?\d){12,}|\d{4}(?:[^\p{L}\p{N}]{1,3}\d{4}){3,}(?!\d)/giu

/** A UUID, or 13 digits and more, whatever stands between them but letters. */
const UUID_OR_LONG_NUMBER =
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|\d(?:[^\p{L}\p{N}]{0,3}\d){12,}/giu

/**
 * A text that somebody searches for, or an address, without card numbers in it, however they are grouped: of 13 digits
 * and more, the last four are left. Amounts and dates side by side look the same, so it is not for other texts.
 */
export function withoutLongNumbers(text: string): string {
  return text.replace(UUID_OR_LONG_NUMBER, (written, uuid?: string) => {
    return uuid ?? `**** ${written.replace(/\D/g, "").slice(-4)}`
  })
}

/** A text that people wrote, without card numbers in it: of 13 digits and more, the last four are left. */
export function withoutCardNumbers(text: string): string {
  return text.replace(UUID_OR_CARD, (written, uuid?: string) => {
    return uuid ?? `**** ${written.replace(/\D/g, "").slice(-4)}`
  })
}
