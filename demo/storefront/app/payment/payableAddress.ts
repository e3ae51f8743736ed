import type { SessionStatus } from "./sessionStatus"

/** The text as an address that may stand in a link, or null: `javascript:` and the like come from outside, too. */
export function httpAddress(text: string | null): string | null {
  if (!text) {
    return null
  }
  try {
    const url = new URL(text.trim())
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null
  } catch {
    return null
  }
}

/** Where the shopper pays on this device: the payer page, else an address inside the QR code. */
export function payableAddress({ redirect, qr }: SessionStatus): string | null {
  return httpAddress(redirect) ?? httpAddress(qr)
}

/** What the QR code says: the bank's text or address, else the payer page. */
export function qrContent({ redirect, qr }: SessionStatus): string | null {
  return qr?.trim() || httpAddress(redirect)
}
