import { plural } from "./plural"

const items = plural("en", { one: "item", other: "items" })

export const en = {
  shop: "Quiet Goods",
  language: "Language",
  skipToContent: "Skip to content",
  footer: "A demo shop. Nothing is delivered and no real money is taken.",

  home: {
    title: "Good things, unhurried",
    lead: "A small shop that takes bank transfers by QR code (SBP) and crypto.",
    empty: "There are no products yet.",
    add: "Add to cart",
    added: "In your cart",
    toCart: "Go to cart",
    variant: "Variant",
    last: "Last one",
    few: (count: number) => `${count} left`,
    soldOut: "Sold out",
    noPrice: "No price in this region",
  },

  cart: {
    title: "Cart",
    link: (count: number) => `Cart, ${count} ${items(count)}`,
    empty: "Your cart is empty.",
    toShop: "Choose something",
    quantity: (title: string) => `Quantity of ${title}`,
    less: "One less",
    more: "One more",
    remove: "Remove",
    removeItem: (title: string) => `Remove ${title}`,
    checkout: "Go to checkout",
  },

  summary: {
    title: "Your order",
    items: "Items",
    shipping: "Delivery",
    tax: "Tax, included",
    free: "Free",
    total: "Total",
    notChosen: "not chosen yet",
  },

  checkout: {
    title: "Checkout",
    contact: "Contact",
    email: "E-mail",
    emailHint: "So that the shop can reach you about the order.",
    firstName: "First name",
    lastName: "Last name",
    delivery: "Delivery",
    address: "Street, house, flat",
    city: "City",
    postalCode: "Postcode",
    country: "Russia",
    noShipping: "There is no delivery option for this cart.",
    payment: "Payment",
    noMethods: "No payment method is switched on in this region.",
    pay: (amount: string) => `Pay ${amount}`,
    preparing: "Preparing the payment…",
    totalChanged: (amount: string) => `The total is now ${amount}. Please check it and pay again.`,
    sample: {
      firstName: "Anna",
      lastName: "Smirnova",
      address: "12 Lesnaya St, flat 5",
      city: "Moscow",
    },
    steps: { label: "Steps", cart: "Cart", details: "Details", payment: "Payment" },
  },

  method: {
    sbp: "SBP – QR code",
    sbpHint: "Scan the code with your bank's app.",
    crypto: "Crypto (USDT)",
    cryptoHint: "Pay from your wallet in USDT, on the service's page.",
  },

  payment: {
    title: "Payment",
    scan: "Scan to pay",
    steps: [
      "Open your bank's app or the phone's camera",
      "Scan the code",
      "Check the amount and confirm",
    ],
    open: "Open payment",
    openWallet: "Go to payment in USDT",
    openHere: "Open the payment on this device",
    qrLabel: "QR code of the payment",
    qrLink: "Open the address of this code",
    estimate: (usdt: string) => `about ${usdt} USDT`,
    estimateNote: "The exact sum is shown on the payment page.",
    comeBack: "Come back here afterwards: this page follows the payment by itself.",
    noAddress: "The service gave no payment address. Please choose another method.",
    timeLeft: "Time left to pay",
    checking: "checking…",
    waiting: "Waiting for your payment",
    waitingNote: "The page will change by itself as soon as the money arrives.",
    checkingTitle: "Checking the payment",
    checkingNote:
      "The time is up. If you have paid, please do not pay again: we are asking the payment service.",
    changeMethod: "Choose another method",
    payAgainAmount: (amount: string) => `Pay ${amount} again`,
    nothing: "There is no payment to show.",
    unknown: "We could not find this payment.",
    unknownNote: "The link may be incomplete. Nothing has been charged by opening it.",
    trouble: "No connection to the shop. Trying again…",
    loading: "Reading the payment…",
  },

  result: {
    paidTitle: "Thank you!",
    paidLead: "Your payment has arrived and the order is placed.",
    orderNumber: "Order number",
    orderLoading: "Reading the order…",
    placing: "The payment has arrived",
    placingNote: "We are placing your order, this takes a moment.",
    attention: "The shop is looking at your payment",
    attentionNote:
      "Your payment was received, but somebody at the shop has to look at it. Please do not pay again: the money is not lost, and the shop will contact you by e-mail.",
    stillChecking: "We are still checking, this page will show the order as soon as it is there.",
    waitingTitle: "The payment is being confirmed",
    waitingNote:
      "This can take a minute. You can keep this page open: it follows the payment by itself.",
    waitingOrder: (number: string) =>
      `Order ${number} is reserved for you until the payment arrives.`,
    backToPayment: "Back to the payment",
    canceledTitle: "The payment did not go through",
    canceledNote: "No money has arrived. Your cart is just as it was.",
    expiredTitle: "The time to pay is over",
    expiredNote: "No money has arrived. Your cart is just as it was.",
    orderKept: "No money has arrived. Your order is still reserved for you.",
    orderLapsed:
      "No money has arrived, so the order is being canceled. Nothing more is needed from you.",
    reference: "Payment",
    continue: "Continue shopping",
  },

  error: {
    title: "Something went wrong",
    load: "We could not read this from the shop.",
    payment: "The payment could not be created.",
    cart: "The cart could not be changed.",
    stock: "There is not enough of this in stock.",
    network: "The shop does not answer. Check the connection and try again.",
    retry: "Try again",
    cartGone: "The cart of this payment is no longer there.",
    crash: "This page has stumbled. Reload it: nothing you paid is lost.",
    reload: "Reload",
  },
}

export type Messages = typeof en
