import { renderSVG } from "uqr"

import { useFormat } from "../lib/format"

/** A QR of a text that the service gave: drawn from the text, never an image from an address. */
export const PaymentQr = ({ text }: { text: string }) => {
  const { t } = useFormat()
  // Dark on light in dark mode, too, because banks' cameras expect it.
  const image = `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(text, { border: 2 }))}`
  return (
    <img src={image} alt={t("links.qr")} className="size-[160px] self-center rounded-md bg-white" />
  )
}
