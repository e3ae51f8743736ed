import { logIn } from "../integration/admin"
import { eventually } from "../integration/eventually"
import type { OpenPayment } from "../integration/shopper"
import type { LabelledPoint, StoreInstance } from "./store-instance"
import { describeStores, expectSettled, letTimePass, newEmail } from "./stores"

/** Longer than any lease of ours and any lock of core's. */
const A_WHILE = 130_000
/** Longer than any payment can be made. */
const TIME_TO_PAY = 20 * 60_000
const NAME = "the store"

/** Everything that happens between the callback and the order, each at its first arrival or a later one. */
const AFTER_A_CALLBACK: [LabelledPoint, number][] = [
  ["callback:kept", 1],
  ["callback:answered", 1],
  ["read:answered", 1],
  ["read:recorded", 1],
  ["apply:decided", 1],
  ["core:order made", 1],
  ["core:order linked", 1],
  // Core asks us to authorize in the middle of completing the cart.
  ["authorize:judged", 1],
  ["core:payment stored", 1],
  ["core:not told yet", 1],
  ["apply:order placed", 1],
  ["apply:done", 1],
  ["apply:recorded", 1],
  ["callback:settled", 1],
]
/** The shopper's own: we ask first, then core makes the order, and in the end asks us. */
const COMPLETING: [LabelledPoint, number][] = [
  ["read:answered", 1],
  ["core:order made", 1],
  ["core:order linked", 1],
  ["authorize:judged", 1],
  ["core:payment stored", 1],
]
/** The order is linked to its cart only after the first of these, and is whole after the others. */
const UNLINKED: LabelledPoint = "core:order made"
const HALF_MADE: LabelledPoint[] = ["core:order linked", "authorize:judged"]
const DURING_CREATION: LabelledPoint[] = ["creation:written", "creation:answered"]

