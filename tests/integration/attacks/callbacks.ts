import { randomUUID } from "node:crypto"
import { Agent, request } from "node:http"

import { LocalWorkflow } from "@medusajs/framework/orchestration"
import { processPaymentWorkflowId, updateRegionsWorkflow } from "@medusajs/medusa/core-flows"

import { memoryHeld } from "../../memory-held"
import { followCallbacks } from "../follow-callbacks"
import { takeOverPasses } from "../passes"
import { openProblem } from "../problems-of"
import {
  expectOrderOf,
  expectPaidOrder,
  type OpenPayment,
  ordersOf,
  payUntilSettled,
  rowWhen,
  Shopper,
} from "../shopper"
import { eventually, settledRow, type TestStore } from "../store"

/** In full with `npm run test:deep`. */
const FLOOD = process.env.DEEP ? 10_000 : 4_000
/** Nearly as long as a callback may be, so that a flood which stayed in memory would be seen there. */
const FILLER = "x".repeat(15_000)
const MOST_HELD_MB = 30
const FLOOD_AT_A_TIME = 32
const MINUTE = 60_000

/** Callbacks that lie, repeat themselves or come in masses. */
export function callbacksUnderAttack(store: TestStore): void {
  const shopper = new Shopper(store)

  const callbacks = followCallbacks(store)
  it("for money whose session is gone: a problem, or its order; core's workflow never runs, and no other cart is touched (promise 2)", async () => {
    /** Every run of a workflow in this process, whoever starts it. */
    const runs = jest.spyOn(LocalWorkflow.prototype, "run")
    const workflows = () =>
      (runs.mock.contexts as { workflowId: string }[]).map(({ workflowId }) => workflowId)
    const bystander = await cartWithCoresOwnProvider(store, shopper)
    const other = await shopper.checkout("sbp", { email: "other@shopper.test" })
    const [deleted, replaced] = [await shopper.checkout(), await shopper.checkout()]
    await shopper.addItem(deleted.cartId, 1)
    await shopper.open(replaced.cartId, "crypto")
    expect(workflows().length).toBeGreaterThan(0)
    runs.mockClear()
    const gone = [deleted, replaced]
    const bodies = gone.map(({ data, sessionId }) =>
      JSON.stringify({
        transactionId: data.transaction_id,
        session_id: sessionId,
        action: "authorized",
        data: { session_id: sessionId, amount: 2290 },
        status: "CONFIRMED",
      })
    )
    for (const { data } of gone) {
      await store.simulator.pay(data.transaction_id, { callback: false })
    }
    for (const body of bodies) {
      expect(await ring(`${store.backendUrl}/hooks/payment/sbp_main`, body)).toBe(200)
    }
    for (const payment of gone) await rowWhen(store, payment, (row) => row.hinted_at)
    for (const body of bodies) expect(await ring(store.callbackUrl, body)).toBe(200)
    await openProblem(store, deleted)
    await expectOrderOf(store, replaced)
    await callbacks.allSettled()

    expect(workflows()).not.toContain(processPaymentWorkflowId)
    runs.mockRestore()
    for (const cartId of [bystander, other.cartId, deleted.cartId]) {
      expect([cartId, await ordersOf(store, cartId)]).toEqual([cartId, []])
      expect((await shopper.retrieve(cartId)).completed_at ?? null).toBeNull()
    }
    expect(await store.module.findBySession(other.sessionId)).toMatchObject({
      state: "pending",
      exception: null,
      hinted_at: null,
    })
  })

  it("forged ones change nothing: what is true is read (promise 1)", async () => {
    const open = await shopper.checkout()
    const canceled = await shopper.checkout()
    await store.simulator.decline(canceled.data.transaction_id)
    await rowWhen(store, canceled, (row) => row.published_state === "canceled")
    const before = await standing(store, [open, canceled])
    for (const { data, sessionId, cartId } of [open, canceled]) {
      const row = await store.module.findBySession(sessionId)
      const claim = { status: "CONFIRMED", amount: 2290, currency: "RUB", payload: row?.id }
      const bodies = [
        { transactionId: data.transaction_id, ...claim, merchantId: store.simulator.merchantId },
        [{ id: data.transaction_id, ...claim, paymentDetails: claim }],
        { event: "PAID", object: { ...claim, id: data.transaction_id, sessionId, cartId } },
      ]
      for (const body of bodies) {
        expect(await ring(store.callbackUrl, JSON.stringify(body))).toBe(200)
      }
    }
    await callbacks.allSettled()
    expect(await standing(store, [open, canceled])).toEqual(before)
    expect(await store.module.listProblems({})).toEqual([])
  })

  it("a replay after the order changes nothing (promise 2)", async () => {
    const payment = await shopper.checkout()
    store.simulator.clearCallbacks()
    await payUntilSettled(store, payment)
    await eventually("the world is told", async () => store.events.length >= 3)
    const [callback] = store.simulator.callbacks()
    const before = [await standing(store, [payment]), store.events.length]
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ring(store.callbackUrl, callback?.body ?? ""))
    )
    expect(new Set(answers)).toEqual(new Set([200]))
    await callbacks.allSettled()
    expect([await standing(store, [payment]), store.events.length]).toEqual(before)
    await expectPaidOrder(store, payment.cartId)
  })

  it("in another order than things happened: the last state stands (promise 2)", async () => {
    const [older, later, declined] = [
      await shopper.checkout(),
      await shopper.checkout(),
      await shopper.checkout(),
    ]
    // "Paid", and then what was said before it.
    for (const [payment, status] of [
      [older, "PENDING"],
      [later, "CANCELED"],
    ] as const) {
      const { transaction_id: transactionId } = payment.data
      await store.simulator.pay(transactionId)
      await settledRow(store, payment.sessionId)
      await store.simulator.sendCallback(transactionId, { body: { transactionId, status } })
    }
    // A read that is behind, after the order: what is proven stays proven.
    store.simulator.fault({ on: "get", kind: "stale", transactionId: older.data.transaction_id })
    await store.simulator.sendCallback(older.data.transaction_id)
    // Declined first and paid then, heard of the other way round.
    store.simulator.setCallbackMode({ reorder: true })
    const told = store.simulator.decline(declined.data.transaction_id)
    await store.simulator.pay(declined.data.transaction_id)
    await told
    store.simulator.setCallbackMode({ reorder: false })

    await settledRow(store, declined.sessionId)
    await callbacks.allSettled()
    for (const { cartId, sessionId } of [older, later, declined]) {
      await expectPaidOrder(store, cartId)
      expect(await store.module.findBySession(sessionId)).toMatchObject({
        state: "paid",
        exception: null,
      })
    }
    expect(await store.module.listProblems({})).toEqual([])
  })

  it(`a flood of ${FLOOD} unknown ids: no call to the service, a real payment in between, nothing left (promise 12)`, async () => {
    const [before, during] = [await shopper.checkout(), await shopper.checkout()]
    const after = [await shopper.checkout(), await shopper.checkout(), await shopper.checkout()]
    const passes = await takeOverPasses(store)
    store.simulator.clearRequests()
    const idle = await paidWithin(store, before)
    let sent = await flood(store, (sent) => sent < FLOOD / 4)
    const held = await memoryHeld()
    // As much again and again is in the table then, and none of it in memory.
    let isPaid = false
    const [, more] = await Promise.all([
      paidAmidst(store, during).finally(() => (isPaid = true)),
      // The flood goes on until the payment is an order.
      flood(store, (sent) => sent < (FLOOD * 3) / 4 || !isPaid),
    ])
    sent += more
    // The machine may be busy just when one of them is paid; what a flood leaves behind would slow all of them.
    const most = 2_000 + 2 * idle
    let quickest = Infinity
    for (const payment of after) {
      quickest = Math.min(quickest, await paidWithin(store, payment))
      if (quickest < most) break
    }
    expect(quickest).toBeLessThan(most)
    expect((more * FILLER.length) / 2 ** 20).toBeGreaterThan(1.25 * MOST_HELD_MB)
    expect(((await memoryHeld()) - held) / 2 ** 20).toBeLessThan(MOST_HELD_MB)

    const known = [before, during, ...after].map(({ data }) => data.transaction_id)
    const strangers = store.simulator
      .requests()
      .filter(({ path }) => !known.some((id) => path.includes(id)))
    expect(strangers).toEqual([])
    passes.advance(MINUTE)
    await passes.watch()
    await callbacks.allSettled()
    const [, kept] = await store.module.listAndCountCallbacks({})
    expect(kept).toBeGreaterThanOrEqual(sent)
    expect(await store.module.listProblems({})).toEqual([])
  })
}

