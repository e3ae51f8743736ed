import { setTimeout as sleep } from "node:timers/promises"

import type { OpenPayment } from "../integration/shopper"
import { logIn } from "../integration/admin"
import { eventually } from "../integration/eventually"
import { editOrder } from "../integration/order-edits"
import type { Arrival, StoreInstance } from "./store-instance"
import {
  describeStores,
  expectSettled,
  rowOf,
  type Stores,
  warningsOfMemoryLocking,
} from "./stores"

/** Longer than anybody who is let in needs to get there. */
const LONG_ENOUGH_MS = 1_500

/** The sum that an order edit adds. */
const OTHER_ITEM = "490.50"

interface OrderWithPayments {
  total: number
  payment_collections: { id: string; status: string }[]
}

type Running = { one: StoreInstance; two: StoreInstance }

describeStores(
  "two servers and a worker with Redis",
  { needsRedis: true },
  testTogether(async (stores) => {
    const [one, two] = await Promise.all([
      stores.start("server one", { MEDUSA_WORKER_MODE: "server" }),
      stores.start("server two", { MEDUSA_WORKER_MODE: "server" }),
      stores.start("worker", { MEDUSA_WORKER_MODE: "worker" }),
    ])
    return { one, two }
  })
)

// With `npm run test:deep`; kills and interleavings always run with these locks.
if (process.env.DEEP) {
  describeStores(
    "two instances that lock in Postgres, without Redis",
    { environment: { LOCKING: "postgres" } },
    testTogether(async (stores) => {
      const [one, two] = await Promise.all([stores.start("one"), stores.start("two")])
      return { one, two }
    })
  )
}

/** Must hold however the instances share their work. */
function testTogether(
  start: (stores: Stores) => Promise<Running>
): Parameters<typeof describeStores>[2] {
  return (stores, test) => {
    const paidAt = async (instance: StoreInstance): Promise<OpenPayment> => {
      const shopper = stores.shopperAt(instance)
      const payment = await shopper.checkout()
      await stores.simulator.pay(payment.data.transaction_id, { callback: false })
      return payment
    }
    const callBack = async (instance: StoreInstance, { data }: OpenPayment) => {
      const url = `${stores.callbackUrl(instance)}?${data.transaction_id}`
      const { status } = await stores.http(instance).post(url, { id: data.transaction_id })
      expect(status).toBe(200)
      return { status }
    }

    test("places one order for each purchase, whoever settles it first (promise 2)", async () => {
      const { one, two } = await start(stores)
      const purchases = await Promise.all([one, two, one].map(paidAt))
      const answers = await Promise.all(
        purchases.flatMap((payment) =>
          [one, two].flatMap((instance) => {
            const shopper = stores.shopperAt(instance)
            return [
              callBack(instance, payment),
              callBack(instance, payment),
              shopper.poll(payment.sessionId),
              shopper.comeBack(payment.sessionId),
              shopper.complete(payment.cartId),
            ]
          })
        )
      )
      for (const { status } of answers) expect(status).toBeLessThan(500)
      for (const payment of purchases) await expectSettled(two, payment)
      expect(warningsOfMemoryLocking(one)).toEqual([])
    })

    test("places the order when every callback is lost, nobody polls and nobody comes back (promise 3)", async () => {
      const { one, two } = await start(stores)
      await expectSettled(one, await paidAt(two))
    })

    test("takes one of two payments of an order that two instances settle at once (promise 2)", async () => {
      const { one, two } = await start(stores)
      const first = await paidAt(one)
      await expectSettled(one, first)
      const { order_id: orderId } = (await rowOf(one, first.sessionId)) ?? {}
      const admin = await logIn({ http: stores.http(one) })
      await editOrder(stores, admin, orderId ?? "", { add: 1 })
      const collections = "fields=total,payment_collections.id,payment_collections.status"
      const edited = await admin.get(`/admin/orders/${orderId ?? ""}?${collections}`)
      const { payment_collections: ofOrder } = edited.data.order as OrderWithPayments
      const ofEdit = ofOrder.find(({ status }) => status === "not_paid")
      const another = await admin.post("/admin/payment-collections", {
        order_id: orderId,
        amount: Number(OTHER_ITEM),
      })
      const { id: ofLink } = another.data.payment_collection as { id: string }
      const links = [
        await stores.shopperAt(one).openIn(ofEdit?.id ?? "", ""),
        await stores.shopperAt(two).openIn(ofLink, ""),
      ] as const
      for (const { data } of links) {
        await stores.simulator.pay(data.transaction_id, { callback: false })
      }
      await Promise.all([callBack(one, links[0]), callBack(two, links[1])])
      const outcomes = await eventually("both are settled or told of", async () => {
        const rows = await Promise.all(links.map(({ sessionId }) => rowOf(one, sessionId)))
        const ended = rows.filter((row) => row?.settled_at ?? row?.exception)
        return ended.length === 2 && rows.map((row) => row?.exception ?? null)
      })
      expect([...outcomes].sort()).toEqual([null, "paid_twice"])
      const { rows } = await stores.database.query<{ captured: string }>(
        `select sum(capture.amount) as captured from capture
         join payment on payment.id = capture.payment_id
         join order_payment_collection link on link.payment_collection_id = payment.payment_collection_id
         where link.order_id = $1`,
        [orderId]
      )
      const { data } = await admin.get(`/admin/orders/${orderId ?? ""}?${collections}`)
      expect(Number(rows[0]?.captured)).toBe((data.order as OrderWithPayments).total)
    })

    test("lets nobody else apply what is being applied on another instance (promise 2)", async () => {
      const { one, two } = await start(stores)
      const payment = await paidAt(one)
      await one.parkAt("apply:decided", payment.data.transaction_id)
      const parked = new Promise<Arrival>((resolve) => (one.onArrival = resolve))
      await callBack(one, payment)
      const { release } = await parked
      const arrived: Arrival[] = []
      two.onArrival = (arrival) => arrived.push(arrival)
      await two.parkAt("apply:decided", payment.sessionId)
      const coming = stores.shopperAt(two).comeBack(payment.sessionId)
      await sleep(LONG_ENOUGH_MS)
      release()
      expect((await coming).location).toContain("/done?")
      expect(arrived).toEqual([])
      await expectSettled(two, payment)
    })
  }
}
