import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import type { Shopper } from "../../tests/integration/shopper"
import type { Benchmark, Figure } from "../figure"
import { ourRoute } from "../post"
import type { Database, RunningStore, Stand } from "../stand"
import { median, p99, rounded } from "../statistics"
import { whenSettled } from "../when-settled"

/** A storefront looks every two seconds or so; more often here, because what it waits for is measured. */
const POLL_EVERY_MS = 1_000
const LONGEST_WAIT_MS = 600_000

/** A cart with everything that a shopper does before choosing how to pay. */
interface ReadyCart {
  id: string
  collectionId: string
}

/** Takes one cart from the choice of how to pay to its order. */
type Pay = (cart: ReadyCart) => Promise<void>

interface Round {
  /** Until the last order was seen. */
  perSecond: number
  /** Until the last payment was captured, too. */
  capturedPerSecond: number
  waitsMs: number[]
  /** Of the store, in its database. */
  statements: number
  /** Of the service, by the store. */
  reads: number
}

/** Orders per second when many shoppers pay at once, beside a checkout that has nothing to prove. */
export const paidOrders: Benchmark = {
  name: "paid-orders",
  title: "Paid orders",
  async run(stand, { quick }): Promise<Figure[]> {
    const size = quick ? { shoppers: 4, each: 1, rounds: 1 } : { shoppers: 16, each: 2, rounds: 4 }
    const { shoppers } = size
    const ours = await begin(stand, {})
    const core = await begin(stand, { withoutPlugin: true })
    await stand.simulator.callBack(ourRoute(ours.store.url, stand.callbackToken))
    const byService = payAtService(stand, ours.shopper)
    const byHand = payByHand(core.shopper)
    const byHandAndCaptured = payByHand(core.shopper, await stand.adminAt(core.store))
    const taken = { ours: [] as Round[], core: [] as Round[], captured: [] as Round[] }
    const variants = [
      async (each: number) =>
        taken.ours.push(
          await measure(stand, { ...ours, shoppers, pay: byService, whenDone: whenSettled, each })
        ),
      async (each: number) =>
        taken.core.push(await measure(stand, { ...core, shoppers, pay: byHand, each })),
      async () =>
        taken.captured.push(
          await measure(stand, { ...core, shoppers, pay: byHandAndCaptured, each: 1 })
        ),
    ]
    // The first of them are not counted.
    for (const variant of variants) await variant(1)
    for (const rounds of Object.values(taken)) rounds.length = 0
    for (let round = 0; round < size.rounds; round++) {
      // Each goes first in its turn, because a machine is not equally fast all the time.
      for (const variant of variants) await variant(size.each)
      variants.push(...variants.splice(0, 1))
    }
    await stand.simulator.callBack(null)
    await ours.store.stop()
    await core.store.stop()

    const rate = (of: Round[], what: "perSecond" | "capturedPerSecond" = "perSecond") =>
      median(of.map((round) => round[what]))
    const waits = (of: Round[]) => of.flatMap(({ waitsMs }) => waitsMs.map((ms) => ms / 1000))
    const each = (of: Round[], what: "statements" | "reads") =>
      sum(of.map((round) => round[what])) / waits(of).length
    const samples = waits(taken.ours).length
    const yardstick = "core's own checkout by pp_system_default, without the plugin"
    const how =
      `${size.shoppers} shoppers at once, each with ${size.each} carts one after the other, on one process ` +
      `of the store; ${size.rounds} rounds in turns with the yardstick, whose store does nothing meanwhile, and the ` +
      "other way round. The carts were there before. Ours: a payment session is made, paid at the simulator, whose callback " +
      `comes, and polled every ${POLL_EVERY_MS / 1000} s until it names the order, whose payment is then ` +
      "captured too. Core's: a payment session is made and the cart completed; nothing is proved and nothing " +
      "captured. In the details the same with each payment captured over the admin API"
    const common = { samples, measured: how }
    return [
      {
        ...common,
        figure: "paid_orders",
        value: rounded(rate(taken.ours)),
        unit: "per second",
        yardstick,
        yardstick_value: rounded(rate(taken.core)),
        ratio: rounded(rate(taken.ours) / rate(taken.core)),
        details: {
          captured_per_second: rounded(rate(taken.ours, "capturedPerSecond")),
          yardstick_captured_per_second: rounded(rate(taken.captured)),
        },
      },
      {
        ...common,
        figure: "payment_to_order",
        value: rounded(median(waits(taken.ours))),
        unit: "s",
        yardstick,
        yardstick_value: rounded(median(waits(taken.core))),
        ratio: rounded(median(waits(taken.ours)) / median(waits(taken.core))),
        measured: `median from asking for the payment session until the order is seen: ${how}`,
        details: {
          p99_s: rounded(p99(waits(taken.ours))),
          yardstick_p99_s: rounded(p99(waits(taken.core))),
          yardstick_captured_s: rounded(median(waits(taken.captured))),
        },
      },
      {
        ...common,
        figure: "statements_per_paid_order",
        value: rounded(each(taken.ours, "statements")),
        unit: "statements",
        yardstick,
        yardstick_value: rounded(each(taken.core, "statements")),
        ratio: rounded(each(taken.ours, "statements") / each(taken.core, "statements")),
        measured:
          "all that the store sent to Postgres meanwhile, polls and background work included, until the last " +
          `payment was captured, by the number of orders: ${how}`,
        details: { yardstick_captured: rounded(each(taken.captured, "statements")) },
      },
      {
        ...common,
        figure: "service_reads_per_paid_order",
        value: rounded(each(taken.ours, "reads")),
        unit: "calls",
        yardstick: "the least that can prove a payment",
        yardstick_value: 1,
        ratio: rounded(each(taken.ours, "reads")),
        measured: `GET /transaction/{id} at the simulator meanwhile, by the number of orders: ${how}`,
        details: {},
      },
    ]
  },
}

