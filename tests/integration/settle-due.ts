import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../../src/modules/payment-service"
import { settleInBackground } from "../../src/workflows/settle/settle-in-background"

/** Settles what is due, as a pass of the watcher does, but at once and one after the other. */
export async function settleDue(
  container: MedusaContainer,
  most: number,
  longestMs?: number
): Promise<{ settled: number; failed: number }> {
  const module = paymentServiceModule(container)
  const accounts = await module.accounts()
  const outcome = { settled: 0, failed: 0 }
  for (const merchant of accounts.merchantAccounts()) {
    while (outcome.settled + outcome.failed < most) {
      const row = await module.dueTransactions.claimDue(merchant)
      if (!row) break
      const count = (end: keyof typeof outcome) => () => void outcome[end]++
      await settleInBackground(container, row.id, { accounts, longestMs }).then(
        count("settled"),
        count("failed")
      )
      await module.dueTransactions.planWatch(row.id)
    }
  }
  return outcome
}
