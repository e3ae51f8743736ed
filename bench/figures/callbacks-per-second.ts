import { setTimeout as sleep } from "node:timers/promises"

import type { Benchmark } from "../figure"
import { addOpenTransactions } from "../open-transactions"
import { callbackBody, ourRoute, Sender } from "../post"
import { median, p99, rounded } from "../statistics"

const CONNECTIONS = 8
const GOAL = 200
const LONGEST_WAIT_MS = 120_000
const TO_READ =
  "select 1 from payment_service_transaction where hinted_at > coalesce(read_at, '-infinity') limit 1"

/** How many callbacks the store takes, each about another open payment. */
export const callbacksPerSecond: Benchmark = {
  name: "callbacks-per-second",
  title: "Callbacks per second",
  async run(stand, { quick }) {
    const [rounds, roundMs] = quick ? [1, 1_000] : [3, 2_000]
    const database = await stand.database()
    const { client } = database
    const store = await stand.startStore(database)
    const shopper = stand.shopperAt(store)
    for (let payment = 0; payment < 5; payment++) await shopper.checkout()
    const ids = await addOpenTransactions(
      (statement, parameters) => client.query(statement, parameters),
      stand.simulator,
      { count: quick ? 2_000 : 10_000, watch: "never", prefix: "rate" }
    )
    const sender = new Sender(CONNECTIONS)
    const route = ourRoute(store.url, stand.callbackToken)
    let sent = 0
    const load = async (ms: number) => {
      // In a round, only callbacks ask for reads.
      await client.query("update payment_service_transaction set watch_at = null, hinted_at = null")
      const began = performance.now()
      const answers = await sender.sendAll(() => {
        if (performance.now() - began > ms) return null
        return sender.post(route, callbackBody(ids[sent++ % ids.length] ?? "", "PENDING"))
      })
      const ended = performance.now()
      const refused = answers.find(({ status }) => status !== 200)
      if (refused) throw new Error(`A callback was answered ${refused.status}.`)
      while ((await client.query(TO_READ)).rowCount) {
        if (performance.now() - ended > LONGEST_WAIT_MS) {
          throw new Error("Callbacks were not settled within two minutes.")
        }
        await sleep(50)
      }
      return {
        perSecond: (answers.length * 1_000) / (ended - began),
        times: answers.map((answer) => answer.ms),
        behindMs: performance.now() - ended,
      }
    }
    await load(roundMs / 3)
    const taken = []
    for (let round = 0; round < rounds; round++) taken.push(await load(roundMs))
    sender.close()
    await store.stop()

    const times = taken.flatMap((round) => round.times)
    const perSecond = median(taken.map((round) => round.perSecond))
    return [
      {
        figure: "callbacks_accepted",
        value: rounded(perSecond),
        unit: "per second",
        yardstick: "the goal",
        yardstick_value: GOAL,
        ratio: rounded(perSecond / GOAL),
        samples: times.length,
        measured:
          `median of ${rounds} rounds of ${roundMs / 1_000} s, in which ${CONNECTIONS} connections each send the next callback ` +
          "as soon as the last was answered, every one about another open payment, which is read and judged meanwhile",
        details: {
          answer_p99_ms: rounded(p99(times)),
          all_settled_after_s: rounded(median(taken.map(({ behindMs }) => behindMs)) / 1_000),
        },
      },
    ]
  },
}
