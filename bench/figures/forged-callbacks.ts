import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import type { Benchmark } from "../figure"
import { addOpenTransactions } from "../open-transactions"
import { type Answer, callbackBody, coreRoute, ourRoute, Sender } from "../post"
import { median, p99, rounded } from "../statistics"

const CONNECTIONS = 8
/** Core asks the provider after 5 s. */
const AFTERMATH_MS = 10_000
const GENUINE = 100

/** Forged callbacks make us ask nothing of the service. */
export const forgedCallbacks: Benchmark = {
  name: "forged-callbacks",
  title: "Forged callbacks",
  async run(stand, { quick }) {
    const total = quick ? 1_000 : 10_000
    const database = await stand.database()
    const store = await stand.startStore(database)
    const shopper = stand.shopperAt(store)
    for (let payment = 0; payment < 5; payment++) await shopper.checkout()
    const known = await addOpenTransactions(
      (statement, parameters) => database.client.query(statement, parameters),
      stand.simulator,
      { count: GENUINE, watch: "never", prefix: "forged" }
    )
    await database.client.query("update payment_service_transaction set watch_at = null")
    // A look that the store had begun before.
    await sleep(500)

    const sender = new Sender(CONNECTIONS)
    const ours = ourRoute(store.url, stand.callbackToken)
    const knownId = (turn: number) => known[turn % known.length] ?? ""
    /** In turns; what each has to be answered says that it got as far as it is meant to. */
    const forgeries: ((turn: number) => { url: string; body: string; answer: number })[] = [
      (turn) => ({
        url: ourRoute(store.url, `guessed-${randomUUID()}`),
        body: callbackBody(knownId(turn), "CONFIRMED"),
        answer: 404,
      }),
      () => ({ url: ours, body: callbackBody(randomUUID(), "CONFIRMED"), answer: 200 }),
      () => ({
        url: ours,
        body: JSON.stringify(Array.from({ length: 10 }, () => ({ id: randomUUID() }))),
        answer: 200,
      }),
      // Cut off in its id: a whole one would be found in any text.
      (turn) => ({
        url: ours,
        body: `{"transactionId": "${knownId(turn).slice(0, 30)}`,
        answer: 400,
      }),
      () => ({
        url: coreRoute(store.url),
        body: callbackBody(randomUUID(), "CONFIRMED"),
        answer: 200,
      }),
    ]
    await stand.simulator.forgetRequests()
    const began = performance.now()
    let sent = 0
    const answers = await sender.sendAll(() => {
      if (sent >= total) return null
      const turn = sent++
      const forged = forgeries[turn % forgeries.length]?.(turn)
      return forged ? expectAnswer(forged.answer, sender.post(forged.url, forged.body)) : null
    })
    const seconds = (performance.now() - began) / 1000
    await sleep(AFTERMATH_MS)
    const called = await stand.simulator.requests()
    const calls = called.length

    // The same counter must see what is genuine.
    await stand.simulator.forgetRequests()
    const genuine = [...known]
    const genuineBegan = performance.now()
    await sender.sendAll(() => {
      const id = genuine.pop()
      return id ? expectAnswer(200, sender.post(ours, callbackBody(id, "PENDING"))) : null
    })
    const genuineSeconds = (performance.now() - genuineBegan) / 1000
    await sleep(5_000)
    const named = new Set((await stand.simulator.requests("get")).map(({ path }) => path))
    sender.close()
    await store.stop()

    const failure =
      calls > 0
        ? `${calls} calls to the service during ${total} forged callbacks, the first to ${called[0]?.path}`
        : named.size < known.length
          ? `only ${named.size} of ${known.length} genuine callbacks led to a call: the count means nothing`
          : undefined
    const times = answers.map(({ ms }) => ms)
    return [
      {
        figure: "service_calls_during_forged_callbacks",
        value: calls,
        unit: "calls",
        yardstick: `during ${known.length} genuine callbacks`,
        yardstick_value: named.size,
        ratio: null,
        samples: answers.length,
        measured:
          "requests that reached the simulator while forged callbacks came in and in the 10 s after: in " +
          "turns a wrong token with the id of an open payment, the right token with an unknown id, with " +
          "ten unknown ids, with broken JSON, and Medusa's own route with an unknown id. Must be 0",
        details: {
          answered_per_second: rounded(answers.length / seconds),
          median_ms: rounded(median(times)),
          p99_ms: rounded(p99(times)),
          genuine_answered_per_second: rounded(known.length / genuineSeconds),
        },
        ...(failure ? { failure } : {}),
      },
    ]
  },
}

async function expectAnswer(expected: number, sent: Promise<Answer>): Promise<Answer> {
  const answer = await sent
  if (answer.status !== expected) {
    throw new Error(`A callback was answered ${answer.status} instead of ${expected}.`)
  }
  return answer
}
