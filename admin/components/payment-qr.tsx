// The plugin must not declare uqr, because Medusa leaves what a plugin declares out of its pages; the other two packages bring it.
import { encode, renderSVG } from "uqr"

import { useFormat } from "../lib/format"

const BORDER = { border: 2 }
/** The modules along an edge that leave two pixels for each, enough for a phone's camera. */
const FINEST_READABLE = 80

/**
 * A QR of the first text whose code a phone can read from a screen, else of the first that fits into any code; nothing when none
 * does. It is drawn here, and never an image from an address.
 */
export const PaymentQr = ({ texts }: { texts: string[] }) => {
  const { t } = useFormat()
  const text = texts.find((one) => sizeOf(one) <= FINEST_READABLE) ?? texts.find(fits)
  if (text === undefined) return null
  const code = renderSVG(text, BORDER)
  const image = `data:image/svg+xml;utf8,${encodeURIComponent(code)}`
  return (
    <img src={image} alt={t("links.qr")} className="size-[160px] self-center rounded-md bg-white" />
  )
}

/** The modules along an edge of the text's code; infinite for a text that is too long for any. */
function sizeOf(text: string): number {
  try {
    return encode(text, BORDER).size
  } catch {
    return Infinity
  }
}

const fits = (text: string) => sizeOf(text) < Infinity
