import type { MedusaContainer } from "@medusajs/framework/types"

import { takeUpWhatIsDue } from "../workflows/settle/take-up-what-is-due"

/**
 * Settles what is still open, callback or not, and what a callback named. Core runs it again when it has
 * ended, so it waits for nothing that could hang.
 */
export default async function watch(container: MedusaContainer): Promise<void> {
  await takeUpWhatIsDue(container)
}

export const config = {
  name: "payment-service-watch",
  // Not as cron: core's scheduler in memory stands still for as long as the machine's clock is set back.
  schedule: { interval: 2_000 },
}
