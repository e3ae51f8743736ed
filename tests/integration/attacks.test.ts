import { setTimeout as sleep } from "node:timers/promises"

import type { ICartModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { settlePortsOf } from "../../src/payments/core"
import { Queue } from "../../src/payments/queue"
import { reportMissed } from "../../src/payments/report"
import { adminOf } from "./admin"
import { atLabelledPoints } from "./at-labelled-points"
import { callbacksUnderAttack } from "./attacks/callbacks"
import { coreFailsAtTheEnd } from "./core-fails-at-the-end"
import { type Passes, takeOverPasses } from "./passes"
import { act, openProblem } from "./problems-of"
import { PATIENCE_MS } from "../patience"
import { proofs } from "./proofs"
import { type OpenPayment, ordersOf, Shopper } from "./shopper"
import { settleDue } from "./settle-due"
import { describeStore, eventually, settledRow } from "./store"
import { tryUntilAPersonIsAsked } from "./try-until-a-person-is-asked"

const SECOND = 1_000
const MINUTE = 60 * SECOND

describeStore("money and callbacks under attack", {}, (store) => {
  const admin = adminOf(store)
  const shopper = new Shopper(store)
  let passes: Passes | undefined
  let letGo = () => {}
  beforeEach(() => {
    // The simulator keeps its transactions from test to test; nobody asks for what is this old.
    for (const { id } of store.simulator.transactions()) {
      store.simulator.edit(id, { createdAt: 0 })
    }
  })
  afterEach(() => {
    letGo()
    letGo = () => {}
    passes?.release()
    passes = undefined
  })

  it("a person is told of a paid payment whose settle never ends", async () => {
    passes = await takeOverPasses(store)
    const payment = await shopper.checkout("sbp")
    const { transaction_id: id } = payment.data
    let goOn = () => {}
    const may = new Promise<void>((resolve) => (goOn = resolve))
    letGo = atLabelledPoints(async (point) => {
      if (point === "apply:decided") await may
    })
    await store.simulator.pay(id, { callback: false })
    const { longestChangeMs } = Queue
    Queue.longestChangeMs = 1_000
    try {
      for (let round = 0; round < 12; round++) {
        passes.advance(10 * MINUTE)
        await settleDue(store)
        await reportMissed(settlePortsOf(store.container))
      }
    } finally {
      Queue.longestChangeMs = longestChangeMs
    }
    const problems = await store.module.listProblems({ transaction_id: id, closed_at: null })
    goOn()
    letGo()
    await settledRow(store, payment.sessionId)
    expect(problems).toMatchObject([{ kind: "paid_without_order" }])
    await passes.watch()
    expect(await store.module.listProblems({ transaction_id: id, closed_at: null })).toEqual([])
  })

  it("a person is told of a paid payment when Medusa's state cannot be loaded", async () => {
    passes = await takeOverPasses(store)
    const payment = await shopper.checkout("sbp")
    const { transaction_id: id } = payment.data
    const carts = store.container.resolve(Modules.CART)
    const spy = jest
      .spyOn(carts, "listCarts")
      .mockRejectedValue(new Error("a cart that cannot be read"))
    let problems
    try {
      await store.simulator.pay(id, { callback: false })
      for (let round = 0; round < 12; round++) {
        passes.advance(10 * MINUTE)
        await passes.watch()
      }
      problems = await store.module.listProblems({ transaction_id: id, closed_at: null })
    } finally {
      spy.mockRestore()
    }
    expect(await store.module.findBySession(payment.sessionId)).toMatchObject({ state: "paid" })
    expect(problems).toMatchObject([{ kind: "paid_without_order" }])
  })

  it("no order is placed for another sum than was judged", async () => {
    const payment = await shopper.checkout("sbp")
    const carts = store.container.resolve(Modules.CART)
    const [item] = await carts.listLineItems({ cart_id: payment.cartId })
    let done = false
    letGo = atLabelledPoints(async (point) => {
      if (point === "apply:decided" && !done) {
        done = true
        await carts.updateLineItems(item?.id ?? "", { quantity: 27 })
      }
    })
    await store.simulator.pay(payment.data.transaction_id)
    const problem = await openProblem(store, payment)
    expect(await ordersOf(store, payment.cartId)).toEqual([])
    expect(problem.kind).toBe("paid_after_change")
  })

  it("a callback that comes between the read and the settle is not forgotten with its process", async () => {
    passes = await takeOverPasses(store)
    const payment = await shopper.checkout("sbp")
    const { transaction_id: id } = payment.data
    let decided = () => {}
    const isDecided = new Promise<void>((resolve) => (decided = resolve))
    let goOn = () => {}
    const may = new Promise<void>((resolve) => (goOn = resolve))
    let dead = false
    letGo = atLabelledPoints(async (point) => {
      if (point === "apply:decided") {
        decided()
        await may
      }
      // The process that answers the second callback dies right then.
      if (point === "callback:answered" && dead) await new Promise(() => undefined)
    })
    await store.simulator.pay(id)
    await isDecided
    dead = true
    passes.advance(SECOND)
    await store.simulator.reverse(id)
    passes.advance(SECOND)
    goOn()
    await settledRow(store, payment.sessionId)
    for (let round = 0; round < 6; round++) {
      passes.advance(MINUTE)
      await passes.watch()
    }
    expect(await store.module.listProblems({ transaction_id: id, closed_at: null })).toMatchObject([
      { kind: "reversed" },
    ])
  })

  it("money is not taken on the proof of a moment ago when a callback has come since (promise 1)", async () => {
    passes = await takeOverPasses(store)
    const payment = await shopper.checkout("sbp")
    const { transaction_id: id } = payment.data
    await store.simulator.pay(id, { callback: false })
    let proven = () => {}
    const isProven = new Promise<void>((resolve) => (proven = resolve))
    let goOn = () => {}
    const may = new Promise<void>((resolve) => (goOn = resolve))
    let isFirst = true
    const takeAway = atLabelledPoints(async (point) => {
      if (point !== "read:recorded" || !isFirst) return
      isFirst = false
      proven()
      await may
    })
    letGo = () => {
      takeAway()
      goOn()
    }
    const row = await store.module.findBySession(payment.sessionId)
    const standing = new Queue(store.module).settle(row!)
    await isProven
    // Its process counts as dead, as if half a minute had passed.
    await store.module.updateTransactions({ id: row!.id, claimed_until: null })
    await store.simulator.reverse(id)
    expect((await openProblem(store, payment)).kind).toBe("reversed")
    letGo()
    await standing
    expect(await ordersOf(store, payment.cartId)).toEqual([])
  })

  it("a hint that comes while the next watch is planned is not forgotten", async () => {
    passes = await takeOverPasses(store)
    const payment = await shopper.checkout("sbp")
    const { transaction_id: id } = payment.data
    await store.simulator.pay(id)
    const row = await settledRow(store, payment.sessionId)
    await passes.watch()
    const { dueTransactions } = store.module
    passes.advance(SECOND)
    await dueTransactions.hintNow(row.id)
    // It was looked at for that hint, and another one comes before its claim ends.
    const spy = jest.spyOn(dueTransactions, "endClaim").mockImplementationOnce(async (...claim) => {
      passes?.advance(SECOND)
      await store.simulator.reverse(id)
      await eventually("the callback is written down", async () => {
        const { hinted_at } = await store.module.transactions.get(row.id)
        return Number(hinted_at) > Number(claim[0].hinted_at)
      })
      return await dueTransactions.endClaim(...claim)
    })
    await passes.watch()
    spy.mockRestore()
    for (let round = 0; round < 3; round++) {
      passes.advance(MINUTE)
      await passes.watch()
    }
    expect(await store.module.listProblems({ transaction_id: id, closed_at: null })).toMatchObject([
      { kind: "reversed" },
    ])
  })

  it("a callback whose row is locked keeps no other callback waiting", async () => {
    const [one, other] = [await shopper.checkout("sbp"), await shopper.checkout("sbp")]
    const knex = store.container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
    const row = await store.module.findBySession(one.sessionId)
    const holding = await knex.transaction()
    let status
    try {
      await holding.raw("select 1 from payment_service_transaction where id = ? for update", [
        row?.id ?? "",
      ])
      void store.simulator.sendCallback(one.data.transaction_id)
      await eventually("it waits for its row", async () => {
        const { rows } = await knex.raw<{ rows: unknown[] }>(
          `select 1 from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query like '%payment_service_callback%'`
        )
        return rows.length > 0
      })
      status = await Promise.race([
        store.simulator.sendCallback(other.data.transaction_id),
        sleep(PATIENCE_MS, ["not while the row is locked"], { ref: false }),
      ])
    } finally {
      await holding.rollback()
    }
    expect(status).toEqual([200])
  })

  it("what the service says is recorded although it contains a character that Postgres does not take", async () => {
    const payment = await shopper.checkout("sbp")
    const { transaction_id: id } = payment.data
    await store.simulator.setStatus(id, "SOMETHING\u0000ELSE")
    await eventually("a problem", async () => {
      const [found] = await store.module.listProblems({ kind: "unknown_status", closed_at: null })
      return found
    })
  })

  it("an order that Medusa refuses is tried again after growing pauses, whatever core's rollback calls", async () => {
    const payment = await shopper.checkout("sbp")
    letGo = coreFailsAtTheEnd(store)
    await store.simulator.pay(payment.data.transaction_id)
    const attempts = async () =>
      (await store.module.findBySession(payment.sessionId))?.apply_attempts ?? 0
    await eventually("two attempts", async () => (await attempts()) >= 2)
    await sleep(3_000)
    expect(await attempts()).toBeLessThanOrEqual(3)
  })

  it("a cart that is changed past its lock is not completed by the payment of an attempt that failed", async () => {
    const payment = await shopper.checkout("sbp")
    letGo = coreFailsAtTheEnd(store)
    await store.simulator.pay(payment.data.transaction_id)
    await eventually("the session is authorized", async () => {
      const [session] = await store.container
        .resolve(Modules.PAYMENT)
        .listPaymentSessions({ id: payment.sessionId })
      const row = await store.module.findBySession(payment.sessionId)
      return session?.status === "authorized" && row?.apply_attempts
    })
    passes = await takeOverPasses(store)
    letGo()
    const carts = store.container.resolve<ICartModuleService>(Modules.CART)
    const items = await carts.listLineItems({ cart_id: payment.cartId })
    const setPrice = (unit_price: number) =>
      carts.updateLineItems(items.map(({ id }) => ({ selector: { id }, data: { unit_price } })))
    await setPrice(20_000)
    const complete = () => store.http.post(`/store/carts/${payment.cartId}/complete`)
    expect(await complete()).toMatchObject({
      status: 400,
      data: {
        message:
          "The cart has changed since this payment was started. Please start the payment again.",
      },
    })
    expect(await ordersOf(store, payment.cartId)).toEqual([])
    await setPrice(Number(items[0]?.unit_price))
    expect((await complete()).data).toMatchObject({ type: "order", order: { total: 2290 } })
  })

  describe("money that Medusa took for an order that it could not finish", () => {
    /** Core has authorized the session, and then fails, until a person is asked. */
    async function takenWithoutOrder() {
      const payment = await shopper.checkout("sbp")
      letGo = coreFailsAtTheEnd(store)
      await store.simulator.pay(payment.data.transaction_id)
      await tryUntilAPersonIsAsked(store, payment)
      const problem = await openProblem(store, payment)
      expect(problem.kind).toBe("paid_without_order")
      const [taken] = await paymentsOf(payment)
      expect(taken?.captured_at).not.toBeNull()
      passes = await takeOverPasses(store)
      letGo()
      return { payment, problem }
    }

    const paymentsOf = async ({ collectionId }: OpenPayment) =>
      await store.container
        .resolve(Modules.PAYMENT)
        .listPayments({ payment_collection_id: collectionId } as object, { relations: ["refunds"] })

    /** Everything that may order the cart is done. */
    async function tryToOrder({ cartId, data, sessionId }: OpenPayment) {
      await store.simulator.sendCallback(data.transaction_id)
      await shopper.comeBack(sessionId)
      for (let round = 0; round < 3; round++) {
        passes?.advance(10 * MINUTE)
        await passes?.watch()
      }
      return await shopper.complete(cartId)
    }

    it("orders nothing once it went back outside", async () => {
      const { payment, problem } = await takenWithoutOrder()
      const note = { note: "Bank transfer 17" }
      expect((await act(admin, problem, "refunded-outside", note)).status).toBe(200)
      expect(await paymentsOf(payment)).toMatchObject([{ refunds: [{ amount: 2290 }] }])
      const answer = await tryToOrder(payment)
      expect(await ordersOf(store, payment.cartId)).toEqual([])
      expect(answer.status).toBe(400)
    })

    it.each(["handle", "refunded-outside"])(
      "stays in its order when that was placed while the lock of a person's action was lost: %s",
      async (action) => {
        const { payment, problem } = await takenWithoutOrder()
        const locking = store.container.resolve(Modules.LOCKING)
        const acquiring = jest.spyOn(locking, "acquire")
        const { problems } = store.module
        const close = problems.closeByPerson.bind(problems)
        const closing = jest
          .spyOn(problems, "closeByPerson")
          .mockImplementationOnce(async (...decided) => {
            const held = acquiring.mock.calls.find(([key]) => key === payment.cartId)
            await locking.release(payment.cartId, held?.[1])
            expect((await shopper.complete(payment.cartId)).status).toBe(200)
            passes?.advance(10 * MINUTE)
            await passes?.watch()
            await settledRow(store, payment.sessionId)
            await close(...decided)
          })
        letGo = () => {
          closing.mockRestore()
          acquiring.mockRestore()
        }
        const answer = await act(admin, problem, action, { note: "Bank transfer 18" })
        expect([answer.status, answer.data.code]).toEqual([400, "taken_meanwhile"])
        expect(await store.module.findBySession(payment.sessionId)).toMatchObject({
          handled_at: null,
          handled: null,
        })
        expect(await proofs(store, { problem_id: problem.id })).toEqual([])
        expect(await paymentsOf(payment)).toMatchObject([{ refunds: [] }])
        expect(await ordersOf(store, payment.cartId)).toHaveLength(1)
      }
    )

    it("is not handled while the completion of another attempt of its cart may take it", async () => {
      const { payment, problem } = await takenWithoutOrder()
      const row = await store.module.findBySession(payment.sessionId)
      const completion = {
        beganAt: store.module.clock.now().toISOString(),
        id: "another tab's",
        isHeld: false,
        isAsked: false,
      }
      const { id, transaction_id, ...alike } = row!
      const session = { session_id: `${payment.sessionId}2`, first_session_id: `${id}2` }
      await store.module.createTransactions({ ...alike, ...session, state: "refused", completion })
      const answer = await act(admin, problem, "handle", { note: "Bank transfer 19" })
      expect([answer.status, answer.data.code]).toEqual([400, "taken_meanwhile"])
      expect(transaction_id).not.toBeNull()
    })

    it("orders nothing while the service has taken it back", async () => {
      const { payment } = await takenWithoutOrder()
      await store.simulator.reverse(payment.data.transaction_id)
      const answer = await tryToOrder(payment)
      expect(await ordersOf(store, payment.cartId)).toEqual([])
      expect(answer.status).toBe(400)
    })
  })

  describe("callbacks", () => {
    callbacksUnderAttack(store)
  })
})
