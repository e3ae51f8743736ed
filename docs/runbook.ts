import type { ProblemKind } from "../src/problems/rules/problems"

/** The part of `problems.md` that no text of the dashboard says: each kind in general, and what to do. */
export const RUNBOOK: Record<ProblemKind, { happened: string; advice: string }> = {
  paid_without_order: {
    happened: "Medusa refused to place the paid order more than three times.",
    advice: "Remove the reason in the message, for example missing stock, and try again.",
  },
  paid_after_change: {
    happened:
      "Someone paid an old QR code: the cart had changed, or the order had been canceled or deleted. " +
      "An unchanged cart is simply ordered, whichever attempt was paid.",
    advice: "Ask the customer what they want. Place the order, or pay the money back.",
  },
  paid_twice: {
    happened: "Another payment had paid already, or the order holds more than its total.",
    advice: "Pay the excess back. Several payments of an order go back one at a time.",
  },
  amount_differs: {
    happened: "The service received another sum than was asked for. Nothing was captured.",
    advice: "Accept the paid sum, or pay it back.",
  },
  currency_differs: {
    happened:
      "Another currency came than was asked for. Nothing was captured, and Medusa can book nothing of it.",
    advice: "Pay the money back outside, then mark it as handled with a note.",
  },
  not_ours: {
    happened:
      "For one of our transactions, the service names another merchant or another reference.",
    advice: "Ask the service's account manager. Do not ship.",
  },
  unknown_status: {
    happened: "The service used a status that no option names. All payments with it stay pending.",
    advice: "Ask the service what the status means, and name it in `statuses`.",
  },
  reversed: {
    happened:
      "The service took back a payment that it had confirmed. Medusa may hold it as captured.",
    advice:
      "Stop the shipment. Pay nothing back. Record the sum as refunded outside, so that Medusa's sums are right.",
  },
  changed_since_handled: {
    happened: "A person handled this money, and the service now says something else about it.",
    advice: "Compare the journal with the service's record, then decide again.",
  },
  order_half_made: {
    happened:
      "The process that made an order died before the end. Linked to its cart, the order takes the payment by itself. " +
      "Otherwise the cart is not ordered again until you decide.",
    advice:
      "Check the reserved items that the message names. Take the order for the cart, or cancel it and place it anew.",
  },
  order_unpaid: {
    happened:
      "An order that was placed before its payment was not paid in time, and the plugin did not cancel it.",
    advice:
      "Cancel the order in Medusa, or mark it as paid there if the customer paid another way.",
  },
  order_underpaid: {
    happened: "A paid order owes more than a person accepted, for example after an edit.",
    advice: "Send the customer a payment link for the rest, or mark the problem as handled.",
  },
  refund_due: {
    happened:
      "A refund was asked for, or the order was canceled, and the money has not gone back. " +
      "The sum is what was asked for or paid too much, whichever is larger.",
    advice:
      "Pay the sum back by a payout or outside, and record the refund here. Medusa then books it.",
  },
  payment_not_here: {
    happened: "The service lists a paid transaction that this store does not know.",
    advice:
      "If other software uses the merchant account, mark the problem as handled. If the message names a payment of this store, enter the transaction's id on its page.",
  },
  payment_not_there: {
    happened:
      "The service does not confirm a payment any more, or Medusa holds one that it never confirmed, or lost one.",
    advice: "Ask the service about the transaction before you ship or refund.",
  },
  callback_unreadable: {
    happened: "A callback came to the right address and named no transaction.",
    advice:
      "If the service changed its callbacks, report it: payments are still found by look-ups. Otherwise make a new callback address.",
  },
  service_unreachable: {
    happened: "The service has been silent for ten minutes, or one transaction for a week.",
    advice: "Check the service's address and your network. Payments are checked when it answers.",
  },
  credentials_refused: {
    happened: "The service refuses the merchant's secret. Nothing can be opened or read.",
    advice: "Correct `merchantId` and `secret`, then press _Check now_ on Connection.",
  },
  payments_not_opened: {
    happened:
      "One method failed to open five payments in a row, or for two minutes. Customers cannot pay that way.",
    advice:
      "Read the service's words in the message. Ask its account manager whether the method is enabled.",
  },
  not_configured: {
    happened: "Payments wait at an address, or for a merchant, that no account has any more.",
    advice: "Add this merchant and address as a second account until its payments are over.",
  },
  payout_unknown: {
    happened: "Nobody has known for ten minutes whether a payout went through.",
    advice:
      "Look in the service's account area first. Then, on the payout's page, send the payout again or mark it.",
  },
}
