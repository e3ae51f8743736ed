// The plugin must not declare uqr, because Medusa leaves what a plugin declares out of its pages; the other two packages bring it.
import { renderSVG } from "uqr"

import type { ShownTransaction } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { Fields, Line } from "../cards"
import { Id } from "../link-to"

/** A payment that is shown is read again, because others settle it, too, and when its admin comes back to the window. */
export const KEPT_FRESH = {
  // The answer of a page's loader is used for this long.
  staleTime: 5_000,
  refetchInterval: 30_000,
  refetchOnWindowFocus: true,
}

export const SumsAndMoments = ({ transaction }: { transaction: ShownTransaction }) => {
  const { money, moment, number, usdt, word } = useFormat()
  const { currency, read_currency, exception, accepted_amount, refunded_amount } = transaction
  const { amount_usdt, usdt_rate, commission, commission_usdt } = transaction
  const at = (iso: string | null) => iso && moment(iso)
  return (
    <Fields
      of={{
        "fields.asked": money(transaction.amount, currency),
        "fields.read": money(transaction.read_amount, read_currency),
        "fields.refunded": refunded_amount && money(refunded_amount, read_currency),
        "fields.accepted": accepted_amount && money(accepted_amount, currency),
        "fields.amount_usdt": amount_usdt && usdt(amount_usdt),
        "fields.usdt_rate": usdt_rate && number(Number(usdt_rate), 6),
        "fields.commission": commission && number(Number(commission)),
        "fields.commission_usdt": commission_usdt && usdt(commission_usdt),
        "fields.status": transaction.status ?? "–",
        "fields.exception": exception && word("exceptions", exception),
        "fields.opened_at": at(transaction.opened_at),
        "fields.expires_at": at(transaction.expires_at),
        "fields.paid_at": at(transaction.paid_at),
        "fields.settled_at": at(transaction.settled_at),
        "fields.handled_at": at(transaction.handled_at),
      }}
    />
  )
}

/** Address and QR to pay, for the customer; nothing once they no longer lead to a payment. */
export const ToPay = ({ transaction }: { transaction: ShownTransaction }) => {
  const { t } = useFormat()
  const { redirect, qr, standing, expires_at: expiresAt } = transaction
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  // The address comes first: a phone reads it from any screen, and the service's text may be long.
  const code = codeOf(redirect) ?? codeOf(qr)
  if (standing !== "payable" || isOver || !(redirect || code)) return null
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

/** The QR of a text, drawn here, never an image from an address; none for a text that is too long for any. */
function codeOf(text: string | null): string | null {
  try {
    return text?.trim() ? renderSVG(text.trim(), { border: 2 }) : null
  } catch {
    return null
  }
}
