import type { ExecArgs } from "@medusajs/framework/types"

import { setProvidersOfRegions } from "../medusa/core"
import { paymentServiceModule } from "../modules/payment-service"
import { partsOfProvider } from "../payments/rules/transaction"
import type { PayoutState } from "../payouts/rules/payout"

/** `… prepare-removal` switches the methods off in all regions, so that no payment begins, and says what is still under way. */
export default async function prepareRemoval({ container }: ExecArgs): Promise<void> {
  const module = paymentServiceModule(container)
  const regions = await setProvidersOfRegions(container, (id) => !partsOfProvider(id))
  const where = regions.join(", ") || "no region, because they were on in none"
  module.logger.info(`Payment Service: the methods are switched off in ${where}.`)
  const [, pending] = await module.listAndCountTransactions({ state: "pending" }, ONE)
  const [, untaken] = await module.listAndCountTransactions(UNTAKEN, ONE)
  const [, payouts] = await module.listAndCountPayouts({ state: WITHOUT_OUTCOME }, ONE)
  const [, problems] = await module.listAndCountProblems({ closed_at: null }, ONE)
  module.logger.info(
    pending || untaken || payouts || problems
      ? `Payment Service: still under way: payments that may still be paid: ${pending}; paid payments that Medusa has not ` +
          `taken: ${untaken}; payouts without an outcome: ${payouts}; open problems: ${problems}. Look at them in the ` +
          "dashboard, and run this again."
      : "Payment Service: nothing is under way. Wait a day, because money may come after the time to pay. Then take the plugin and " +
          "its payment provider out of medusa-config.ts."
  )
}

const UNTAKEN = { state: "paid", settled_at: null, handled_at: null } as const
const WITHOUT_OUTCOME: PayoutState[] = ["draft", "awaiting_approval", "sending", "unknown"]
const ONE = { take: 1, select: ["id"] }
