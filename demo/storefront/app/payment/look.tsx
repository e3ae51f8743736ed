import type { PaymentView, Slots } from "medusa-payment-sbp-crypto-storefront"
import type { ReactNode } from "react"
import { CheckIcon, ClockIcon, CrossIcon, NoticeIcon } from "../frame/icons"

/** The shop's own classes on the parts of a payment panel; the rest is styled by part and state. */
export const paymentSlots: Slots = {
  panel: { className: "payment" },
  status: { "data-testid": "payment-status" },
  note: { className: "muted" },
  amount: { "data-testid": "amount" },
  countdown: { "data-testid": "countdown" },
  qr: { "data-testid": "qr" },
  open: { className: "button wide", "data-testid": "open-payment" },
  copy: { className: "button quiet wide", "data-testid": "copy-link" },
  "show-qr": { className: "button quiet wide", "data-testid": "show-qr" },
  estimate: { className: "muted", "data-testid": "usdt-estimate" },
  "open-payment": { className: "open-payment", "data-testid": "open-payment-line" },
  continue: { className: "button quiet", "data-testid": "continue" },
  back: { className: "button quiet", "data-testid": "back-to-payment" },
  "pay-again": { className: "button", "data-testid": "pay-again" },
  "change-method": { className: "button quiet", "data-testid": "change-method" },
  pay: { className: "button", "data-testid": "pay-button" },
  failure: { className: "failure", "data-testid": "error" },
  reference: { className: "muted" },
  choice: { className: "choice" },
  "choice-name": { className: "choice-title" },
  "choice-hint": { className: "choice-hint" },
}

/** How the shop is reached, where a person there looks at a payment. */
export const contact = <a href="mailto:help@shop.example">help@shop.example</a>

/** The sign of a payment's state. */
export function paymentSign({ state }: PaymentView): ReactNode {
  switch (state) {
    case "loading":
    case "pending":
    case "checking":
    case "placing":
      return <span className="spinner spinner-large" />
    case "paid":
      return <CheckIcon />
    case "canceled":
      return <CrossIcon />
    case "expired":
      return <ClockIcon />
    case "unknown":
    case "replaced":
    case "problem":
      return <NoticeIcon />
  }
}
