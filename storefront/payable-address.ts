import type { PaymentStatus } from "./payment-status.js"

/** The text as an address that may stand in a link, or null: `javascript:` and the like come from outside, too. */
function httpAddress(text: string | null): string | null {
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

/** Where the shopper pays on this device: the service's page, else an address in the QR code; only ever http(s). */
export function payableAddress({
  redirect,
  qr,
}: Pick<PaymentStatus, "redirect" | "qr">): string | null {
  return httpAddress(redirect) ?? httpAddress(qr)
}

/** The QR code's text: the bank's own, else the address of the service's page. */
export function qrText({ redirect, qr }: Pick<PaymentStatus, "redirect" | "qr">): string | null {
  return qr?.trim() || httpAddress(redirect)
}
