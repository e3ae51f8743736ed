import { logIn } from "../integration/admin"
import { eventually } from "../integration/eventually"
import type { OpenPayment } from "../integration/shopper"
import type { LabelledPoint, StoreInstance } from "./store-instance"
import { describeStores, expectSettled, letTimePass } from "./stores"

/** Longer than any lease of ours, any lock of core's, and any completion. */
const A_WHILE = 190_000
/** Longer than any payment can be made. */
const TIME_TO_PAY = 20 * 60_000
const NAME = "the store"

/** Everything that happens between the callback and the order. */
const AFTER_A_CALLBACK: LabelledPoint[] = [
  "callback:kept",
  "callback:answered",
  "read:answered",
  "read:recorded",
  "apply:decided",
  "core:order made",
  "core:order linked",
  // Core asks us to authorize in the middle of completing the cart.
  "authorize:judged",
  "core:payment stored",
  "core:not told yet",
  "apply:order placed",
  "apply:done",
  "apply:recorded",
]
/** The shopper's own: we ask first, then core makes the order, and in the end asks us. */
const COMPLETING: LabelledPoint[] = [
  "read:answered",
  "core:order made",
  "core:order linked",
  "authorize:judged",
  "core:payment stored",
]
const DURING_CREATION: LabelledPoint[] = ["creation:written", "creation:answered"]

