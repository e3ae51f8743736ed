import { type Admin, logIn, PAYS_OUT } from "../integration/admin"
import { eventually } from "../integration/eventually"
import { CARDS, newAmount, type Payout } from "../integration/payouts/payouts-of"
import type { LabelledPoint, StoreInstance } from "./store-instance"
import { describeStores, expectSettled, letTimePass } from "./stores"

/** Longer than anybody waits for the answer to a payout. */
const A_WHILE = 130_000
/** Longer than a busy machine needs to start a store. */
const LONG_START = "10 minutes"
const PER_DAY = 60_000
const ADDRESS = "/admin/payment-service"

describeStores(
  "payments and payouts of a store that is killed, and of two instances",
  {
    environment: {
      LOCKING: "postgres",
      // The simulator's own.
      PAYMENT_SERVICE_SIGNING_SECRET: "demo-signing-secret",
      ...PAYS_OUT,
      PAYMENT_SERVICE_PAYOUTS_PER_DAY: String(PER_DAY),
    },
  },
  (stores, test) => {
    const adminAt = (instance: StoreInstance) => logIn({ http: stores.http(instance) })
    const payoutOf = ({ data }: { data: Record<string, unknown> }) => data.payout as Payout
    const make = async (admin: Admin, amount = newAmount()) =>
      payoutOf(await admin.post(`${ADDRESS}/payouts`, { card_id: CARDS[0], amount }))
    const send = (admin: Admin, { id }: Payout, body: object = {}) =>
      admin.post(`${ADDRESS}/payouts/${id}/send`, { revision: 1, ...body })
    const ledgerOf = ({ amount }: Payout) =>
      stores.simulator.payouts().filter(({ amountRub }) => amountRub === amount)

    /** Sets until when the answers to requests that are under way are waited for. */
    const answersBy = (moment: string) =>
      stores.database.query(
        `update payment_service_payout set answer_by = ${moment} where state = 'sending'`
      )

    /** Payouts whose process is gone are found as unknown by the background work, once nobody waits for its answer any more. */
    const becomeUnknown = async (admin: Admin, payouts: Payout[]) => {
      for (const { id } of payouts) {
        const early = payoutOf(await admin.get(`${ADDRESS}/payouts/${id}`))
        expect(early).toMatchObject({ state: "sending", actions: [] })
      }
      await answersBy(`least(answer_by, now() + interval '${A_WHILE} ms')`)
      await letTimePass(stores.database, A_WHILE)
      for (const { id } of payouts) {
        await eventually("the background work finds it", async () => {
          const { rows } = await stores.database.query<{ state: string }>(
            "select state from payment_service_payout where id = $1",
            [id]
          )
          return rows[0]?.state === "unknown"
        })
        const found = payoutOf(await admin.get(`${ADDRESS}/payouts/${id}`))
        expect(found).toMatchObject({ state: "unknown", reason: { code: "process_lost" } })
      }
    }
    const isFoundBySendingAgain = async (admin: Admin, payout: Payout) => {
      const sent = payoutOf(await send(admin, payout, { again: true }))
      expect(ledgerOf(payout)).toMatchObject([{ id: sent.withdrawal_record_id }])
      expect(sent.state).toBe("created")
    }
    /** Kills a process as soon as each of these requests waits at its point. */
    const killWhile = async (
      store: StoreInstance,
      requests: { point: LabelledPoint; id: string; begin: () => Promise<unknown> }[]
    ) => {
      let waiting = 0
      store.onArrival = () => (waiting += 1)
      const answers: Promise<unknown>[] = []
      for (const { point, id, begin } of requests) {
        await store.parkAt(point, id)
        answers.push(begin())
      }
      const ended = Promise.allSettled(answers)
      await eventually("everybody waits", async () => waiting === requests.length)
      await store.kill()
      await answersBy(`answer_by + interval '${LONG_START}'`)
      expect((await ended).map(({ status }) => status)).toEqual(requests.map(() => "rejected"))
    }

    test("are orders within a minute of being back, killed right after it answered a callback, and every later one lost (promise 3)", async () => {
      const before = await stores.start("one")
      const shopper = stores.shopperAt(before)
      const answered = await shopper.checkout()
      const lost = await shopper.checkout()
      stores.simulator.setCallbackUrl(stores.callbackUrl(before))
      await before.killAt("callback:answered")
      await stores.simulator.pay(answered.data.transaction_id)
      await before.ended
      expect(stores.simulator.callbacks()).toMatchObject([{ status: 200 }])
      await stores.simulator.pay(lost.data.transaction_id, { callback: false })

      const store = await stores.start("one")
      for (const payment of [answered, lost]) await expectSettled(store, payment)
    })

    test("is unknown after its process died, wherever it was, also with payouts switched off since, and found by sending it again (promises 11 and 15)", async () => {
      const store = await stores.start("one")
      const admin = await adminAt(store)
      const committed = await make(admin)
      const answered = await make(admin)
      const hanging = await make(admin)
      const other = await make(admin)
      // The service makes it and does not answer.
      stores.simulator.fault({ on: "payout", kind: "hang", applied: true })
      const sending = send(admin, hanging)
      const unanswered = Promise.allSettled([sending])
      await eventually("the service has made it", async () => ledgerOf(hanging).length === 1)
      await killWhile(store, [
        {
          point: "payout:committed",
          id: committed.id,
          begin: () => send(admin, committed),
        },
        { point: "payout:answered", id: answered.id, begin: () => send(admin, answered) },
      ])
      expect((await unanswered)[0].status).toBe("rejected")
      expect([committed, answered, hanging].map((payout) => ledgerOf(payout).length)).toEqual([
        0, 1, 1,
      ])

      // To stop payouts, a merchant starts the store anew with the kill switch.
      const off = { PAYMENT_SERVICE_PAYOUTS_ENABLED: "false" }
      const stopped = await stores.start("one", off)
      const without = await adminAt(stopped)
      await becomeUnknown(without, [committed, answered, hanging])
      expect((await send(without, other)).data.code).toBe("payouts_off")
      const held = await send(without, hanging, { again: true })
      expect(held.data.code).toBe("payouts_off")
      expect(held.data.message).toContain("the first request may have gone through")
      expect(ledgerOf(hanging)).toHaveLength(1)
      expect(ledgerOf(other)).toEqual([])
      await stopped.kill()

      const again = await adminAt(await stores.start("one"))
      for (const payout of [committed, answered, hanging]) {
        await isFoundBySendingAgain(again, payout)
      }
      expect(payoutOf(await send(again, other)).state).toBe("created")
    })

    /** A payment whose whole sum is to be refunded, and a payout for it that nobody has sent. */
    const toBePaidOut = async (store: StoreInstance, admin: Admin) => {
      stores.simulator.setCallbackUrl(stores.callbackUrl(store))
      const payment = await stores.shopperAt(store).checkout()
      await stores.simulator.pay(payment.data.transaction_id)
      await expectSettled(store, payment)
      const { rows } = await stores.database.query<{ id: string; amount: string }>(
        "select id, amount from payment where payment_session_id = $1",
        [payment.sessionId]
      )
      const [{ id: paymentId, amount }] = rows as [{ id: string; amount: string }]
      const asked = await admin.post(`/admin/payments/${paymentId}/refund`, {
        amount: Number(amount),
      })
      expect(asked.status).toBe(400)
      const { data } = await admin.get(`${ADDRESS}/problems?kind=refund_due&status=open`)
      const problem = (data.problems as { id: string; transaction_id: string }[]).find(
        ({ transaction_id }) => transaction_id === payment.data.transaction_id
      )
      const made = payoutOf(
        await admin.post(`${ADDRESS}/payouts`, {
          card_id: CARDS[0],
          amount: Math.floor(Number(amount)),
          problem_id: problem?.id,
        })
      )
      return { paymentId, made }
    }
    const sendIt = (admin: Admin, made: Payout) => send(admin, made)
    const refundsOf = async (paymentId: string) => {
      const { rows } = await stores.database.query<{ amount: string }>(
        "select amount from refund where payment_id = $1 and deleted_at is null",
        [paymentId]
      )
      return rows.map(({ amount }) => Number(amount))
    }

    test("is booked as one refund, wherever the process died, and by two instances at once (promises 11 and 18)", async () => {
      const store = await stores.start("one")
      const admin = await adminAt(store)
      const points: LabelledPoint[] = ["payout:recorded", "refund:proved", "refund:booked"]
      const killed = []
      for (const point of points) killed.push({ point, ...(await toBePaidOut(store, admin)) })
      await killWhile(
        store,
        killed.map(({ point, made }) => ({ point, id: made.id, begin: () => sendIt(admin, made) }))
      )
      await stores.start("one")
      await letTimePass(stores.database, A_WHILE)
      for (const { paymentId, made } of killed) {
        await eventually("it is booked", async () => (await refundsOf(paymentId)).length > 0)
        expect(await refundsOf(paymentId)).toEqual([made.amount])
      }

      const [one, two] = await Promise.all([stores.start("one"), stores.start("two")])
      const [first, second] = [await adminAt(one), await adminAt(two)]
      const { paymentId, made } = await toBePaidOut(one, first)
      // Others were of the same sum.
      const before = ledgerOf(made).length
      await Promise.all([first, second, first, second].map((one) => sendIt(one, made)))
      await eventually("it is booked", async () => (await refundsOf(paymentId)).length > 0)
      expect(await refundsOf(paymentId)).toEqual([made.amount])
      expect(ledgerOf(made)).toHaveLength(before + 1)
    })

    test("is stopped on every instance at once, also between a claim and its request (promise 16)", async () => {
      const [one, two] = await Promise.all([stores.start("one"), stores.start("two")])
      const [first, second] = [await adminAt(one), await adminAt(two)]
      const stop = (admin: Admin, stopped: boolean) =>
        admin.post(`${ADDRESS}/payouts/stop`, { stopped })
      const payout = await make(first)
      const held: (() => void)[] = []
      one.onArrival = ({ release }) => held.push(release)
      await one.parkAt("payout:committed", payout.id)
      const sending = send(first, payout)
      await eventually("it is claimed", async () => held.length === 1)
      expect((await stop(second, true)).status).toBe(200)
      held[0]?.()
      expect(payoutOf(await sending).state).toBe("rejected")
      expect(ledgerOf(payout)).toEqual([])
      const another = await make(first)
      for (const admin of [first, second]) {
        expect((await send(admin, another)).data.code).toBe("payouts_stopped")
      }
      await stop(first, false)
      expect(payoutOf(await send(second, another)).state).toBe("created")
      expect(ledgerOf(another)).toHaveLength(1)
    })

    test("is one payout, and keeps the limits, whatever is clicked at once and whichever instance is asked (promises 15 and 16)", async () => {
      const [one, two] = await Promise.all([stores.start("one"), stores.start("two")])
      const [first, second] = [await adminAt(one), await adminAt(two)]
      const payout = await make(first)
      stores.simulator.clearRequests()
      stores.simulator.fault({ on: "payout", kind: "slow", delayMs: 400 })
      const answers = await Promise.all(
        [first, second, first, second, second].map((admin) => send(admin, payout))
      )
      // The callers who did not make the request are told at once how the payout stands.
      for (const answer of answers) expect(["sending", "created"]).toContain(payoutOf(answer).state)
      expect(payoutOf(await first.get(`${ADDRESS}/payouts/${payout.id}`)).state).toBe("created")
      expect(ledgerOf(payout)).toHaveLength(1)

      const unknown = await make(second)
      stores.simulator.fault({ on: "payout", kind: "drop_after" })
      await send(second, unknown)
      stores.simulator.fault({ on: "payout", kind: "slow", delayMs: 400 })
      const again = await Promise.all(
        [first, second, first, second].map((admin) => send(admin, unknown, { again: true }))
      )
      for (const answer of again) expect(["sending", "created"]).toContain(payoutOf(answer).state)
      expect(payoutOf(await first.get(`${ADDRESS}/payouts/${unknown.id}`)).state).toBe("created")
      expect(ledgerOf(unknown)).toHaveLength(1)
      expect(stores.simulator.requests({ on: "payout" })).toHaveLength(3)

      const { data } = await first.get(`${ADDRESS}/payout-settings`)
      const { left_today: left } = data.limits as { left_today: number }
      const drafts = await Promise.all(
        Array.from({ length: 10 }, async (_, index) =>
          payoutOf(
            await (index % 2 ? first : second).post(`${ADDRESS}/payouts`, {
              card_id: CARDS[1],
              amount: 8_000,
            })
          )
        )
      )
      const asked = await Promise.all(
        drafts.map((draft, index) => send(index % 2 ? second : first, draft))
      )
      const sent = asked.filter(({ status }) => status === 200)
      expect(sent).toHaveLength(Math.floor(left / 8_000))
      for (const { status, data: refused } of asked) {
        if (status !== 200) expect(refused.code).toBe("above_per_day")
      }
      expect(sent.length).toBeGreaterThan(0)
      expect(stores.simulator.requests({ on: "payout" })).toHaveLength(3 + sent.length)
      const after = await first.get(`${ADDRESS}/payout-settings`)
      expect(after.data.limits).toMatchObject({ left_today: left - 8_000 * sent.length })
    })
  }
)
