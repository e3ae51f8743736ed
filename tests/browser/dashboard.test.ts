import { pagesAtHand } from "./dashboard/at-hand"
import { emptyPages } from "./dashboard/empty-pages"
import { paymentPages } from "./dashboard/payments"
import { payoutApproval } from "./dashboard/payout-approval"
import { payoutPages } from "./dashboard/payouts"
import { whoMay } from "./dashboard/who-may"
import { describeDemo } from "./demo-shop"

const isPrepared = true
// The deep run sees the pages as the demo's user does, which takes three times as long.
const dashboard = process.env.DEEP ? undefined : "built"

describeDemo("the dashboard", { isPrepared, dashboard }, (demo) => {
  // Before anything happens in the store.
  describe("empty pages", () => emptyPages(demo))
  describe("payments (promise 21)", () => paymentPages(demo))
  describe("payouts (promises 15 to 18)", () => payoutPages(demo))
  describe("what is at hand (promises 10, 19 and 21)", () => pagesAtHand(demo))
})

// Each takes a store of its own.
if (process.env.DEEP) {
  const withApproval = { PAYMENT_SERVICE_PAYOUTS_APPROVAL: "true" }
  describeDemo(
    "payouts that a second admin approves",
    { isPrepared, settings: withApproval },
    payoutApproval
  )
  const withRoles = { MEDUSA_FF_RBAC: "true" }
  describeDemo("the dashboard of a store with roles", { isPrepared, settings: withRoles }, (demo) =>
    describe("pages", () => whoMay(demo))
  )
}
