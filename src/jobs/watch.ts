import type { MedusaContainer } from "@medusajs/framework/types"

import { startDueWork } from "../payments"

/** Begins the background work that is due. Core runs this job again only after its end, so it waits for nothing that could hang. */
export default async function watch(container: MedusaContainer): Promise<void> {
  await startDueWork(container)
}

export const config = {
  name: "payment-service-watch",
  // An interval instead of cron: with cron, core's in-memory scheduler stands still for as long as the clock is set back.
  schedule: { interval: 2_000 },
}
