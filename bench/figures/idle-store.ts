import { setTimeout as sleep } from "node:timers/promises"

import type { Benchmark, Figure } from "../figure"
import { ourRoute } from "../post"
import type { SentStatements } from "../statements"
import type { RunningStore, Stand } from "../stand"
import { rounded } from "../statistics"
import { whenSettled } from "../when-settled"

const PAID = 3
/** Longer than anything goes on by itself after an order. */
const QUIET_AFTER_MS = 20_000

/** The plugin's statements while nobody asks anything of the store. */
export const idleStore: Benchmark = {
  name: "idle-store",
  title: "A store in which nothing happens",
  async run(stand, { quick }): Promise<Figure[]> {
    const seconds = quick ? 10 : 30
    const sent = {
      with: await listen(stand, seconds, true),
      without: await listen(stand, seconds, false),
    }
    return [
      {
        figure: "idle_store_statements",
        value: rounded(sent.with.all / seconds),
        unit: "per second",
        yardstick: "the same store without the plugin",
        yardstick_value: rounded(sent.without.all / seconds),
        ratio: null,
        samples: sent.with.all,
        measured:
          `all statements that Postgres counted, those around transactions included, in ${seconds} s in which nobody asks ` +
          `anything of the store; ${PAID} payments of it are settled, one is open and its next look an hour away, and a ` +
          "problem is open",
        details: { writes: sent.with.writes, writes_without_plugin: sent.without.writes },
      },
    ]
  },
}

async function listen(stand: Stand, seconds: number, withPlugin: boolean): Promise<SentStatements> {
  const database = await stand.database()
  const store = await stand.startStore(database, { withoutPlugin: !withPlugin })
  if (withPlugin) {
    await leaveTraces(stand, store)
    await whenSettled(database)
    await database.client.query(
      `update payment_service_transaction set watch_at = clock_timestamp() + interval '1 hour'
       where settled_at is null`
    )
  }
  await sleep(QUIET_AFTER_MS)
  await database.statements.forget()
  await sleep(seconds * 1000)
  const sent = await database.statements.read()
  await store.stop()
  return sent
}

/** A store that has been used: tables with something in them, and nothing that is due. */
async function leaveTraces(stand: Stand, store: RunningStore): Promise<void> {
  const { simulator } = stand
  const shopper = stand.shopperAt(store)
  const callbacks = ourRoute(store.url, stand.callbackToken)
  await simulator.callBack(callbacks)
  for (let payment = 0; payment < PAID; payment++) {
    const { sessionId, data } = await shopper.checkout()
    await simulator.pay(data.transaction_id)
    for (let state = ""; state !== "paid"; await sleep(500)) {
      const answer = await shopper.poll(sessionId)
      state = (answer.data as { session: { state: string } }).session.state
    }
  }
  await simulator.callBack(null)
  await shopper.checkout()
  // It names no transaction, which is the problem `callback_unreadable`.
  await fetch(callbacks, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ payment: 12 }),
  })
}
