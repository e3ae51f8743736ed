import type { AxiosResponse } from "axios"

import { type Actor, interleave, seededRandom } from "./interleave"
import type { StoreInstance } from "./store-instance"
import { describeStores, expectSettled, letTimePass, type Stores } from "./stores"

/** All of them in the deep run, a sample otherwise, or the one that is to be looked at again. */
const ALL = 200
const SAMPLE = 4
const { SEED, DEEP } = process.env
const seeds = SEED ? [Number(SEED)] : Array.from({ length: DEEP ? ALL : SAMPLE }, (_, at) => at + 1)

describeStores(
  "everybody settles one payment at once, on two instances",
  { environment: { LOCKING: "postgres" } },
  (stores, test) => {
    for (const seed of seeds) {
      test(`places one order, captured once, in the order of SEED=${seed} (promise 2)`, async () => {
        const [one, two] = await Promise.all([
          // Without jobs of their own: the watcher acts when the seed lets it.
          stores.start("one", { MEDUSA_WORKER_MODE: "server" }),
          stores.start("two", { MEDUSA_WORKER_MODE: "server" }),
        ])
        const random = seededRandom(seed)
        const payment = await stores.shopperAt(one).checkout()
        await stores.simulator.pay(payment.data.transaction_id, { callback: false })
        // Rows that are due in a few seconds become due now.
        await letTimePass(stores.database, 10_000)
        const anywhere = () => (random() < 0.5 ? one : two)
        const order = await interleave(everybody(stores, payment, anywhere), random)
        try {
          await expectSettled(one, payment)
        } catch (error) {
          throw new Error(`SEED=${seed}: ${order.join(", ")}`, { cause: error })
        }
      })
    }
  }
)

function everybody(
  stores: Stores,
  {
    cartId,
    sessionId,
    data,
  }: { cartId: string; sessionId: string; data: { transaction_id: string } },
  anywhere: () => StoreInstance
): Actor[] {
  const actor = (
    name: string,
    address: string,
    act: (instance: StoreInstance) => Promise<unknown>
  ): Actor => {
    const instance = anywhere()
    return { name, address, instance, act: () => act(instance) }
  }
  const answered = async (request: Promise<Pick<AxiosResponse, "status">>) => {
    // A 4xx is an answer: the cart is being completed, or is completed, by somebody else.
    expect((await request).status).toBeLessThan(500)
  }
  return [
    actor("callback", "/hooks/", (instance) =>
      answered(
        stores.http(instance).post(stores.callbackUrl(instance), { id: data.transaction_id })
      )
    ),
    actor("poll", "/sessions/", (instance) => answered(stores.shopperAt(instance).poll(sessionId))),
    actor("return", "/return/", (instance) =>
      answered(stores.shopperAt(instance).comeBack(sessionId))
    ),
    actor("complete", "/complete", (instance) =>
      answered(stores.shopperAt(instance).complete(cartId))
    ),
    actor("watch", "watch", (instance) => instance.ask("watch")),
  ]
}
