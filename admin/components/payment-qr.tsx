import { renderSVG } from "uqr"

import { useFormat } from "../lib/format"

/** A QR of the service's text: drawn here, never an image from an address. Nothing for a text that is too long for any code. */
export const PaymentQr = ({ text }: { text: string }) => {
  const { t } = useFormat()
  const code = draw(text)
  if (code === null) return null
  const image = `data:image/svg+xml;utf8,${encodeURIComponent(code)}`
  return (
    <img src={image} alt={t("links.qr")} className="size-[160px] self-center rounded-md bg-white" />
  )
}

/** Dark on light also in dark mode, because banks' cameras expect it. */
function draw(text: string): string | null {
  try {
    return renderSVG(text, { border: 2 })
  } catch {
    return null
  }
}