// The locks of a killed process stay in Postgres, and have to end there, too.
describeStores(
  "a store killed between two writes",
  { environment: { LOCKING: "postgres" } },
  (stores, test) => {
    /** The orders that a person is told of, because they may lack reserved stock. */
    const toldOrders = async () => {
      const { rows } = await stores.database.query<{ order_id: string }>(
        `select order_id from payment_service_problem
         where kind = 'order_half_made' and (facts ->> 'isLinked')::boolean`
      )
      return rows.map(({ order_id }) => order_id)
    }

    /** Nor anything reserved for one. */
    const expectNoOrderBut = async (of: OpenPayment[], others: number) => {
      const { rows: orders } = await stores.database.query<{
        cart_id: string | null
        id: string
        is_reserved: boolean
      }>(
        `select cart_id, "order".id, exists (
           select from order_item join reservation_item on line_item_id = item_id
           where order_item.order_id = "order".id and reservation_item.deleted_at is null) as is_reserved
         from "order" left join order_cart on order_id = "order".id
         where "order".deleted_at is null and "order".canceled_at is null`
      )
      expect(orders).toHaveLength(of.length + others)
      const carts = new Set(orders.map(({ cart_id }) => cart_id))
      expect(of.filter(({ cartId }) => !carts.has(cartId))).toEqual([])
      const told = await toldOrders()
      expect(orders.filter(({ id, is_reserved }) => !is_reserved && !told.includes(id))).toEqual([])
      const { rows: reserved } = await stores.database.query(
        "select id from reservation_item where deleted_at is null"
      )
      expect(reserved).toHaveLength(orders.filter(({ is_reserved }) => is_reserved).length)
    }

    /** A person cancels every order that a killed process made and linked to no cart, until all of these are paid. */
    const cancelWhatIsLeft = async (store: StoreInstance, paid: OpenPayment[]) => {
      const admin = await logIn({ http: stores.http(store) })
      const sessions = paid.map(({ sessionId }) => sessionId)
      const canceled = new Set<string>()
      await eventually("everything that was paid is settled", async () => {
        const { rows: left } = await stores.database.query<{ order_id: string }>(
          `select order_id from payment_service_problem where kind = 'order_half_made'
           and not (facts ->> 'isLinked')::boolean and closed_at is null`
        )
        for (const { order_id } of left.filter((one) => !canceled.has(one.order_id))) {
          expect((await admin.post(`/admin/orders/${order_id}/cancel`)).status).toBe(200)
          canceled.add(order_id)
        }
        const { rows: waiting } = await stores.database.query(
          `select id from payment_service_transaction
           where session_id = any($1) and settled_at is null`,
          [sessions]
        )
        return waiting.length === 0
      })
      return canceled.size
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

    const expectProblemOfOrder = (cartId: string) =>
      eventually("somebody is asked about the order that was left", async () => {
        const { rows } = await stores.database.query(
          `select problem.id from payment_service_problem problem
           join order_cart on order_cart.order_id = problem.order_id
           where order_cart.cart_id = $1 and kind = 'order_unpaid' and closed_at is null`,
          [cartId]
        )
        return rows.length === 1
      })

    /** Opened by a shopper who tries again, then paid. */
    const expectSecondTry = async (store: StoreInstance, cartId: string, collection: string) => {
      const payment = await stores.shopperAt(store).openIn(collection, cartId)
      await stores.simulator.pay(payment.data.transaction_id)
      await expectSettled(store, payment)
    }

    // One death at many points at once: each purchase waits at its point when the process is killed.
    test("comes to the same end, wherever its purchases were, and killed again while it goes on (promise 11, and promise 28 for its locks)", async () => {
      // Without the jobs of a worker, which would take up what waits here.
      const store = await stores.start(NAME, { MEDUSA_WORKER_MODE: "server" })
      const shopper = stores.shopperAt(store)
      const parked: string[] = []
      store.onArrival = ({ point, actor }) => parked.push(`${point} ${actor}`)

      const paidCart = async () => {
        const payment = await shopper.checkout()
        await stores.simulator.pay(payment.data.transaction_id, { callback: false })
        return payment
      }
      const unpaid: OpenPayment[] = []
      const left: OpenPayment[] = []
      const paid: OpenPayment[] = []
      const opened: [string, string][] = []
      const purchases = [
        ...AFTER_A_CALLBACK.map((point) => async () => {
          const payment = await paidCart()
          const { transaction_id } = payment.data
          await store.parkAt(point, transaction_id)
          // The address says whose callback it is; the store looks at the body only.
          stores
            .http(store)
            .post(`${stores.callbackUrl(store)}?${transaction_id}`, { id: transaction_id })
            .catch(() => undefined)
          paid.push(payment)
        }),
        ...COMPLETING.map((point) => async () => {
          const payment = await paidCart()
          await store.parkAt(point, payment.cartId)
          shopper.complete(payment.cartId).catch(() => undefined)
          paid.push(payment)
        }),
        async () => {
          const payment = await shopper.checkout()
          await store.parkAt("read:answered", payment.cartId)
          shopper.complete(payment.cartId).catch(() => undefined)
          unpaid.push(payment)
        },
        async () => {
          const payment = await shopper.checkout()
          await store.parkAt("read:answered", payment.cartId)
          // The shop's own code completes it, without asking us first.
          store.ask("complete", payment.cartId).catch(() => undefined)
          left.push(payment)
        },
        ...DURING_CREATION.map((point) => async () => {
          const { id } = await shopper.cart()
          const collection = await shopper.collection(id)
          await store.parkAt(point, collection)
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
      // Another one may just have been there when the process was killed again.
      const canceled = await cancelWhatIsLeft(again, paid)
      expect(canceled).toBeGreaterThanOrEqual(2)
      for (const payment of paid) await expectSettled(again, payment)
      await expectTold(paid, [store, killedAgain, again])
      stores.simulator.setCallbackUrl(stores.callbackUrl(again))
      for (const [cartId, collection] of opened) await expectSecondTry(again, cartId, collection)
      await expectNoOrderBut([...paid, ...left], opened.length)
      for (const { cartId } of unpaid) {
        expect((await stores.shopperAt(again).complete(cartId)).status).toBe(400)
      }

      // The service's answers say that no time is left, and PENDING.
      stores.simulator.configure({ autoExpire: false })
      stores.simulator.advance(TIME_TO_PAY)
      await letTimePass(stores.database, TIME_TO_PAY)
      for (const { cartId } of left) await expectProblemOfOrder(cartId)
    })
  }
)