describeStores(
  "a store killed between two writes",
  { environment: { LOCKING: "postgres" } },
  (stores, test) => {
    /** Nor anything reserved for one. */
    const expectNoOrderBut = async (of: OpenPayment[], others: number) => {
      const { rows: orders } = await stores.database.query<{ cart_id: string | null }>(
        `select cart_id from "order" left join order_cart on order_id = "order".id
         where "order".deleted_at is null and canceled_at is null`
      )
      expect(orders).toHaveLength(of.length + others)
      const carts = new Set(orders.map(({ cart_id }) => cart_id))
      expect(of.filter(({ cartId }) => !carts.has(cartId))).toEqual([])
      const { rows: reserved } = await stores.database.query(
        "select id from reservation_item where deleted_at is null"
      )
      expect(reserved).toHaveLength(orders.length)
    }

    /** The shop was told of each order by one of the processes. */
    const expectTold = async (of: OpenPayment[], instances: StoreInstance[]) => {
      for (const { cartId } of of) {
        await eventually(`the shop is told of the order of ${cartId}`, async () => {
          const { rows } = await stores.database.query<{ order_id: string }>(
            "select order_id from order_cart where cart_id = $1 and deleted_at is null",
            [cartId]
          )
          return instances.some(({ told }) => rows.some(({ order_id }) => told.includes(order_id)))
        })
      }
    }

    /** The problem of the order that a completion of this cart left. */
    const expectProblem = (cartId: string, kind: "order_unpaid" | "order_half_made") =>
      eventually(`somebody is asked: ${kind}`, async () => {
        const { rows } = await stores.database.query<Problem>(
          `select problem.id, problem.order_id, problem.cart_id, problem.facts from payment_service_problem problem
           left join order_cart on order_cart.order_id = problem.order_id
           where coalesce(order_cart.cart_id, problem.cart_id) = $1 and kind = $2 and closed_at is null`,
          [cartId, kind]
        )
        return rows.length === 1 ? rows[0] : null
      })

    /**
     * A person cancels each order that is left without its cart, and says so, until all payments are settled.
     *
     * @returns the carts of those orders
     */
    const settledWithHelp = async (store: StoreInstance, paid: OpenPayment[]) => {
      const admin = await logIn({ http: stores.http(store) })
      const carts: string[] = []
      await eventually("they are settled", async () => {
        const { rows } = await stores.database.query<Problem>(
          `select id, order_id, cart_id, facts from payment_service_problem
           where kind = 'order_half_made' and facts ->> 'linked' = 'false' and closed_at is null`
        )
        for (const { id, order_id, cart_id } of rows) {
          expect((await admin.post(`/admin/orders/${order_id}/cancel`)).status).toBe(200)
          const handle = `/admin/payment-service/problems/${id}/handle`
          expect((await admin.post(handle, { note: "Canceled" })).status).toBe(200)
          carts.push(cart_id)
        }
        const { rows: left } = await stores.database.query(
          "select id from payment_service_transaction where session_id = any($1) and settled_at is null",
          [paid.map(({ sessionId }) => sessionId)]
        )
        return left.length === 0
      })
      for (const payment of paid) await expectSettled(store, payment)
      return carts
    }

    /** Opened by a shopper who tries again, then paid. */
    const expectSecondTry = async (store: StoreInstance, cartId: string, collection: string) => {
      const payment = await stores.shopperAt(store).openIn(collection, cartId)
      await stores.simulator.pay(payment.data.transaction_id)
      await expectSettled(store, payment)
    }

    // One death at many points at once: each purchase waits at its point when the process is killed.
    test("comes to the same end, wherever its purchases were, and killed again while it goes on", async () => {
      // Without the jobs of a worker, which would take up what waits here.
      const store = await stores.start(NAME, { MEDUSA_WORKER_MODE: "server" })
      const shopper = stores.shopperAt(store)
      const parked: string[] = []
      store.onArrival = ({ point, actor }) => parked.push(`${point} ${actor}`)

      const checkout = () => shopper.checkout("sbp", { email: newEmail() })
      const pay = async (point: LabelledPoint) => {
        const payment = await checkout()
        await stores.simulator.pay(payment.data.transaction_id, { callback: false })
        paid.push(payment)
        if (point === UNLINKED) unlinked.push(payment)
        if (HALF_MADE.includes(point)) halfMade.push(payment)
        return payment
      }
      const unpaid: OpenPayment[] = []
      const left: OpenPayment[] = []
      const paid: OpenPayment[] = []
      const unlinked: OpenPayment[] = []
      const halfMade: OpenPayment[] = []
      const opened: [string, string][] = []
      const purchases = [
        ...AFTER_A_CALLBACK.map(([point, arrival]) => async () => {
          const payment = await pay(point)
          const { transaction_id } = payment.data
          await store.parkAt(point, arrival, transaction_id)
          // The address says whose callback it is; the store looks at the body only.
          stores
            .http(store)
            .post(`${stores.callbackUrl(store)}?${transaction_id}`, { id: transaction_id })
            .catch(() => undefined)
        }),
        ...COMPLETING.map(([point, arrival]) => async () => {
          const payment = await pay(point)
          await store.parkAt(point, arrival, payment.cartId)
          shopper.complete(payment.cartId).catch(() => undefined)
        }),
        async () => {
          const payment = await checkout()
          await store.parkAt("read:answered", 1, payment.cartId)
          shopper.complete(payment.cartId).catch(() => undefined)
          unpaid.push(payment)
        },
        async () => {
          const payment = await checkout()
          await store.parkAt("read:answered", 1, payment.cartId)
          // The shop's own code completes it, without asking us first.
          store.ask("complete", payment.cartId).catch(() => undefined)
          left.push(payment)
        },
        ...DURING_CREATION.map((point) => async () => {
          const { id } = await shopper.cart({ email: newEmail() })
          const collection = await shopper.collection(id)
          await store.parkAt(point, 1, collection)
          shopper.choose(collection, "sbp").catch(() => undefined)
          opened.push([id, collection])
        }),
      ]
      const expected = purchases.length
      // A few at a time: core needs several of a process's ten connections for one request.
      const shop = async () => {
        for (let next = purchases.shift(); next; next = purchases.shift()) await next()
      }
      await Promise.all([shop(), shop(), shop()])
      await eventually("everybody waits", async () => parked.length === expected)
      await store.kill()

      await letTimePass(stores.database, A_WHILE)
      // Dies again as soon as one of them is ordered.
      const killedAgain = await stores.start(NAME, { KILL_AT: "apply:order placed" })
      await killedAgain.ended

      await letTimePass(stores.database, A_WHILE)
      const again = await stores.start(NAME)
      const asked = await settledWithHelp(again, paid)
      // Others may have been at that point when it was killed again.
      expect(asked).toEqual(expect.arrayContaining(unlinked.map(({ cartId }) => cartId)))
      for (const { cartId } of halfMade) {
        expect(await expectProblem(cartId, "order_half_made")).toMatchObject({
          facts: { linked: true },
        })
      }
      await expectTold(paid, [store, killedAgain, again])
      stores.simulator.setCallbackUrl(stores.callbackUrl(again))
      for (const [cartId, collection] of opened) await expectSecondTry(again, cartId, collection)
      await expectNoOrderBut([...paid, ...left], opened.length)
      for (const { cartId } of unpaid) {
        expect((await stores.shopperAt(again).complete(cartId)).status).toBe(400)
      }

      await letTimePass(stores.database, TIME_TO_PAY)
      for (const { cartId } of left) await expectProblem(cartId, "order_unpaid")
    })

    if (!process.env.DEEP) return

    for (const [point, arrival] of AFTER_A_CALLBACK) {
      test(`settles a callback after it died at "${point}", arrival ${arrival}`, async () => {
        const store = await stores.start(NAME)
        stores.simulator.setCallbackUrl(stores.callbackUrl(store))
        const payment = await stores.shopperAt(store).checkout()
        await store.killAt(point, arrival)
        void stores.simulator.pay(payment.data.transaction_id)
        await store.ended

        await letTimePass(stores.database, A_WHILE)
        const again = await stores.start(NAME)
        const asked = await settledWithHelp(again, [payment])
        expect(asked).toEqual(point === UNLINKED ? [payment.cartId] : [])
      })
    }

    for (const point of DURING_CREATION) {
      test(`opens a payment for a shopper who tries again after it died at "${point}"`, async () => {
        const store = await stores.start(NAME)
        const shopper = stores.shopperAt(store)
        const { id } = await shopper.cart()
        const collection = await shopper.collection(id)
        await store.killAt(point)
        await Promise.allSettled([shopper.choose(collection, "sbp"), store.ended])

        await letTimePass(stores.database, A_WHILE)
        const again = await stores.start(NAME)
        stores.simulator.setCallbackUrl(stores.callbackUrl(again))
        await expectSecondTry(again, id, collection)
      })
    }
  }
)

interface Problem {
  id: string
  order_id: string
  cart_id: string
  facts: object
}
