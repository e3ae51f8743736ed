import type { ICartModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { settlePortsOf } from "../../src/payments/ports"
import { Queue } from "../../src/payments/queue"
import { reportMissed } from "../../src/payments/start-due-work"
import { adminOf } from "./admin"
import { atLabelledPoints, standStillAt } from "./at-labelled-points"
import { callbacksUnderAttack } from "./attacks/callbacks"
import { coreFailsAtTheEnd } from "./core-fails-at-the-end"
import { takeOverPasses } from "./passes"
import { act, openProblem } from "./problems-of"
import { type OpenPayment, ordersOf, paidUnheard, rowOf, Shopper } from "./shopper"
import { settleDue } from "./settle-due"
import { describeStore, eventually, settledRow } from "./store"
import { gate, setUntilTheTestEnds } from "./until-the-test-ends"
import { tryUntilAPersonIsAsked } from "./try-until-a-person-is-asked"

const SECOND = 1_000
const MINUTE = 60 * SECOND

describeStore("money and callbacks under attack", {}, (store) => {
  const admin = adminOf(store)
  const shopper = new Shopper(store)

  it("a person is told of a paid payment whose settle never ends (promise 11)", async () => {
    const passes = await takeOverPasses(store)
    const payment = await shopper.checkout("sbp")
    const { transaction_id: id } = payment.data
    const { passed, pass: goOn } = gate()
    const letGo = atLabelledPoints(async (point) => {
      if (point === "apply:decided") await passed
    })
    await store.simulator.pay(id, { callback: false })
    setUntilTheTestEnds(Queue, { longestChangeMs: 1_000 })
    for (let round = 0; round < 12; round++) {
      passes.advance(10 * MINUTE)
      await settleDue(store)
      await reportMissed(settlePortsOf(store.container))
    }
    const open = { transaction_id: id, closed_at: null }
    expect(await store.module.listProblems(open)).toMatchObject([{ kind: "paid_without_order" }])
    goOn()
    letGo()
    await settledRow(store, payment.sessionId)
    await passes.watch()
    expect(await store.module.listProblems(open)).toEqual([])
  })

  it("no order is placed for another sum than was judged (promise 4)", async () => {
    const payment = await shopper.checkout("sbp")
    const carts = store.container.resolve(Modules.CART)
    const [item] = await carts.listLineItems({ cart_id: payment.cartId })
    const { standing, goOn } = standStillAt("apply:decided")
    await store.simulator.pay(payment.data.transaction_id)
    await standing
    await carts.updateLineItems(item?.id ?? "", { quantity: 27 })
    goOn()
    expect((await openProblem(store, payment)).kind).toBe("paid_after_change")
    expect(await ordersOf(store, payment.cartId)).toEqual([])
  })

  it("no order is placed for money that a person took care of, when exactly the cart's sum comes afterwards (promise 4)", async () => {
    const payment = await shopper.checkout("sbp")
    const { transaction_id: id, amount } = payment.data
    store.simulator.edit(id, { amount: 2_000 })
    await store.simulator.pay(id)
    const less = await openProblem(store, payment)
    expect(less.kind).toBe("amount_differs")
    expect((await act(admin, less, "handle", { note: "Paid back in cash" })).status).toBe(200)
    store.simulator.edit(id, { amount: Number(amount) })
    await store.simulator.sendCallback(id)
    const changed = await openProblem(store, payment)
    expect(changed.kind).toBe("changed_since_handled")
    expect(changed.message).toContain("₽2,290.00, ₽2,000.00 when a person handled it")
    expect((await shopper.complete(payment.cartId)).status).toBe(400)
    expect(await ordersOf(store, payment.cartId)).toEqual([])
  })

  it("a callback that comes between the read and the settle is not forgotten with its process (promise 3)", async () => {
    const passes = await takeOverPasses(store)
    const payment = await shopper.checkout("sbp")
    const { transaction_id: id } = payment.data
    const [decided, released] = [gate(), gate()]
    let dead = false
    atLabelledPoints(async (point) => {
      if (point === "apply:decided") {
        decided.pass()
        await released.passed
      }
      // The process that answers the second callback dies right then.
      if (point === "callback:answered" && dead) await new Promise(() => undefined)
    })
    await store.simulator.pay(id)
    await decided.passed
    dead = true
    passes.advance(SECOND)
    await store.simulator.reverse(id)
    passes.advance(SECOND)
    released.pass()
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
    await takeOverPasses(store)
    const payment = await paidUnheard(store, shopper)
    const { standing, goOn } = standStillAt("read:recorded")
    const row = await rowOf(store, payment)
    const settling = new Queue(store.module).settle(row)
    await standing
    // Its process counts as dead, as if half a minute had passed.
    await store.module.updateTransactions({ id: row.id, claimed_until: null })
    await store.simulator.reverse(payment.data.transaction_id)
    expect((await openProblem(store, payment)).kind).toBe("reversed")
    goOn()
    await settling
    expect(await ordersOf(store, payment.cartId)).toEqual([])
  })

  it("a cart that is changed past its lock is not completed by the payment of an attempt that failed (promise 4)", async () => {
    const payment = await shopper.checkout("sbp")
    const letGo = coreFailsAtTheEnd(store)
    await store.simulator.pay(payment.data.transaction_id)
    await eventually("the session is authorized", async () => {
      const [session] = await store.container
        .resolve(Modules.PAYMENT)
        .listPaymentSessions({ id: payment.sessionId })
      const row = await store.module.findBySession(payment.sessionId)
      return session?.status === "authorized" && row?.apply_attempts
    })
    await takeOverPasses(store)
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
      const letGo = coreFailsAtTheEnd(store)
      await store.simulator.pay(payment.data.transaction_id)
      await tryUntilAPersonIsAsked(store, payment)
      const problem = await openProblem(store, payment)
      expect(problem.kind).toBe("paid_without_order")
      const [taken] = await paymentsOf(payment)
      expect(taken?.captured_at).not.toBeNull()
      const passes = await takeOverPasses(store)
      letGo()
      return { payment, problem, passes }
    }

    const paymentsOf = async ({ collectionId }: OpenPayment) =>
      await store.container
        .resolve(Modules.PAYMENT)
        .listPayments({ payment_collection_id: collectionId } as object, { relations: ["refunds"] })

    it.each([
      ["went back outside", "refunded-outside"],
      ["was taken back by the service", null],
    ])("orders nothing once it %s (promise 9)", async (_, action) => {
      const { payment, problem, passes } = await takenWithoutOrder()
      const { cartId, data, sessionId } = payment
      if (action) {
        expect((await act(admin, problem, action, { note: "Bank transfer 17" })).status).toBe(200)
        expect(await paymentsOf(payment)).toMatchObject([{ refunds: [{ amount: 2290 }] }])
      } else await store.simulator.reverse(data.transaction_id)
      // Everything that may order the cart is done.
      await store.simulator.sendCallback(data.transaction_id)
      await shopper.comeBack(sessionId)
      for (let round = 0; round < 3; round++) {
        passes.advance(10 * MINUTE)
        await passes.watch()
      }
      expect((await shopper.complete(cartId)).status).toBe(400)
      expect(await ordersOf(store, cartId)).toEqual([])
    })

    it("is not handled while the completion of another attempt of its cart may take it", async () => {
      const { payment, problem } = await takenWithoutOrder()
      const { id, transaction_id: _, ...alike } = await rowOf(store, payment)
      const beganAt = store.module.clock.now().toISOString()
      await store.module.createTransactions({
        ...alike,
        session_id: `${payment.sessionId}2`,
        state: "refused",
        completion: { beganAt, id: "another tab's", isHeld: false, isAsked: false },
      })
      const answer = await act(admin, problem, "handle", { note: "Bank transfer 19" })
      expect([answer.status, answer.data.code]).toEqual([400, "taken_meanwhile"])
    })
  })

  describe("callbacks", () => {
    callbacksUnderAttack(store)
  })
})
