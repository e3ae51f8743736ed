import { setTimeout as sleep } from "node:timers/promises"

import type { Database } from "./stand"

const LONGEST_WAIT_MS = 600_000

/** Waits until every payment that was made is captured, and all that follows from it is done. */
export async function whenSettled({ client }: Database): Promise<void> {
  const giveUpAt = Date.now() + LONGEST_WAIT_MS
  for (;;) {
    const { rows } = await client.query<{ open: string }>(
      `select count(*) as open from payment_service_transaction
       where state = 'paid' and (settled_at is null or published_state <> state)`
    )
    if (Number(rows[0]?.open) === 0) return
    if (Date.now() > giveUpAt) throw new Error("Payments were not settled within ten minutes.")
    await sleep(200)
  }
}
