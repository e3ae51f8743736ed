import type { PaymentStatus } from "./payment-status.js"

/** The text as an address that is safe in a link, or null, because `javascript:` addresses may come from outside, too. */
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

/** The payment address for this device: the service's page, else an address in the QR code; always http(s). */
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
