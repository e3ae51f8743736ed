/** A card as it is shown: never more than its last four digits. */
export const maskedCard = (last4: string | null) => (last4 === null ? null : `**** ${last4}`)

/** The last four digits of a masked card, in whatever form the service masks it. */
export const lastFour = (masked: string | null) => /(\d{4})\D*$/.exec(masked ?? "")?.[1] ?? null

/** The digits of a typed card number, or null when they are not sixteen. */
export function cardDigits(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, "")
  return /^\d{16}$/.test(digits) ? digits : null
}

/** A UUID, which is no card number; 13 or more digits with up to two spaces or hyphens between them; groups of four, however separated. */
const UUID_OR_CARD =
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|\d(?:[\s-]{0,2}\d){12,}|\d{4}(?:[^\p{L}\p{N}]{1,3}\d{4}){3,}(?!\d)/giu

/** Matches a UUID, or 13 or more digits with anything but letters between them. */
const UUID_OR_LONG_NUMBER =
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|\d(?:[^\p{L}\p{N}]{0,3}\d){12,}/giu

/** Masks card numbers in a search text or an address, in any grouping. In other texts, amounts and dates look the same. */
export const withoutLongNumbers = (text: string) => text.replace(UUID_OR_LONG_NUMBER, masked)

/** Masks card numbers in a text that people wrote: 13 or more digits keep the last four. */
export const withoutCardNumbers = (text: string) => text.replace(UUID_OR_CARD, masked)

function masked(written: string, uuid?: string): string {
  return uuid ?? `**** ${written.replace(/\D/g, "").slice(-4)}`
}
