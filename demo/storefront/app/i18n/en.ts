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
    last: "Last one",
    soldOut: "Sold out",
  },

  cart: {
    title: "Cart",
    link: (count: number) => `Cart, items: ${count}`,
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
    free: "Free",
    total: "Total",
    notChosen: "not chosen yet",
  },

  checkout: {
    title: "Checkout",
    contact: "Contact",
    email: "E-mail",
    firstName: "First name",
    lastName: "Last name",
    delivery: "Delivery",
    address: "Street, house, flat",
    city: "City",
    postalCode: "Postcode",
    country: "Russia",
    shipping: { courier: "Courier", pickup: "Pickup" },
    noShipping: "There is no delivery option for this cart.",
    payment: "Payment",
    noMethods: "No payment method is switched on in this region.",
    pay: (amount: string) => `Pay ${amount}`,
    preparing: "Preparing the payment…",
    sample: {
      firstName: "Anna",
      lastName: "Smirnova",
      address: "12 Lesnaya St, flat 5",
      city: "Moscow",
    },
    steps: { label: "Steps", cart: "Cart", details: "Details", payment: "Payment" },
  },

  payment: "Payment",

  result: {
    orderNumber: "Order number",
    receipt: (email: string) => `The receipt and news of the order go to ${email}.`,
    next: "What comes next",
    steps: [
      "We pack your order within a day.",
      "We write to you when it is on its way or can be picked up.",
      "Questions? Tell us the order number.",
    ],
    waitingOrder: (number: string) =>
      `Order ${number} is reserved for you until the payment arrives.`,
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
    crash: "This page has stumbled. Reload it: nothing you paid is lost.",
    reload: "Reload",
  },
}

export type Messages = typeof en
