import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import type { OpenPayment } from "../../tests/integration/shopper"
import type { Benchmark } from "../figure"
import { callbackBody, coreRoute, ourRoute, Sender } from "../post"
import type { Database, Stand } from "../stand"
import { median, p99, rounded } from "../statistics"

/** Core waits 5 s, and the watcher follows at most 7 s after: a batch is over before it gets there. */
const AT_A_TIME = 10
const LOOK_EVERY_MS = 10
const LONGEST_WAIT_MS = 60_000

/** How long a payer waits for the order after the service has rung. */
export const callbackToOrder: Benchmark = {
  name: "callback-to-order",
  title: "Callback to order",
  async run(stand, { quick }) {
    const database = await stand.database()
    const store = await stand.startStore(database)
    const shopper = stand.shopperAt(store)
    const orders = new Orders(database)
    const sender = new Sender(2)
    const routes = { ours: ourRoute(store.url, stand.callbackToken), core: coreRoute(store.url) }
    // One payer opens no more than a few.
    const checkout = () => shopper.checkout("sbp", { email: `${randomUUID()}@shopper.test` })
    const ring = async (route: keyof typeof routes, payment: OpenPayment) => {
      const began = performance.now()
      const { status } = await sender.post(
        routes[route],
        callbackBody(payment.data.transaction_id, "CONFIRMED")
      )
      if (status !== 200) throw new Error(`The callback was answered ${status}.`)
      return await orders.of(payment, began)
    }

    const taken = { ours: [] as number[], core: [] as number[] }
    const batches = quick ? 1 : 2
    for (let batch = 0; batch < batches; batch++) {
      const pairs: Record<keyof typeof routes, OpenPayment>[] = []
      for (let pair = 0; pair < (quick ? 2 : AT_A_TIME); pair++) {
        pairs.push({ ours: await checkout(), core: await checkout() })
      }
      const payments = pairs.flatMap(({ ours, core }) => [ours, core])
      await payUnseen(stand, database, payments)
      if (batch === 0) {
        // The first order of a process is slow, whatever it is asked by.
        const [warmUp] = await payUnseen(stand, database, [await checkout()])
        if (warmUp) await ring("ours", warmUp)
      }
      const later: Promise<number>[] = []
      for (const { ours, core } of pairs) {
        later.push(ring("core", core))
        taken.ours.push(await ring("ours", ours))
      }
      taken.core.push(...(await Promise.all(later)))
    }
    sender.close()
    await store.stop()

    const [value, yardstick] = [median(taken.ours), median(taken.core)]
    return [
      {
        figure: "callback_to_order",
        value: rounded(value),
        unit: "ms",
        yardstick: "Medusa's own /hooks/payment/sbp_main, same provider",
        yardstick_value: rounded(yardstick),
        ratio: rounded(value / yardstick),
        samples: taken.ours.length,
        measured:
          "median from sending the callback until the order of the paid cart is in the database, " +
          "looked for every 10 ms; the watcher was put off for all of them before they were paid. " +
          "Core waits 5 s before it asks the provider, which then asks the watcher for a look in 5 s",
        details: {
          p99_ms: rounded(p99(taken.ours)),
          fastest_ms: rounded(Math.min(...taken.ours)),
          yardstick_p99_ms: rounded(p99(taken.core)),
          yardstick_fastest_ms: rounded(Math.min(...taken.core)),
        },
      },
    ]
  },
}

/** Pays with no callback, after the watcher was told to come in an hour: only our callback is left. */
async function payUnseen(
  { simulator }: Stand,
  { client }: Database,
  payments: OpenPayment[]
): Promise<OpenPayment[]> {
  const ids = payments.map(({ data }) => data.transaction_id)
  await client.query(
    `update payment_service_transaction set watch_at = clock_timestamp() + interval '1 hour'
     where transaction_id = any($1)`,
    [ids]
  )
  for (const id of ids) await simulator.paySilently(id)
  return payments
}

/** Looks for orders with one statement for all that are waited for, so that looking costs next to nothing. */
class Orders {
  private readonly awaited = new Map<string, (ms: number) => void>()
  private looking = false

  constructor(private readonly database: Database) {}

  /** Milliseconds from `began` until the order of this payment is there. */
  async of({ collectionId }: OpenPayment, began: number): Promise<number> {
    const found = new Promise<number>((resolve) => this.awaited.set(collectionId, resolve))
    const tooLate = new AbortController()
    const givenUp = sleep(LONGEST_WAIT_MS, undefined, tooLate).then(() => {
      throw new Error("There is no order after a minute.")
    })
    givenUp.catch(() => undefined)
    if (!this.looking) void this.look()
    const at = await Promise.race([found, givenUp])
    tooLate.abort()
    return at - began
  }

  private async look(): Promise<void> {
    this.looking = true
    while (this.awaited.size > 0) {
      const { rows } = await this.database.client.query<{ id: string }>(
        `select link.payment_collection_id as id from order_payment_collection link
         join "order" on "order".id = link.order_id where link.payment_collection_id = any($1)`,
        [[...this.awaited.keys()]]
      )
      const now = performance.now()
      for (const { id } of rows) {
        this.awaited.get(id)?.(now)
        this.awaited.delete(id)
      }
      await sleep(LOOK_EVERY_MS)
    }
    this.looking = false
  }
}
