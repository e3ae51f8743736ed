import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { Queue, queueOf } from "../../src/payments/queue"
import { CLAIM_MS } from "../../src/payments/rules/timing"
import { PaymentServiceClient, TIMEOUTS } from "../../src/service/client"
import { logIn } from "./admin"
import { standStillAt } from "./at-labelled-points"
import { returnAddress } from "./checkout/return-address"
import { setClockAhead, stopClock, stopWatcher, withoutWatcher } from "./passes"
import {
  expectPaidOrder,
  type OpenPayment,
  paidUnheard,
  payToOrder,
  registeredShopper,
  rowOf,
  rowWithException,
  Shopper,
} from "./shopper"
import { describeStore, eventually, settledRow, type TestStore } from "./store"
import { setUntilTheTestEnds, untilTheTestEnds } from "./until-the-test-ends"

/** The default. The tests' store waits longer, because a busy machine takes its time. */
const { longestWaitMs: LONGEST_WAIT_MS } = Queue
/** More than the service is called at once; thirty with `npm run test:deep`, because it takes core a second to make each cart. */
const MANY = process.env.DEEP ? 30 : 15
/** A busy machine's timers may be late by so much. */
const BUSY_MS = 5_000

describeStore("checkout", {}, (store) => {
  const shopper = new Shopper(store)

  describe("opening a payment", () => {
    it("asks for exactly what the specification wants, and shows the storefront no more than it needs", async () => {
      const { sessionId, data } = await shopper.checkout("sbp")
      const row = await store.module.findBySession(sessionId)
      const back = `${store.backendUrl}/payment-service/return/${row?.id}`
      expect(creations(store)).toEqual([
        {
          paymentMethod: 2,
          paymentDetails: { amount: 2290, currency: "RUB" },
          description: "Quiet Goods: Льняное полотенце",
          return: `${back}?hint=success`,
          failedUrl: `${back}?hint=failure`,
          payload: row?.id,
          // The simulator's record masks what looks like a card number, as the digits of some digests do.
          metadata: { userId: expect.stringMatching(/^guest_[0-9a-f*_]+$/) },
        },
      ])
      expect(row?.payer_id).toMatch(/^guest_[0-9a-f]{8}_[0-9a-f]{32}$/)
      const [request] = store.simulator.requests({ on: "create" })
      // The secret is masked in the record; the simulator would have refused another one.
      expect(request).toMatchObject({
        headers: { "x-merchantid": store.simulator.merchantId, "x-secret": "***" },
        status: 200,
      })
      const made = store.simulator.transaction(data.transaction_id)
      const expected = {
        session_id: sessionId,
        transaction_id: made.id,
        redirect: made.redirect,
        method: "sbp",
        amount: "2290.00",
        currency: "RUB",
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        usdt_rate: "92.5",
      }
      expect(data).toEqual(expected)
      const now = store.module.clock.now().getTime()
      expect(Date.parse(data.expires_at ?? "")).toBeGreaterThan(now + 14 * 60_000)
      expect(Date.parse(data.expires_at ?? "")).toBeLessThanOrEqual(now + 15 * 60_000)
      expect(await storedData(store, sessionId)).toEqual(expected)
      expect(row).toMatchObject({
        account: "main",
        base_url: store.simulator.url,
        merchant_id: store.simulator.merchantId,
        amount: "2290.00",
        currency: "RUB",
        state: "pending",
      })
    })

    it("ignores everything that a browser sends as session data", async () => {
      const victim = await paidUnheard(store, shopper)
      const cart = await shopper.cart({ email: "thief@shopper.test" })
      const { sessionId, data } = await shopper.open(cart.id, "sbp", {
        ...victim.data,
        amount: "1.00",
        session_id: victim.sessionId,
        payer_ip: "203.0.113.7",
        callback: "http://evil.test",
        return: "http://evil.test",
        payload: "evil",
        merchantId: "evil",
        test: true,
      })
      expect(data.transaction_id).not.toBe(victim.data.transaction_id)
      expect(data).toMatchObject({ session_id: sessionId, amount: "2290.00" })
      const stored = await storedData(store, sessionId)
      expect(Object.keys(stored).sort()).toEqual(SERVED_KEYS)
      expect(JSON.stringify([stored, creations(store).at(-1)])).not.toMatch(/evil|203\.0\.113\.7/)

      expect((await shopper.complete(cart.id)).status).toBe(400)
      const back = await shopper.land(victim.sessionId)
      expect(back.location).toContain("/ru/done?")
      await expectPaidOrder(store, victim.cartId)
      expect((await shopper.retrieve(cart.id)).completed_at).toBeNull()
    })

    it("names payers by the customer's id, or by a digest of the guest's e-mail", async () => {
      const { shopper, customerId } = await registeredShopper(store, "anna@shopper.test")
      await shopper.checkout("sbp", { email: "anna@shopper.test" })
      await new Shopper(store).checkout("sbp", { email: "Guest.One@shopper.test" })
      await new Shopper(store).checkout("crypto", { email: "guest.one@SHOPPER.test" })
      await new Shopper(store).checkout("sbp", { email: "guest.two@shopper.test" })

      const [registered, guest, sameGuest, otherGuest] = creations(store).map(
        ({ metadata }) => metadata?.userId
      )
      expect(registered).toBe(customerId)
      expect(guest).toMatch(/^guest_[0-9a-f]{8}_[0-9a-f]{32}$/)
      expect(sameGuest).toBe(guest)
      expect(otherGuest).not.toBe(guest)
      expect(otherGuest).toMatch(/^guest_/)
      for (const { metadata } of creations(store))
        expect(Object.keys(metadata ?? {})).toEqual(["userId"])
    })

    it("needs an e-mail address and the service's currency, and says so before any call", async () => {
      const cart = await shopper.cart({ email: null })
      const collection = await shopper.collection(cart.id)
      expect(await shopper.choose(collection, "sbp")).toMatchObject({
        status: 400,
        data: { code: "needs_email", message: expect.stringContaining("e-mail address") },
      })
      await shopper.raw("post", `/store/carts/${cart.id}`, { email: "late@shopper.test" })
      await store.restartModule({ currencies: ["USD"] })
      expect(await shopper.choose(collection, "sbp")).toMatchObject({
        status: 400,
        data: { code: "other_currency", message: expect.stringMatching(/USD, not RUB/) },
      })
      expect(store.simulator.requests()).toEqual([])
      await store.restartModule({ currencies: ["RUB"] })
      const { data } = await shopper.open(cart.id, "sbp")
      expect(store.simulator.transaction(data.transaction_id).amount).toBe(2290)
    })

    it("opens at most so many payments per cart in ten minutes as the option says", async () => {
      await store.restartModule({ creationLimits: { perCart: 3 } })
      const { id } = await shopper.cart()
      for (let opened = 1; opened <= 3; opened++) {
        await shopper.open(id, opened % 2 ? "sbp" : "crypto")
        expect((await shopper.addItem(id)).status).toBe(200)
      }
      expect(await shopper.choose(await shopper.collection(id), "sbp")).toMatchObject({
        status: 400,
        data: { code: "perCart", message: expect.stringContaining("Too many payments") },
      })
      expect(creations(store)).toHaveLength(3)
      // Another cart is not held up by it.
      await shopper.checkout("sbp")

      setClockAhead(store, 11 * 60_000)
      await shopper.open(id, "sbp")
    })

    it("counts no creation that the service refuses, or does not answer (promise 6)", async () => {
      const { id } = await shopper.cart()
      const collectionId = await shopper.collection(id)
      const statuses = [400, 400, 429, 500, 503, 400, 400, 429, 500, 503]
      for (const status of statuses) {
        store.simulator.fault({ on: "create", kind: "status", status })
        expect((await shopper.choose(collectionId, "sbp")).status).toBeGreaterThanOrEqual(400)
      }
      expect((await shopper.choose(collectionId, "sbp")).status).toBe(200)
    })

    it("resumes the open payment when the same method is chosen again, also after another one (promise 5)", async () => {
      const first = await shopper.checkout("sbp")
      const second = await shopper.open(first.cartId, "sbp")
      expect(second.data.transaction_id).toBe(first.data.transaction_id)
      const crypto = await shopper.open(first.cartId, "crypto")
      expect(crypto.data.transaction_id).not.toBe(first.data.transaction_id)
      expect(crypto.data.method).toBe("crypto")
      const last = await shopper.open(first.cartId, "sbp")
      expect(last.data).toMatchObject({
        transaction_id: first.data.transaction_id,
        session_id: last.sessionId,
        redirect: first.data.redirect,
        expires_at: first.data.expires_at,
      })
      expect(creations(store).map(({ paymentMethod }) => paymentMethod)).toEqual([2, 13])
      const cart = await shopper.retrieve(first.cartId)
      expect(cart.payment_collection?.payment_sessions).toMatchObject([
        { id: last.sessionId, provider_id: "pp_sbp_main", status: "pending" },
      ])
      expect((await shopper.poll(first.sessionId)).status).toBe(200)

      await payToOrder(store, last)
      expect((await shopper.comeBack(first.sessionId)).location).toContain("/done?return=pstx_")
    })

    it("looks once whether an earlier attempt was paid before it opens another one after a decline (promises 5 and 6)", async () => {
      const { cartId, data } = await shopper.checkout("sbp")
      await stopWatcher(store)
      await store.simulator.decline(data.transaction_id, { callback: false })
      // The route's answer is young enough for our provider then, however slow the machine is.
      stopClock(store)
      store.simulator.clearRequests()
      const again = await shopper.open(cartId, "sbp")
      expect(again.data.transaction_id).not.toBe(data.transaction_id)
      const ofDeletion = 1
      expect(store.simulator.requests({ on: "get" })).toHaveLength(1 + ofDeletion)
    })

    it("opens one transaction for two tabs that pay at once, also when the service takes its time", async () => {
      store.simulator.fault({ on: "create", kind: "slow", delayMs: 2_500 })
      const cart = await shopper.cart()
      const collection = await shopper.collection(cart.id)
      const tabs = await Promise.all([
        shopper.choose(collection, "sbp"),
        shopper.choose(collection, "sbp"),
      ])
      expect(tabs.map(({ status }) => status)).toEqual([200, 200])
      expect(creations(store)).toHaveLength(1)

      const [made] = store.simulator.transactions().slice(-1)
      await store.simulator.pay(made?.id ?? "")
      const row = await store.module.findByTransactionId(made?.id ?? "")
      await settledRow(store, row?.session_id ?? "")
      await expectPaidOrder(store, cart.id)
    })

    it("opens one transaction for a page that is loaded again while it is being opened", async () => {
      store.simulator.fault({ on: "create", kind: "slow", delayMs: 1_000 })
      const collection = await shopper.collection((await shopper.cart()).id)
      const gaveUp = new AbortController()
      const address = `/store/payment-collections/${collection}/payment-sessions`
      const body = { provider_id: "pp_sbp_main" }
      const asked = store.http.post(address, body, { signal: gaveUp.signal })
      await eventually("the service is asked", async () => creations(store).length)
      gaveUp.abort()
      await expect(asked).rejects.toThrow(/abort|cancel/i)
      expect((await shopper.choose(collection, "sbp")).status).toBe(200)
      expect(creations(store)).toHaveLength(1)
    })

    it("does not take another provider's session for its own, whatever a browser wrote into it", async () => {
      const sbp = await shopper.checkout("sbp")
      const payments = store.container.resolve(Modules.PAYMENT)
      const other = await payments.createPaymentSession(sbp.collectionId, {
        provider_id: "pp_system_default",
        amount: 2290,
        currency_code: "rub",
        data: { transaction_id: sbp.data.transaction_id },
      })
      await payments.deletePaymentSession(sbp.sessionId)
      await store.simulator.pay(sbp.data.transaction_id)
      await eventually("it is seen", async () => {
        const row = await store.module.findByTransactionId(sbp.data.transaction_id)
        return row?.settled_at
      })
      expect(await payments.listPayments({ payment_session_id: other.id })).toEqual([])
      await expectPaidOrder(store, sbp.cartId)
    })

    it("orders a cart that is as it was, whichever of its attempts was paid, and asks nobody again (promise 4)", async () => {
      const sbp = await shopper.checkout("sbp")
      const crypto = await shopper.open(sbp.cartId, "crypto")
      expect((await shopper.poll(sbp.sessionId)).data).toMatchObject({
        session: {
          state: "replaced",
          qr: null,
          redirect: null,
          payable_again: true,
          open_attempt: { session_id: crypto.sessionId, method: "crypto" },
        },
      })
      const order = await payToOrder(store, sbp)
      for (const id of [sbp.sessionId, crypto.sessionId]) {
        const { data } = await shopper.poll(id)
        expect(data).toMatchObject({
          session: { id, state: "paid", order_id: order.id, method: "sbp", payable_again: false },
        })
      }
      // The other code was still on a screen: what it brings is for a person.
      await store.simulator.pay(crypto.data.transaction_id)
      expect(await rowWithException(store, crypto)).toMatchObject({ exception: "paid_twice" })
      await expectPaidOrder(store, sbp.cartId)
    })

    it("refuses a further payment for a cart that is paid already, and orders it", async () => {
      const sbp = await shopper.checkout("sbp")
      const crypto = await shopper.open(sbp.cartId, "crypto")
      await store.simulator.pay(crypto.data.transaction_id, { callback: false })
      const refused = await shopper.choose(sbp.collectionId, "sbp")
      expect(refused).toMatchObject({
        status: 400,
        data: {
          code: expect.stringMatching(/^cart_(received|needs_look)$/),
          message: expect.stringContaining("do not pay again"),
        },
      })
      await settledRow(store, crypto.sessionId)
      await expectPaidOrder(store, sbp.cartId)
    })
  })

  describe("the payer's return and the storefront's polling", () => {
    it("sends the payer to the page of what the service says, whatever the query hints at (promise 1)", async () => {
      await stopWatcher(store)
      const paid = await paidUnheard(store, shopper)
      const [pending, declined] = [await shopper.checkout(), await shopper.checkout()]
      const id = (await rowOf(store, pending)).id
      const queries = [
        "hint=success",
        "hint=failure",
        "",
        `hint=success&status=CONFIRMED&state=paid&order_id=order_1&session_id=${paid.sessionId}`,
        `hint=http://evil.test&successUrl=http://evil.test&return=//evil.test&transactionId=${paid.data.transaction_id}`,
      ]
      const waiting = { status: 302, location: `http://shop.test/wait?return=${id}&state=pending` }
      const answers = queries.map((query) => shopper.comeBack(pending.sessionId, query))
      expect(await Promise.all(answers)).toEqual(queries.map(() => waiting))
      expect((await rowOf(store, paid)).state).toBe("pending")

      await store.simulator.decline(declined.data.transaction_id, { callback: false })
      const failed = `http://shop.test/failed?return=${(await rowOf(store, declined)).id}`
      expect(await shopper.comeBack(declined.sessionId, "hint=success")).toEqual({
        status: 302,
        location: `${failed}&state=canceled`,
      })
      expect((await shopper.poll(declined.sessionId)).data).toMatchObject({
        session: { state: "canceled" },
      })
      // The address tells no id but the return id.
      expect(await shopper.land(paid.sessionId, "hint=failure")).toEqual({
        status: 302,
        location: `http://shop.test/ru/done?return=${(await rowOf(store, paid)).id}&state=paid`,
      })
      await expectPaidOrder(store, paid.cartId)
    })

    it("calls a slow service at most eight times at once for many who complete paid carts and others who come back or change the method, and keeps none for long (promise 25)", async () => {
      await stopWatcher(store)
      const payments: OpenPayment[] = []
      while (payments.length < MANY) payments.push(await paidUnheard(store, shopper))
      const others: OpenPayment[] = []
      while (others.length < MANY / 5) others.push(await shopper.checkout())
      setUntilTheTestEnds(Queue, { longestWaitMs: LONGEST_WAIT_MS })
      const waits = timeSettles(store)
      // Calls that are given up end here, although the simulator goes on waiting.
      const calls = countCalls()
      store.simulator.fault({ on: "get", kind: "slow", delayMs: 3_000, times: Infinity })
      const completions = payments.map(({ cartId }) => shopper.complete(cartId))
      const besides = others.map(({ sessionId, cartId }, number) =>
        number % 2 ? shopper.open(cartId, "crypto") : shopper.comeBack(sessionId)
      )
      // An order, or the advice to try again.
      for (const { status } of await Promise.all(completions)) expect([200, 400]).toContain(status)
      await Promise.all(besides)
      expect(waits.length).toBeGreaterThanOrEqual(MANY)
      expect(Math.max(...waits)).toBeLessThanOrEqual(LONGEST_WAIT_MS + BUSY_MS)
      store.simulator.clearFaults()
      await queueOf(store.module).idle()
      expect(calls.all).toBeGreaterThanOrEqual(MANY)
      expect(calls.most).toBeGreaterThan(1)
      expect(calls.most).toBeLessThanOrEqual(8)
    })

    it.each([
      ["while the service hangs", false],
      ["while another instance has claimed the payment", true],
    ])(
      "answers `/complete`, the return page and an admin's click after eight seconds at most %s (promise 25)",
      async (_, isClaimed) => {
        await stopWatcher(store)
        const admin = await logIn(store)
        const payment = await paidUnheard(store, shopper)
        const { id } = await rowOf(store, payment)
        expect(LONGEST_WAIT_MS).toBe(8_000)
        setUntilTheTestEnds(Queue, { longestWaitMs: LONGEST_WAIT_MS })
        // The wait ends, and not the read.
        setUntilTheTestEnds(TIMEOUTS, { readMs: 20_000 })
        store.simulator.fault({ on: "get", kind: "hang", times: Infinity })
        if (isClaimed) {
          const claimed_until = new Date(store.module.clock.now().getTime() + CLAIM_MS)
          await store.module.updateTransactions({ id, claimed_until })
        }
        store.simulator.clearRequests()
        const began = Date.now()
        const timed = async <T>(request: Promise<T>) => {
          const answer = await request
          return { answer, ms: Date.now() - began }
        }
        const [completed, returned, clicked] = await Promise.all([
          timed(shopper.complete(payment.cartId)),
          timed(shopper.comeBack(payment.sessionId)),
          timed(admin.post(`/admin/payment-service/transactions/${id}/settle`)),
        ])
        expect(completed.answer).toMatchObject({ status: 400, data: { code: "not_confirmed_yet" } })
        expect(returned.answer).toEqual({
          status: 302,
          location: `http://shop.test/wait?return=${id}&state=pending`,
        })
        expect(clicked.answer).toMatchObject({
          status: 200,
          data: { transaction: { state: "pending" } },
        })
        for (const { ms } of [completed, returned, clicked]) {
          expect(ms).toBeGreaterThan(LONGEST_WAIT_MS - 3_000)
          expect(ms).toBeLessThan(LONGEST_WAIT_MS + BUSY_MS)
        }
        expect(store.simulator.requests({ on: "get" })).toHaveLength(isClaimed ? 0 : 1)
      }
    )

    it("answers `/complete` of a paid cart after eight seconds at most although its order takes longer (promise 25)", async () => {
      await stopWatcher(store)
      const payment = await paidUnheard(store, shopper)
      setUntilTheTestEnds(Queue, { longestWaitMs: LONGEST_WAIT_MS })
      const { standing, goOn } = standStillAt("apply:decided")
      const began = Date.now()
      const completion = shopper.complete(payment.cartId)
      await standing
      expect(await completion).toMatchObject({
        status: 400,
        data: { code: "cart_being_completed" },
      })
      expect(Date.now() - began).toBeLessThan(LONGEST_WAIT_MS + BUSY_MS)
      goOn()
      await settledRow(store, payment.sessionId)
      await expectPaidOrder(store, payment.cartId)
    })

    it("reads the service once in two seconds for a shopper who completes an unpaid cart again and again (promise 25)", async () => {
      const { cartId } = await shopper.checkout()
      await stopWatcher(store)
      const time = stopClock(store)
      store.simulator.clearRequests()
      for (const reads of [1, 2]) {
        for (let completions = 0; completions < 10; completions++) {
          expect((await shopper.complete(cartId)).status).toBe(400)
        }
        expect(store.simulator.requests({ on: "get" })).toHaveLength(reads)
        time.now += 2_000
      }
    })

    it("asks the database little for a hundred who come back while the service hangs, and keeps none for long", async () => {
      const { sessionId } = await shopper.checkout()
      store.simulator.fault({ on: "get", kind: "hang", times: Infinity })
      const knex = store.container.resolve<Queries>(ContainerRegistrationKeys.PG_CONNECTION)
      let statements = 0
      const count = () => void statements++
      const page = `/payment-service/return/${(await store.module.findBySession(sessionId))?.id ?? ""}`
      setUntilTheTestEnds(Queue, { longestWaitMs: LONGEST_WAIT_MS })
      const waits = timeSettles(store)
      let began = 0
      await withoutWatcher(store, async () => {
        knex.on("query", count)
        began = Date.now()
        try {
          const answers = Array.from({ length: 100 }, () => store.http.get(page))
          for (const { status } of await Promise.all(answers)) expect(status).toBe(302)
        } finally {
          knex.removeListener("query", count)
        }
      })
      expect(waits).toHaveLength(100)
      expect(Math.max(...waits)).toBeLessThanOrEqual(LONGEST_WAIT_MS + BUSY_MS)
      // The longer a busy machine takes, the more the store asks besides.
      const late = Math.max(0, Date.now() - began - 10_000)
      expect(statements).toBeLessThanOrEqual(500 + late / 100)
    })

    it("answers an unknown session, and another id than the session's, with 404 and no call to the service", async () => {
      const payment = await shopper.checkout()
      const { payment_collection_id } = await rowOf(store, payment)
      const known = [payment.data.transaction_id, payment_collection_id, payment.cartId]
      store.simulator.clearRequests()
      for (const id of ["payses_01UNKNOWN", "x'--", "%F0%9F%92%A9", ...known]) {
        const back = await shopper.comeBack(id)
        expect([id, back]).toEqual([id, { status: 404, location: "" }])
        expect([id, (await shopper.poll(id)).status]).toEqual([id, 404])
      }
      expect(store.simulator.requests({ on: "get" })).toEqual([])
    })

    it("shows what a storefront needs, and reads the service once for twenty polls in a second", async () => {
      const { sessionId, collectionId, data } = await shopper.checkout()
      await withoutWatcher(store, async () => {
        store.simulator.clearRequests()
        const reads = () => store.simulator.requests({ on: "get" }).length
        const began = Date.now()
        const polls = await Promise.all(Array.from({ length: 20 }, () => shopper.poll(sessionId)))
        const windows = 1 + Math.floor((Date.now() - began) / 2_000)
        expect(polls.map(({ status }) => status)).toEqual(Array(20).fill(200))
        await eventually("the read behind the answers", () => Promise.resolve(reads()))
        expect(reads()).toBeLessThanOrEqual(1 + windows)
      })
      const { session } = await eventually("the QR", async () => {
        const answer = (await shopper.poll(sessionId)).data as { session: { qr: string | null } }
        return answer.session.qr ? answer : null
      })
      expect(session).toEqual({
        id: sessionId,
        return_id: (await store.module.findBySession(sessionId))?.id,
        state: "pending",
        order_id: null,
        order_display_id: null,
        redirect: data.redirect,
        qr: store.simulator.transaction(data.transaction_id).qr,
        expires_at: data.expires_at,
        method: "sbp",
        amount: "2290.00",
        currency: "RUB",
        usdt_rate: "92.5",
        paid_at: null,
        reference: data.transaction_id.slice(0, 8),
        provider_id: "pp_sbp_main",
        payment_collection_id: collectionId,
        payable_again: false,
        open_attempt: null,
        server_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      })
      // The short number that a shopper quotes is found by the dashboard's search (promise 19).
      const admin = await logIn(store)
      const { reference } = session as unknown as { reference: string }
      const { data: found } = await admin.get(
        `/admin/payment-service/transactions?q=${reference.toUpperCase()}`
      )
      expect(found.transactions).toMatchObject([{ transaction_id: data.transaction_id }])
    })
  })

  describe("the return address", () => {
    returnAddress(store)
  })
})

