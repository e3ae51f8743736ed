import { Modules } from "@medusajs/framework/utils"

import { type Passes, takeOverPasses } from "../passes"
import { expectPaidOrder, type OpenPayment, ordersOf, payUntilSettled, Shopper } from "../shopper"
import { type TestStore } from "../store"

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** In full with `npm run test:deep`. */
const CHECKOUTS = process.env.DEEP === "1" ? 500 : 10
/** Of each kind; more than 20 requests together, all of which one process answers. */
const AT_A_TIME = 8
const SECONDS_BETWEEN_PASSES = 2

export function anHourOfOutage(store: TestStore): void {
  it(
    `during ${CHECKOUTS} checkouts: says so at once, loses nothing, settles all when it is back`,
    async () => {
      const passes = await takeOverPasses(store)
      try {
        const shopper = new Shopper(store)
        const fifth = CHECKOUTS / 5
        /** The longest wait for a request of the shopper's, as busy as the machine is. */
        let usual = 0
        const open = async (_: unknown, number: number) => {
          const { id } = await carts(number)
          const asked = performance.now()
          const opened = await shopper.open(id, number % 2 ? "sbp" : "crypto")
          usual = Math.max(usual, performance.now() - asked)
          return opened
        }
        // Core cannot make one guest for several carts at once.
        const carts = async (number: number) =>
          await shopper.cart({
            variantId: store.shop.variantIds[number % 2] ?? "",
            email: `guest.${number}@shopper.test`,
          })

        // Paid while the service was up, but it went down before it could tell.
        const unheard = await atATime(range(0, 2 * fifth), open)
        for (const { data } of unheard) {
          await store.simulator.pay(data.transaction_id, { callback: false })
        }
        // Their payers are still at their bank, and pay in the middle of it.
        const paying = await atATime(range(2 * fifth, 3 * fifth), open)
        const waiting = await atATime(range(3 * fifth, CHECKOUTS), async (_, number) => {
          const cart = await carts(number)
          return { cartId: cart.id, collectionId: await shopper.collection(cart.id), number }
        })

        goDown(store)
        const began = store.simulator.now()
        const waits: number[] = []
        const timed = async <T>(request: Promise<T>): Promise<T> => {
          const asked = performance.now()
          const answer = await request
          waits.push(performance.now() - asked)
          return answer
        }
        await Promise.all([
          atATime(waiting, async ({ collectionId, number }) => {
            const told = await timed(shopper.choose(collectionId, number % 2 ? "sbp" : "crypto"))
            expect(told).toMatchObject({
              status: 500,
              data: { message: expect.stringMatching(/does not answer at the moment/) },
            })
          }),
          atATime(unheard.slice(0, 5), async ({ cartId, sessionId }) => {
            expect((await timed(shopper.complete(cartId))).status).toBe(500)
            expect((await timed(shopper.comeBack(sessionId))).location).toContain("/wait?")
            expect((await timed(shopper.poll(sessionId))).data).toMatchObject({
              session: { state: "pending" },
            })
          }),
          atATime(paying, async ({ data }) => {
            const answers = timed(store.simulator.pay(data.transaction_id))
            await answers
          }),
        ])
        // Each creation is one call, which lasts seven seconds at most; two of them would last fourteen.
        const creations = store.simulator.requests().filter(({ on }) => on === "create")
        expect(creations).toHaveLength(waiting.length)
        expect(Math.max(...waits)).toBeLessThan(11 * SECOND + 3 * usual)

        while (store.simulator.now() - began < HOUR) {
          await passes.watch()
          passes.advance(3 * MINUTE)
        }
        const paid = [...unheard, ...paying]
        await expectNothingBelieved(store, paid)
        expect((await openProblems(store)).has("service_unreachable")).toBe(true)

        store.simulator.clearFaults()
        store.simulator.clearRequests()
        await recover(store, passes, paid)
        // Those who were told to try again do so, and are not asked to pay twice for anything.
        const again = await atATime(waiting, async ({ cartId, number }) => {
          const payment = await shopper.open(cartId, number % 2 ? "sbp" : "crypto")
          await payUntilSettled(store, payment)
          return payment
        })
        await atATime(
          [...paid, ...again],
          async ({ cartId }) => await expectPaidOrder(store, cartId)
        )
        await passes.watch()
        expect(await openProblems(store)).toEqual(new Set())
      } finally {
        passes.release()
      }
    },
    process.env.DEEP === "1" ? 1_800_000 : undefined
  )
}

/** First it hangs for some and breaks off, then a proxy says that it is down. */
function goDown({ simulator }: TestStore): void {
  simulator.clearRequests()
  simulator.fault({ on: "create", kind: "hang", times: 3 })
  simulator.fault({ on: "create", kind: "drop_before", times: 5 })
  simulator.fault({ on: "get", kind: "drop_before", times: 5 })
  const down = { kind: "status", status: 503, retryAfterSeconds: 60 } as const
  simulator.fault({ on: "any", ...down, times: Infinity })
}

async function expectNothingBelieved(store: TestStore, paid: OpenPayment[]): Promise<void> {
  const sessions = await store.container
    .resolve(Modules.PAYMENT)
    .listPaymentSessions({ id: paid.map(({ sessionId }) => sessionId) }, { take: null })
  expect(new Set(sessions.map(({ status }) => status))).toEqual(new Set(["pending"]))
  expect(sessions).toHaveLength(paid.length)
  for (const { cartId } of paid) expect(await ordersOf(store, cartId)).toEqual([])
  const rows = await store.module.listTransactions(
    { session_id: paid.map(({ sessionId }) => sessionId), watch_at: { $ne: null } },
    { take: null }
  )
  expect(rows).toHaveLength(paid.length)
}

/** Pass after pass until all is settled, none of them beyond what the watcher may read. */
async function recover(
  store: TestStore,
  { watch, advance }: Passes,
  paid: OpenPayment[]
): Promise<void> {
  const { readsPerSecond } = (await store.module.accounts()).store.watcher
  const began = store.simulator.now()
  const inASession = { session_id: paid.map(({ sessionId }) => sessionId) }
  for (;;) {
    const before = store.simulator.requests({ on: "get" }).length
    const asked = performance.now()
    await watch()
    const seconds = (performance.now() - asked) / SECOND
    const read = store.simulator.requests({ on: "get" }).slice(before)
    const looked = new Set(read.map(({ path }) => path)).size
    expect(looked).toBeLessThanOrEqual(readsPerSecond * seconds)
    const [, open] = await store.module.listAndCountTransactions({
      ...inASession,
      settled_at: null,
    })
    if (open === 0) break
    // All were due at the next look after their hour; none may wait for long.
    expect(store.simulator.now() - began).toBeLessThan(HOUR)
    advance(SECONDS_BETWEEN_PASSES * SECOND + (looked ? 0 : 30 * SECOND))
  }
  // One look at each, and one more when core places its order.
  const reads = store.simulator.requests({ on: "get" }).length
  expect(reads).toBeLessThanOrEqual(3 * paid.length)
}

async function openProblems(store: TestStore): Promise<Set<string>> {
  const problems = await store.module.listProblems({ closed_at: null }, { take: null })
  return new Set(problems.map(({ kind }) => kind))
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

/** A number of shoppers at the same time, never more. */
async function atATime<Item, Result>(
  items: Item[],
  work: (item: Item, number: number) => Promise<Result>
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.map((item, index) => ({ item, index }))
  const shop = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const number = typeof next.item === "number" ? next.item : next.index
      results[next.index] = await work(next.item, number)
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, shop))
  return results
}
