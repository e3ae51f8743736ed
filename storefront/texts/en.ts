/** English. Braces mark values that the panel inserts. */
export const en = {
  loading: "Reading the payment…",
  unknown: "We could not find this payment.",
  unknownNote: "The link may be incomplete. Nothing has been charged by opening it.",
  trouble: "No connection to the shop. Trying again…",

  waiting: "Waiting for your payment",
  waitingNote: "The page will change by itself as soon as the money arrives.",
  confirming: "The payment is being confirmed",
  confirmingNote:
    "This can take a minute. You can keep this page open: it follows the payment by itself.",
  backToPayment: "Back to the payment",
  checking: "Checking the payment",
  checkingNote:
    "The time is up. If you have paid, please do not pay again: we are asking the payment service.",
  timeLeft: "Time left to pay",
  timeOver: "checking…",

  sbp: "SBP – QR code",
  sbpHint: "Scan the code with your bank's app.",
  crypto: "Crypto (USDT)",
  cryptoHint: "Pay from your wallet in USDT, on the service's page.",
  scan: "Scan to pay",
  scanStep1: "Open your bank's app or the phone's camera",
  scanStep2: "Scan the code",
  scanStep3: "Check the amount and confirm",
  qrLabel: "QR code of the payment",
  open: "Open payment",
  openWallet: "Go to payment in USDT",
  openHere: "Open the payment on this device",
  comeBack: "Come back here afterwards: this page follows the payment by itself.",
  noAddress: "The service gave no payment address. Please choose another method.",

  placing: "The payment has arrived",
  placingNote: "We are placing your order, this takes a moment.",
  paid: "Thank you!",
  paidNote: "Your payment has arrived.",
  attention: "The shop is looking at your payment",
  attentionNote:
    "Your payment was received, but somebody at the shop has to look at it. Please do not pay again: the money is not lost, and the shop will contact you by e-mail.",
  stillChecking: "We are still checking, this page will show the order as soon as it is there.",
  reference: "Payment of {amount}, no.\u00a0{id}",

  canceled: "The payment did not go through",
  canceledNote: "No money has arrived. Your cart is just as it was.",
  expired: "The time to pay is over",
  expiredNote: "No money has arrived. Your cart is just as it was.",
  orderKept: "No money has arrived. Your order is as it was, and you can pay for it again.",
  orderLapsed:
    "No money has arrived, so the order is being canceled. Nothing more is needed from you.",
  backToShop: "Back to the shop",
  copyLink: "Copy the link",
  showQr: "Show the QR code",
  usdt: "about {amount}\u00a0USDT",
  openPayment: "A payment of {amount} is open.",
  continuePayment: "Continue",
  paymentDetails: "Details",
  replaced: "This payment was replaced",
  replacedNote:
    "The cart has changed, or another way to pay was chosen. If you have paid, please do not pay again.",
  payAgain: "Pay {amount} again",
  preparing: "Preparing the payment…",
  changeMethod: "Choose another method",
  failed: "The payment could not be created.",
  unreachable: "The shop does not answer. Check the connection and try again.",

  linkLoading: "Reading what is to be paid…",
  toPay: "Payment",
  toPayNote: "Choose how you would like to pay.",
  orderNumber: "Order {number}",
  howToPay: "Way to pay",
  pay: "Pay {amount}",
  noMethods: "There is no way to pay this here. Please ask the shop.",
  nothingOwed: "There is nothing to pay",
  nothingOwedNote: "Nothing is owed for this order any more.",
  alreadyPaid: "This is paid already",
  alreadyPaidNote: "The payment has arrived. Please do not pay again.",
  orderCanceled: "This order was canceled",
  orderCanceledNote: "It cannot be paid any more. Please order again.",

  /** The store's refusals, by their codes. */
  refusals: {
    being_confirmed:
      "This payment has been paid and is being confirmed; the cart cannot be changed any more.",
    session_gone: "This payment is not there any more. Please start the payment again.",
    not_found:
      "The payment service does not know this payment at the moment. If you have paid, please do not pay again, but wait a minute.",
    nothing_to_pay: "There is nothing to pay for.",
    order_not_placed: "This order was not placed, so it cannot be paid. Please order again.",
    no_collection_for_rest: "Medusa made no payment collection for the rest. Please try again.",
    busy: "This payment is being looked at right now. Please try again in a moment.",
    needs_look: "This payment has to be looked at by the shop. Please do not pay again.",
    cart_changed:
      "The cart has changed since this payment was started. Please start the payment again.",
    declined: "This payment was declined, or its time is over. Please start the payment again.",
    not_confirmed_yet: "This payment is not confirmed yet. The order is placed as soon as it is.",
    cart_being_completed: "This cart is being completed right now. Please try again in a moment.",
    taken_already: "This payment has been taken already, in another session of the same cart.",
    unknown_payment:
      "This payment is not known to the payment plugin. Please start the payment again.",
    never_opened:
      "This payment was never opened at the payment service. Please start the payment again.",
    other_cart: "This payment belongs to another cart.",
    needs_email:
      "An e-mail address is needed before paying this way. Please enter it and try again.",
    other_currency: "This way to pay does not take the cart's currency. Please choose another one.",
    more_than_owed:
      "Less is still to be paid for this order. Please reload the page, or ask the shop how to pay the rest.",
    order_canceled: "This order was canceled, so it cannot be paid any more. Please order again.",
    order_paid: "This order is paid already. Please do not pay again.",
    cart_received:
      "A payment for this cart has already been received and is being confirmed. Please do not pay again.",
    order_received:
      "A payment for this order has already been received and is being confirmed. Please do not pay again.",
    cart_needs_look:
      "A payment for this cart has already been received, and the shop has to look at it. Please do not pay again, but contact the shop.",
    order_needs_look:
      "A payment for this order has already been received, and the shop has to look at it. Please do not pay again, but contact the shop.",
    perCart:
      "Too many payments were started for this cart. Please finish the open one or try again in ten minutes.",
    invalid:
      "The payment service did not accept this payment. Please choose another way to pay or contact the shop.",
    unauthorized:
      "This way to pay is not available at the moment. Please choose another one or contact the shop.",
    rate_limited:
      "The payment service has too many requests at the moment. Please try again in a minute or choose another way to pay.",
    no_answer:
      "The payment service does not answer at the moment. Please try again in a minute or choose another way to pay.",
  },
}

/** Every sentence of the panels; the property `texts` replaces some of them. */
export type PaymentTexts = typeof en
