import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import type { Benchmark, Figure } from "../figure"
import { addOpenTransactions } from "../open-transactions"
import { type Answer, callbackBody, coreRoute, ourRoute, Sender } from "../post"
import type { Database } from "../stand"
import { median, p99, rounded } from "../statistics"

const CONNECTIONS = 8
/** Of core's route: what it was asked is done only after that. */
const CORE_DELAY_MS = 5_000
const LONGEST_WAIT_MS = 120_000

interface Round {
  perSecond: number
  answers: Answer[]
  /** After the last answer, until everything that was asked was done. */
  behindMs: number
}

/** How many callbacks the store takes, each about another open payment. */
export const callbacksPerSecond: Benchmark = {
  name: "callbacks-per-second",
  title: "Callbacks per second",
  async run(stand, { quick }): Promise<Figure[]> {
    const [rounds, roundMs] = quick ? [1, 1_000] : [3, 2_000]
    const database = await stand.database()
    const store = await stand.startStore(database)
    const shopper = stand.shopperAt(store)
    for (let payment = 0; payment < 5; payment++) await shopper.checkout()
    const ids = await addOpenTransactions(
      (statement, parameters) => database.client.query(statement, parameters),
      stand.simulator,
      { count: quick ? 2_000 : 10_000, watch: "never", prefix: "rate" }
    )
    await leaveToCallbacks(database)

    const sender = new Sender(CONNECTIONS)
    const ours = ourRoute(store.url, stand.callbackToken)
    const core = coreRoute(store.url)
    let sent = 0
    const nextId = () => ids[sent++ % ids.length] ?? ""
    const load = async (route: string, ms: number, idOf = nextId): Promise<Round> => {
      const began = performance.now()
      const answers = await sender.sendAll(() => {
        if (performance.now() - began > ms) return null
        return sender.post(route, callbackBody(idOf(), "PENDING"))
      })
      const ended = performance.now()
      const refused = answers.find(({ status }) => status !== 200)
      if (refused) throw new Error(`A callback was answered ${refused.status}.`)
      await whenSettled(database)
      const behindMs = performance.now() - ended
      if (route === core) await whenCoreIsDone(database)
      await leaveToCallbacks(database)
      return { perSecond: (answers.length * 1000) / (ended - began), answers, behindMs }
    }

    for (const route of [ours, core]) await load(route, roundMs / 3)
    const taken = { ours: [] as Round[], core: [] as Round[], unknown: [] as Round[] }
    for (let round = 0; round < rounds; round++) {
      taken.ours.push(await load(ours, roundMs))
      taken.core.push(await load(core, roundMs))
      taken.unknown.push(await load(ours, roundMs, () => randomUUID()))
    }
    sender.close()
    await store.stop()

    const rate = (of: Round[]) => median(of.map(({ perSecond }) => perSecond))
    const answerMs = (of: Round[]) => of.flatMap(({ answers }) => answers.map(({ ms }) => ms))
    const samples = answerMs(taken.ours).length
    const yardstick = "Medusa's own /hooks/payment/sbp_main, same provider"
    const how =
      `${CONNECTIONS} connections that each send the next callback as soon as the last was answered, ` +
      `${rounds} x ${roundMs / 1000} s each in turns, every callback about another open payment. Ours is ` +
      "answered when it is written to disk, and the payment is read and judged in the same seconds; " +
      "core's keeps it in memory and does nothing for 5 s"
    const [p99Ours, p99Core] = [p99(answerMs(taken.ours)), p99(answerMs(taken.core))]
    return [
      {
        figure: "callbacks_accepted",
        value: rounded(rate(taken.ours)),
        unit: "per second",
        yardstick,
        yardstick_value: rounded(rate(taken.core)),
        ratio: rounded(rate(taken.ours) / rate(taken.core)),
        samples,
        measured: `median of the rounds: ${how}`,
        details: {
          all_settled_after_s: rounded(median(taken.ours.map(({ behindMs }) => behindMs)) / 1000),
          with_unknown_ids_per_second: rounded(rate(taken.unknown)),
          yardstick_samples: answerMs(taken.core).length,
        },
      },
      {
        figure: "callback_answer_p99",
        value: rounded(p99Ours),
        unit: "ms",
        yardstick,
        yardstick_value: rounded(p99Core),
        ratio: rounded(p99Ours / p99Core),
        samples,
        measured: `99th percentile of the answers' time: ${how}`,
        details: {
          median_ms: rounded(median(answerMs(taken.ours))),
          yardstick_median_ms: rounded(median(answerMs(taken.core))),
        },
      },
    ]
  },
}

/** In the next round, only callbacks ask for reads. */
async function leaveToCallbacks({ client }: Database): Promise<void> {
  await client.query("update payment_service_transaction set watch_at = null, hinted_at = null")
}

/** Waits until every transaction that a callback named has been read. */
async function whenSettled(database: Database): Promise<void> {
  const giveUpAt = Date.now() + LONGEST_WAIT_MS
  while (
    (await count(
      database,
      "select count(*) from payment_service_transaction where hinted_at > coalesce(read_at, '-infinity')"
    )) > 0
  ) {
    if (Date.now() > giveUpAt) throw new Error("Callbacks were not settled within two minutes.")
    await sleep(50)
  }
}

/** Core's callbacks are in timers of the store and nowhere else: done when they have left no more marks. */
async function whenCoreIsDone(database: Database): Promise<void> {
  await sleep(CORE_DELAY_MS)
  const asked = "select count(*) from payment_service_transaction where hinted_at is not null"
  let [before, now] = [-1, await count(database, asked)]
  while (before !== now) {
    await sleep(500)
    ;[before, now] = [now, await count(database, asked)]
  }
}

async function count({ client }: Database, statement: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(statement)
  return Number(rows[0]?.count)
}
