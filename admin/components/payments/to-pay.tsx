// The plugin must not declare uqr, because Medusa leaves what a plugin declares out of its pages; the other two packages bring it.
import { encode, renderSVG } from "uqr"

import type { ShownTransaction } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { Line } from "../cards"
import { Id } from "../link-to"

/** Address and QR to pay, for the customer; nothing once they no longer lead to a payment. */
export const ToPay = ({ transaction }: { transaction: ShownTransaction }) => {
  const { t } = useFormat()
  const { redirect, qr, standing, expires_at: expiresAt } = transaction
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  const texts = [qr?.trim(), redirect].filter((text) => !!text) as string[]
  if (standing !== "payable" || isOver || !texts.length) return null
  const code = codeOf(texts)
  return (
    <div className="flex flex-col gap-y-3 px-6 py-4">
      <Line weight="plus">{t("links.toPay")}</Line>
      {redirect && <Id value={redirect} />}
      {code && (
        <img
          src={`data:image/svg+xml;utf8,${encodeURIComponent(code)}`}
          alt={t("links.qr")}
          className="size-[160px] self-center rounded-md bg-white"
        />
      )}
    </div>
  )
}

const BORDER = { border: 2 }
/** The modules along an edge that leave two pixels for each, enough for a phone's camera. */
const FINEST_READABLE = 80

/**
 * A QR of the first text whose code a phone can read from a screen, else of the first that fits into any code; null when none
 * does. It is drawn here, and never an image from an address.
 */
function codeOf(texts: string[]): string | null {
  const within = (most: number) => texts.find((one) => sizeOf(one) <= most)
  const text = within(FINEST_READABLE) ?? within(Number.MAX_VALUE)
  return text === undefined ? null : renderSVG(text, BORDER)
}

/** The modules along an edge of the text's code; infinite for a text that is too long for any. */
function sizeOf(text: string): number {
  try {
    return encode(text, BORDER).size
  } catch {
    return Infinity
  }
}
