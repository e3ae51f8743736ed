import { paymentPages } from "./dashboard/payments"
import { payoutApproval } from "./dashboard/payout-approval"
import { payoutPages } from "./dashboard/payouts"
import { whoMay } from "./dashboard/who-may"
import { describeDemo } from "./demo-shop"

describeDemo("the dashboard", { isPrepared: true }, (demo) => {
  describe("payments", () => paymentPages(demo))
  describe("payouts", () => payoutPages(demo))
})

// Each takes a store of its own.
if (process.env.DEEP) {
  const settings = { PAYMENT_SERVICE_PAYOUTS_APPROVAL: "true" }
  describeDemo(
    "payouts that a second admin approves",
    { isPrepared: true, settings },
    payoutApproval
  )
  describeDemo(
    "the dashboard of a store with roles",
    { isPrepared: true, settings: { MEDUSA_FF_RBAC: "true" } },
    (demo) => {
      describe("pages", () => whoMay(demo))
    }
  )
}