const SERVED_KEYS = [
  "amount",
  "currency",
  "expires_at",
  "method",
  "redirect",
  "session_id",
  "transaction_id",
  "usdt_rate",
]

/** The wait of each caller of the queue from now on: a machine may take long to begin with many requests, so each is timed from then on. */
function timeSettles(store: TestStore): number[] {
  const waits: number[] = []
  const queue = queueOf(store.module)
  const settle = queue.settle.bind(queue)
  const timed = jest.spyOn(queue, "settle").mockImplementation(async (...input) => {
    const began = Date.now()
    return await settle(...input).finally(() => waits.push(Date.now() - began))
  })
  untilTheTestEnds(() => timed.mockRestore())
  return waits
}

/** Counts reads of transactions that go on at once in this process, also those that the service has not heard of yet. */
function countCalls() {
  const calls = { open: 0, most: 0, all: 0 }
  const counted = jest.spyOn(PaymentServiceClient.prototype, "getTransaction")
  const read = counted.getMockImplementation()
  if (!read) throw new Error("jest no longer tells the method that it spies on")
  counted.mockImplementation(async function (this: PaymentServiceClient, ...asked) {
    calls.all++
    calls.most = Math.max(calls.most, ++calls.open)
    return await read.apply(this, asked).finally(() => calls.open--)
  })
  untilTheTestEnds(() => counted.mockRestore())
  return calls
}

interface Creation {
  paymentMethod: number
  metadata?: { userId?: string; userName?: string; clientIp?: string }
}

function creations(store: TestStore): Creation[] {
  return store.simulator.requests({ on: "create" }).map(({ body }) => JSON.parse(body) as Creation)
}

/** Session data as it is in the database. */
async function storedData(store: TestStore, sessionId: string): Promise<Record<string, unknown>> {
  const session = await store.container.resolve(Modules.PAYMENT).retrievePaymentSession(sessionId)
  return session.data
}

interface Queries {
  on: (event: "query", listener: (query?: { sql: string }) => void) => void
  removeListener: (event: "query", listener: (query?: { sql: string }) => void) => void
}
