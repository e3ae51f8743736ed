import { pagesAtHand } from "./dashboard/at-hand"
import { callbackAddress } from "./dashboard/callback-address"
import { emptyPages } from "./dashboard/empty-pages"
import { exportPages } from "./dashboard/exports"
import { pagesOfFailingService } from "./dashboard/failing-service"
import { paymentPages } from "./dashboard/payments"
import { payoutApproval } from "./dashboard/payout-approval"
import { payoutPages } from "./dashboard/payouts"
import { whoMay } from "./dashboard/who-may"
import { describeDemo } from "./demo-shop"

const isPrepared = true
// The pages are those of a merchant's store, which the packed package is installed into. The deep run sees them as the
// demo's user does, which takes three times as long.
const hasBuiltDashboard = !process.env.DEEP

describeDemo("the dashboard", { isPrepared, hasBuiltDashboard }, (demo) => {
  // Before anything happens in the store.
  describe("empty pages", () => emptyPages(demo))
  describe("payments", () => paymentPages(demo))
  describe("payouts", () => payoutPages(demo))
  describe("what is at hand", () => pagesAtHand(demo))
  describe("while the service fails", () => pagesOfFailingService(demo))
  describe("an export", () => exportPages(demo))
})

// Each takes a store of its own.
if (process.env.DEEP) {
  const withApproval = { PAYMENT_SERVICE_PAYOUTS_APPROVAL: "true" }
  describeDemo(
    "payouts that a second admin approves",
    { isPrepared, settings: withApproval },
    payoutApproval
  )
  const withOwnToken = { CALLBACK_TOKEN_IS_GENERATED: "true" }
  describeDemo(
    "the dashboard of a store that makes its own callback address",
    { isPrepared, settings: withOwnToken },
    callbackAddress
  )
  const withRoles = { MEDUSA_FF_RBAC: "true" }
  describeDemo("the dashboard of a store with roles", { isPrepared, settings: withRoles }, (demo) =>
    describe("pages", () => whoMay(demo))
  )
}
