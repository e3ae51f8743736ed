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

/** The texts for a QR code, the better one first: the bank's own, then the address of the service's page. */
export function qrTexts({ redirect, qr }: Pick<PaymentStatus, "redirect" | "qr">): string[] {
  return [qr?.trim(), httpAddress(redirect)].filter((text) => !!text) as string[]
}
