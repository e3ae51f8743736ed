import { setTimeout as sleep } from "node:timers/promises"

import type { PayoutRow } from "../../modules/payment-service"
import type { PayoutPorts } from "./ports"

/** How long somebody waits for the answer to a request that somebody else has made. */
const LONGEST_WAIT_MS = 5_000
const LOOK_EVERY_MS = 200

/**
 * Writes down of payouts whose process is gone that nobody knows what came of them. A process that lives after all may
 * still record its answer.
 */
export async function recordLostPayouts({ module, sendEvents }: PayoutPorts): Promise<void> {
  const lost = await module.payouts.findLost()
  for (const id of lost) {
    await module.payouts.change(id, async (payout) => {
      const { state, answer_by, attempts } = payout.row
      if (state !== "sending" || !answer_by || answer_by > payout.now) return
      await payout.update({
        state: "unknown",
        answer_by: null,
        reason_code: "process_lost",
        reason_facts: {},
      })
      await payout.note("lost", { attempt: attempts }, null)
      await payout.publish()
    })
  }
  if (lost.length) await sendEvents()
}

/** A payout as it is now; one whose process is gone is unknown. */
export async function lookAtPayout(ports: PayoutPorts, id: string): Promise<PayoutRow> {
  const row = await ports.module.payouts.get(id)
  if (row.state !== "sending" || !row.answer_by || row.answer_by > ports.module.clock.now()) {
    return row
  }
  await recordLostPayouts(ports)
  return await ports.module.payouts.get(id)
}

/** Waits a moment for the answer to a request that somebody else makes. */
export async function waitForAnswer(ports: PayoutPorts, id: string): Promise<void> {
  const began = performance.now()
  while ((await lookAtPayout(ports, id)).state === "sending") {
    if (performance.now() - began > LONGEST_WAIT_MS) return
    await sleep(LOOK_EVERY_MS)
  }
}
