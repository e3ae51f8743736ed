/** The output of `npm run demo -- --json`; other programs read it. */
export type DemoReport = {
  storefront: string
  backend: string
  dashboard: string
  /** The Payment Service: the simulator, or the one of PAYMENT_SERVICE_URL. */
  service: string
  callbackUrl: string
  publishableKey: string
  regionId: string
  /** In the order of demo/products.ts; of the last one there is a single piece. */
  variantIds: string[]
  /** Of an order that is still to be paid, as the dashboard copies it. */
  paymentLink: string | null
  adminEmail: string
  adminPassword: string
  /** Of another admin who may pay out, for payouts that a second one approves. */
  secondAdminEmail: string
  secondAdminPassword: string
  /** The values to enter on the page Settings of an empty shop, for the simulator. */
  setUp?: {
    backendUrl: string
    baseUrl: string
    merchantId: string
    secret: string
    signingSecret: string
    paidStatus: string
    /** Of the storefront, after payment and after a failure. */
    resultPage: string
  }
}

/** An empty shop: where to begin, and the simulator's account. */
function describeEmpty({ dashboard, adminEmail, adminPassword, ...report }: DemoReport): string {
  const { setUp } = report
  return `
The empty shop is ready.

  Dashboard   ${dashboard}
              ${adminEmail}, password ${adminPassword}
  Shop        ${report.storefront}

What to click
  1. In the dashboard: Settings, SBP and crypto. The steps there lead to a paid test order.
  2. Without a merchant account, the simulator is one:
       address of this store    ${setUp?.backendUrl}
       address of the service   ${setUp?.baseUrl}
       merchant id              ${setUp?.merchantId}
       secret                   ${setUp?.secret}
       signing secret           ${setUp?.signingSecret}
       status of a paid one     ${setUp?.paidStatus}
       page after payment, and after a failure
                                ${setUp?.resultPage}

Ctrl-C stops everything. The next start with --empty begins anew.
`
}

export function describeDemo(report: DemoReport): string {
  if (report.setUp) return describeEmpty(report)
  const simulated = !process.env.PAYMENT_SERVICE_URL
  return `
The demo is ready.

  Shop        ${report.storefront}
  Dashboard   ${report.dashboard}
              ${report.adminEmail}, password ${report.adminPassword}
              ${report.secondAdminEmail}, password ${report.secondAdminPassword}
  ${simulated ? "Simulator " : "Service   "}  ${report.service}

What to click
  1. In the shop, put something in the cart and go to the checkout.
  2. Choose SBP or crypto. ${
    simulated
      ? "Open the payment: on the simulator's page, pay or decline."
      : "Pay at the Payment Service."
  }
  3. The shop shows the order number without a reload. After a decline, pay again in one click.
  4. In the dashboard, the order is under Orders, its payment captured.
  5. An order that was taken by phone is paid by its link, as the dashboard copies it:
     ${report.paymentLink}
${
  simulated
    ? `
  The simulator's own page lists every payment: it pays less, more, late or twice, takes money back,
  and can lose, repeat or delay what it answers.
`
    : `
  The service reports payments to ${report.callbackUrl}
`
}
Ctrl-C stops everything. The next start uses the same data; npm run demo -- --reset forgets it.
`
}
