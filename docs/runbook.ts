import type { ProblemKind } from "../src/problems/rules/problems"

/** The part of `problems.md` that no text of the dashboard says: each kind in general. */
export const RUNBOOK: Record<ProblemKind, string> = {
  paid_without_order: "Medusa refused to place the paid order more than three times.",
  paid_after_change:
    "Someone paid an old QR code: the cart had changed, or the order had been canceled or deleted. " +
    "An unchanged cart is simply ordered, whichever attempt was paid.",
  paid_twice: "Another payment had paid already, or the order holds more than its total.",
  amount_differs: "The service received another sum than was asked for. Nothing was captured.",
  currency_differs:
    "Another currency came than was asked for. Nothing was captured, and Medusa can book nothing of it.",
  not_ours: "For one of our transactions, the service names another merchant or another reference.",
  unknown_status:
    "The service used a status that no option names. All payments with it stay pending.",
  reversed:
    "The service took back a payment that it had confirmed. Medusa may hold it as captured.",
  changed_since_handled:
    "A person handled this money, and the service now says something else about it.",
  order_half_made:
    "The process that made an order died before the end. Linked to its cart, the order takes the payment by itself. " +
    "Otherwise the cart is not ordered again until you decide.",
  order_unpaid:
    "An order that was placed before its payment was not paid in time, and the plugin did not cancel it.",
  order_underpaid: "A paid order owes more than a person accepted, for example after an edit.",
  refund_due:
    "A refund was asked for, or the order was canceled, and the money has not gone back. " +
    "The sum is what was asked for or paid too much, whichever is larger.",
  payment_not_here: "The service lists a paid transaction that this store does not know.",
  payment_not_there:
    "The service does not confirm a payment any more, or Medusa holds one that it never confirmed, or lost one.",
  callback_unreadable: "A callback came to the right address and named no transaction.",
  service_unreachable:
    "The service has been silent for ten minutes, or about one transaction, or no comparison succeeded for two days.",
  credentials_refused: "The service refuses the merchant's secret. Nothing can be opened or read.",
  payments_not_opened:
    "One method failed to open five payments in a row, or for two minutes. Customers cannot pay that way.",
  not_configured: "Payments wait at an address, or for a merchant, that no account has any more.",
  payout_unknown: "Nobody has known for ten minutes whether a payout went through.",
}
