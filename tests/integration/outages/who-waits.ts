import { Modules } from "@medusajs/framework/utils"

import { Queue } from "../../../src/payments/queue"
import { TIMEOUTS } from "../../../src/service/client"
import { type Admin, logIn } from "../admin"
import { atLabelledPoints } from "../at-labelled-points"
import { stopWatcher } from "../passes"
import { act, openProblem } from "../problems-of"
import { type OpenPayment, Shopper } from "../shopper"
import { eventually, settledRow, type TestStore } from "../store"
import { setUntilTheTestEnds } from "../until-the-test-ends"

const SECOND = 1_000

/** The answers to admins and shoppers whose row cannot be settled while they wait. */
export function whoWaits(store: TestStore): void {
  const { longestWaitMs, longestChangeMs } = Queue
  let admin: Admin
  beforeEach(async () => {
    admin = await logIn(store)
  })
  afterEach(() => {
    Object.assign(Queue, { longestWaitMs, longestChangeMs })
  })

  /** A payment of which less came than was asked for. */
  async function paidTooLittle(): Promise<OpenPayment> {
    const payment = await new Shopper(store).checkout()
    const { transaction_id: id } = payment.data
    store.simulator.edit(id, { amount: 1 })
    await store.simulator.pay(id)
    return payment
  }

  it.each(["the payment", "its problem"])(
    "an admin is told when another instance reads in vain what they look at again at %s",
    async (at) => {
      const payment = await paidTooLittle()
      const problem = await openProblem(store, payment)
      const rowId = problem.transaction_row_id ?? ""
      setUntilTheTestEnds(TIMEOUTS, { readMs: SECOND })
      await stopWatcher(store)
      const elsewhere = new Queue(store.module)
      store.simulator.fault({ on: "get", kind: "hang", times: Infinity })
      const reading = elsewhere.settle(await store.module.transactions.get(rowId))
      const failure = reading.catch((error: unknown) => error)
      await eventually("it is claimed there", async () => {
        const { claimed_until } = await store.module.transactions.get(rowId)
        return Number(claimed_until) > store.module.clock.now().getTime()
      })
      const answer =
        at === "its problem"
          ? await act(admin, problem, "retry")
          : await admin.post(`/admin/payment-service/transactions/${rowId}/settle`)
      expect(answer).toMatchObject({
        status: 500,
        data: { message: expect.stringContaining("could not be asked") },
      })
      expect(await failure).toBeInstanceOf(Error)
      await elsewhere.idle()
    }
  )

  it("a shopper is told what to do when the settle of their payment is left behind", async () => {
    const shopper = new Shopper(store)
    const payment = await shopper.checkout()
    let goOn = () => {}
    const may = new Promise<void>((resolve) => (goOn = resolve))
    const takeAway = atLabelledPoints(async (point) => {
      if (point === "apply:decided") await may
    })
    Queue.longestChangeMs = SECOND
    try {
      await store.simulator.pay(payment.data.transaction_id, { callback: false })
      for (const attempt of ["first", "while that still hangs"]) {
        const { status, data } = await shopper.complete(payment.cartId)
        expect({ attempt, status, data }).toMatchObject({
          status: 500,
          data: { message: expect.stringContaining("being looked at right now") },
        })
      }
    } finally {
      goOn()
      takeAway()
    }
    await settledRow(store, payment.sessionId)
  })

  it("an admin waits once, and not for the lock and the settle one after the other", async () => {
    const payment = await paidTooLittle()
    const problem = await openProblem(store, payment)
    Queue.longestWaitMs = 6 * SECOND
    const locking = store.container.resolve(Modules.LOCKING)
    await stopWatcher(store)
    store.simulator.fault({ on: "get", kind: "hang", times: Infinity })
    const owner = { ownerId: "somebody else" }
    await locking.acquire(payment.cartId, { ...owner, expire: 60 })
    const began = Date.now()
    setTimeout(() => void locking.release(payment.cartId, owner), 4 * SECOND)
    const { status } = await act(admin, problem, "retry")
    expect(status).toBe(200)
    expect(Date.now() - began).toBeGreaterThan(4 * SECOND)
    expect(Date.now() - began).toBeLessThan(7.5 * SECOND)
  })
}