interface Variant {
  database: Database
  store: RunningStore
  shopper: Shopper
}

async function begin(stand: Stand, options: { withoutPlugin?: boolean }): Promise<Variant> {
  const database = await stand.database()
  const store = await stand.startStore(database, options)
  return { database, store, shopper: stand.shopperAt(store) }
}

async function measure(
  { shop, simulator }: Stand,
  {
    database,
    shopper,
    pay,
    whenDone = () => Promise.resolve(),
    each,
    shoppers,
  }: Variant & {
    pay: Pay
    /** Settles when nothing that was asked for goes on any more. */
    whenDone?: (database: Database) => Promise<void>
    each: number
    shoppers: number
  }
): Promise<Round> {
  const carts: ReadyCart[] = []
  let made = 0
  const prepare = async (count: number) => {
    const wanted = Array.from({ length: count })
    await inParallel(shoppers, wanted, async () => {
      const email = `${randomUUID()}@shopper.test`
      // Not all from one shelf: core locks an article while it reserves it, and gives up after five seconds.
      const variantId = shop.variantIds[made++ % shop.variantIds.length] ?? ""
      const { id } = await shopper.newCart({ email, variantId })
      carts.push({ id, collectionId: await shopper.collection(id) })
    })
    return carts.splice(0)
  }
  const ready = await prepare(each * shoppers)
  // Work that follows the last order of the previous round is not counted in this one.
  await whenDone(database)

  const waitsMs: number[] = []
  await simulator.forgetRequests()
  await database.statements.forget()
  const began = performance.now()
  await inParallel(shoppers, ready, async (cart) => {
    const asked = performance.now()
    await pay(cart)
    waitsMs.push(performance.now() - asked)
  })
  const perSecond = perSecondSince(began, waitsMs.length)
  await whenDone(database)
  const capturedPerSecond = perSecondSince(began, waitsMs.length)
  const { all } = await database.statements.read()
  return {
    perSecond,
    capturedPerSecond,
    waitsMs,
    statements: all,
    reads: (await simulator.requests("get")).length,
  }
}

/** As the README tells a storefront to do it. */
function payAtService({ simulator }: Stand, shopper: Shopper): Pay {
  return async ({ id, collectionId }) => {
    const { sessionId, data } = await shopper.openIn(collectionId, id, "sbp")
    await simulator.pay(data.transaction_id)
    const giveUpAt = Date.now() + LONGEST_WAIT_MS
    for (;;) {
      const answer = await shopper.poll(sessionId)
      const { session } = answer.data as { session?: { order_id: string | null } }
      // Also where it says that the shop has to look: an order that core could not place is tried again.
      if (session?.order_id) return
      if (Date.now() > giveUpAt) {
        throw new Error(`A paid cart has no order: ${answer.status} ${JSON.stringify(answer.data)}`)
      }
      await sleep(POLL_EVERY_MS)
    }
  }
}

/** Core's provider for what is paid by other means: it answers that all is well. */
function payByHand(shopper: Shopper, capture?: (orderId: string) => Promise<void>): Pay {
  return async ({ id, collectionId }) => {
    const session = await shopper.raw(
      "post",
      `/store/payment-collections/${collectionId}/payment-sessions`,
      { provider_id: "pp_system_default" }
    )
    if (session.status !== 200) throw new Error(`No session: ${JSON.stringify(session.data)}`)
    const giveUpAt = Date.now() + LONGEST_WAIT_MS
    for (;;) {
      const completed = await shopper.complete(id)
      const { order } = completed.data as { order?: { id: string } }
      if (order) return await capture?.(order.id)
      if (Date.now() > giveUpAt) {
        throw new Error(`A cart has no order: ${JSON.stringify(completed.data)}`)
      }
      // Core could not reserve the article in time: the shopper tries again.
      await sleep(POLL_EVERY_MS)
    }
  }
}

async function inParallel<T>(
  workers: number,
  items: readonly T[],
  work: (item: T) => Promise<void>
): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    while (waiting.length > 0) await work(...(waiting.splice(0, 1) as [T]))
  }
  await Promise.all(Array.from({ length: workers }, worker))
}

const perSecondSince = (began: number, count: number): number =>
  (count * 1000) / (performance.now() - began)
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