/** The part of orders and rows that a callback must not change. */
async function standing(store: TestStore, payments: OpenPayment[]) {
  return await Promise.all(
    payments.map(async ({ cartId, sessionId }) => {
      const row = await store.module.findBySession(sessionId)
      return {
        orders: await ordersOf(store, cartId),
        state: row?.state,
        exception: row?.exception,
        order_id: row?.order_id,
        settled_at: row?.settled_at,
        paid_at: row?.paid_at,
        apply_attempts: row?.apply_attempts,
      }
    })
  )
}

/** A cart of a shopper who has nothing to do with us, and whose payment core takes without asking anybody. */
async function cartWithCoresOwnProvider(store: TestStore, shopper: Shopper): Promise<string> {
  await updateRegionsWorkflow(store.container).run({
    input: {
      selector: { id: store.shop.regionId },
      update: { payment_providers: ["pp_system_default", "pp_sbp_main", "pp_crypto_main"] },
    },
  })
  const { id } = await shopper.cart({ email: "bystander@shopper.test" })
  const collection = await shopper.collection(id)
  const { status } = await shopper.raw(
    "post",
    `/store/payment-collections/${collection}/payment-sessions`,
    { provider_id: "pp_system_default" }
  )
  expect(status).toBe(200)
  return id
}

async function paidWithin(store: TestStore, { data, sessionId }: OpenPayment): Promise<number> {
  const began = Date.now()
  await payUntilSettled(store, { data, sessionId })
  return Date.now() - began
}

/** The service gives up on a callback that a busy machine does not answer in time; no watcher makes up for it here. */
async function paidAmidst(store: TestStore, { data, sessionId }: OpenPayment): Promise<void> {
  await store.simulator.pay(data.transaction_id, { callback: false })
  await eventually("the payment amidst the flood", async () => {
    await store.simulator.sendCallback(data.transaction_id)
    return (await store.module.findBySession(sessionId))?.settled_at
  })
}

/** Callbacks about ids that nobody has heard of, as long as `goesOn`; each is answered 200. @returns how many */
async function flood(store: TestStore, goesOn: (sent: number) => boolean): Promise<number> {
  // Its own, because a connection that rests between two floods is closed by the store just when it is used again.
  const agent = new Agent({ keepAlive: true, maxSockets: FLOOD_AT_A_TIME })
  let sent = 0
  const ringOn = async () => {
    while (goesOn(sent)) {
      sent++
      const about = { transactionId: randomUUID(), status: "CONFIRMED", comment: FILLER }
      const body = JSON.stringify(about)
      const status = await ring(store.callbackUrl, body, agent)
      if (status !== 200) throw new Error(`A callback was answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: FLOOD_AT_A_TIME }, ringOn))
  agent.destroy()
  return sent
}

/** Node's own client: ten thousand requests of a richer one would measure that. */
async function ring(address: string, body: string, agent: Agent | false = false): Promise<number> {
  return await new Promise((resolve, reject) => {
    const sent = request(
      address,
      { method: "POST", agent, headers: { "content-type": "application/json" } },
      (answer) => {
        answer.resume().once("end", () => {
          resolve(answer.statusCode ?? 0)
        })
      }
    )
    sent.once("error", reject)
    sent.end(body)
  })
}
