import { randomUUID } from "node:crypto"

import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { createRegionsWorkflow, updateRegionsWorkflow } from "@medusajs/medusa/core-flows"

import { Queue, queueOf } from "../../src/payments/queue"
import { addRows } from "./add-rows"
import { addProduct } from "./assortment"
import { atLabelledPoints } from "./at-labelled-points"
import { logIn } from "./admin"
import { returnAddress } from "./checkout/return-address"
import { setClockAhead, stopClock, stopWatcher, withoutWatcher } from "./passes"
import {
  expectPaidOrder,
  type OpenPayment,
  paidUnheard,
  payToOrder,
  payUntilSettled,
  registeredShopper,
  rowOf,
  rowWhen,
  rowWithException,
  Shopper,
} from "./shopper"
import { describeStore, eventually, settledRow, type TestStore } from "./store"
import { setUntilTheTestEnds } from "./until-the-test-ends"

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

    it("makes the key of these digests once, however many need it first", async () => {
      const module = store.module as unknown as { generatedKey(name: string): Promise<string> }
      for (const name of ["one", "another"]) {
        const keys = await Promise.all(
          Array.from({ length: 20 }, () => module.generatedKey(`tried ${name}`))
        )
        expect(new Set(keys).size).toBe(1)
      }
    })

    it("needs an e-mail address, and says so before any call", async () => {
      const cart = await shopper.cart({ email: null })
      const collection = await shopper.collection(cart.id)
      expect(await shopper.choose(collection, "sbp")).toMatchObject({
        status: 400,
        data: { code: "needs_email", message: expect.stringContaining("e-mail address") },
      })
      expect(store.simulator.requests()).toEqual([])

      await shopper.raw("post", `/store/carts/${cart.id}`, { email: "late@shopper.test" })
      const { data } = await shopper.open(cart.id, "sbp")
      expect(store.simulator.transaction(data.transaction_id).amount).toBe(2290)
    })

    it("refuses another currency before any call", async () => {
      const { result } = await createRegionsWorkflow(store.container).run({
        input: {
          regions: [
            {
              name: "USA",
              currency_code: "usd",
              countries: ["us"],
              payment_providers: ["pp_sbp_main", "pp_crypto_main"],
            },
          ],
        },
      })
      const variantId = await addProduct(store, [{ currency_code: "usd", amount: 100 }])
      const created = await shopper.raw("post", "/store/carts", {
        region_id: result[0]?.id,
        email: "guest@shopper.test",
        items: [{ variant_id: variantId, quantity: 1 }],
      })
      const { cart } = created.data as {
        cart: { id: string; total: number; currency_code: string }
      }
      expect(cart).toMatchObject({ total: 100, currency_code: "usd" })
      for (const method of ["sbp", "crypto"] as const) {
        expect(await shopper.choose(await shopper.collection(cart.id), method)).toMatchObject({
          status: 400,
          data: { code: "other_currency", message: expect.stringMatching(/RUB, not USD/) },
        })
      }
      expect(store.simulator.requests()).toEqual([])
    })

    it("opens at most ten payments per cart in ten minutes", async () => {
      const { id } = await shopper.cart()
      for (let opened = 1; opened <= 10; opened++) {
        await shopper.open(id, opened % 2 ? "sbp" : "crypto")
        expect((await shopper.addItem(id)).status).toBe(200)
      }
      expect(await shopper.choose(await shopper.collection(id), "sbp")).toMatchObject({
        status: 400,
        data: { code: "perCart", message: expect.stringContaining("Too many payments") },
      })
      expect(creations(store)).toHaveLength(10)
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

    it("resumes the open payment when the same method is chosen again", async () => {
      const first = await shopper.checkout("sbp")
      const second = await shopper.open(first.cartId, "sbp")
      const third = await shopper.open(first.cartId, "sbp")
      expect(second.data.transaction_id).toBe(first.data.transaction_id)
      expect(third.data).toMatchObject({
        transaction_id: first.data.transaction_id,
        session_id: third.sessionId,
        redirect: first.data.redirect,
        expires_at: first.data.expires_at,
      })
      expect(creations(store)).toHaveLength(1)
      expect((await shopper.poll(first.sessionId)).status).toBe(200)

      await store.simulator.pay(first.data.transaction_id)
      await settledRow(store, third.sessionId)
      await expectPaidOrder(store, first.cartId)
      expect((await shopper.comeBack(first.sessionId)).location).toContain("/done?return=pstx_")
    })

    it("makes a new payment rather than resume one with no time left", async () => {
      const first = await shopper.checkout("sbp")
      const expiresAt = store.simulator.now() + 30_000
      store.simulator.edit(first.data.transaction_id, { expiresAt })
      const second = await shopper.open(first.cartId, "sbp")
      expect(second.data.transaction_id).not.toBe(first.data.transaction_id)
      expect(creations(store)).toHaveLength(2)
    })

    it("goes back to the first payment when the shopper switches there and back", async () => {
      const sbp = await shopper.checkout("sbp")
      const crypto = await shopper.open(sbp.cartId, "crypto")
      expect(crypto.data.transaction_id).not.toBe(sbp.data.transaction_id)
      expect(crypto.data.method).toBe("crypto")
      const again = await shopper.open(sbp.cartId, "sbp")
      expect(again.data.transaction_id).toBe(sbp.data.transaction_id)
      expect(creations(store).map(({ paymentMethod }) => paymentMethod)).toEqual([2, 13])
      const cart = await shopper.retrieve(sbp.cartId)
      expect(cart.payment_collection?.payment_sessions).toMatchObject([
        { id: again.sessionId, provider_id: "pp_sbp_main", status: "pending" },
      ])

      await payUntilSettled(store, again)
      await expectPaidOrder(store, sbp.cartId)
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

    /** A shopper who chooses a way to pay, and goes away as soon as the service is asked. */
    const chooseAndHangUp = async (collection: string, method: string, on: "create" | "get") => {
      const gaveUp = new AbortController()
      const asked = expect(
        store.http.post(
          `/store/payment-collections/${collection}/payment-sessions`,
          { provider_id: `pp_${method}_main` },
          { signal: gaveUp.signal }
        )
      ).rejects.toThrow(/abort|cancel/i)
      await eventually("the service is asked", async () => store.simulator.requests({ on }).length)
      gaveUp.abort()
      await asked
    }

    it("opens one transaction for a page that is loaded again while it is being opened", async () => {
      store.simulator.fault({ on: "create", kind: "slow", delayMs: 1_000 })
      const collection = await shopper.collection((await shopper.cart()).id)
      await chooseAndHangUp(collection, "sbp", "create")
      expect((await shopper.choose(collection, "sbp")).status).toBe(200)
      expect(creations(store)).toHaveLength(1)
    })

    it("opens one transaction for two sessions that the shop's own code makes at once", async () => {
      const collection = await shopper.collection((await shopper.cart()).id)
      const payments = store.container.resolve(Modules.PAYMENT)
      const session = { provider_id: "pp_sbp_main", amount: 2290, currency_code: "rub", data: {} }
      const made = await Promise.all(
        [1, 2].map(() => payments.createPaymentSession(collection, session))
      )
      expect(made[0]?.data.transaction_id).toBe(made[1]?.data.transaction_id)
      expect(creations(store)).toHaveLength(1)
    })

    it("is not kept from it by a browser that gave up waiting", async () => {
      const first = await shopper.checkout("sbp")
      const { id } = await rowOf(store, first)
      await store.module.updateTransactions({ id, read_at: new Date(Date.now() - 60_000) })
      store.simulator.fault({ on: "get", kind: "slow", delayMs: 1_000 })
      await chooseAndHangUp(first.collectionId, "crypto", "get")
      expect(store.simulator.requests({ on: "get" })).toHaveLength(1)
      await eventually("nobody holds the cart", async () => {
        return !(await store.module.leases.isHeld(`opening:${first.collectionId}`))
      })
      expect(creations(store)).toHaveLength(1)
      const again = await shopper.open(first.cartId, "crypto")
      expect(again.data.transaction_id).not.toBe(first.data.transaction_id)
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

    it("asks for nothing any more on a page whose cart was ordered in another way", async () => {
      const payment = await shopper.checkout("sbp")
      const { cartId, collectionId, sessionId } = payment
      await updateRegionsWorkflow(store.container).run({
        input: {
          selector: { id: store.shop.regionId },
          update: { payment_providers: ["pp_system_default", "pp_sbp_main", "pp_crypto_main"] },
        },
      })
      const sessions = `/store/payment-collections/${collectionId}/payment-sessions`
      await shopper.raw("post", sessions, { provider_id: "pp_system_default" })
      const { data } = await shopper.complete(cartId)
      const { order } = data as { order: { id: string } }
      expect((await shopper.poll(sessionId)).data).toMatchObject({
        session: { state: "replaced", payable_again: false, order_id: order.id },
      })
      await store.simulator.decline(payment.data.transaction_id)
      const session = await eventually("the decline is seen", async () => {
        const polled = (await shopper.poll(sessionId)).data as { session: { state: string } }
        return polled.session.state === "canceled" && polled.session
      })
      expect(session).toMatchObject({ payable_again: false })
    })

    it("tells a page whose cart has changed elsewhere what is to be paid now", async () => {
      const before = await shopper.checkout("sbp")
      await shopper.addItem(before.cartId)
      const { data } = await shopper.poll(before.sessionId)
      const { session } = data as { session: { amount: string } }
      expect(session).toMatchObject({
        state: "replaced",
        qr: null,
        payable_again: true,
        open_attempt: null,
      })
      expect(Number(session.amount)).toBeGreaterThan(Number(before.data.amount))
      const again = await shopper.choose(before.collectionId, "sbp")
      expect(again.status).toBe(200)
      const now = await shopper.open(before.cartId, "sbp")
      expect(now.data.amount).toBe(session.amount)
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
    it("sends a payer with proof to the success page, whose address tells no id but the return id", async () => {
      const { cartId, sessionId } = await paidUnheard(store, shopper)
      const back = await shopper.land(sessionId, "hint=failure")
      await expectPaidOrder(store, cartId)
      const { id } = (await store.module.findBySession(sessionId))!
      expect(back).toEqual({
        status: 302,
        location: `http://shop.test/ru/done?return=${id}&state=paid`,
      })
    })

    it("sends a payer who declined to the failure page", async () => {
      const { sessionId, data } = await shopper.checkout()
      await store.simulator.decline(data.transaction_id, { callback: false })
      const { id } = (await store.module.findBySession(sessionId))!
      expect(await shopper.comeBack(sessionId, "hint=success")).toEqual({
        status: 302,
        location: `http://shop.test/failed?return=${id}&state=canceled`,
      })
      expect((await shopper.poll(sessionId)).data).toMatchObject({ session: { state: "canceled" } })
    })

    it("believes neither the hint nor anything else in the query", async () => {
      await stopWatcher(store)
      const paid = await paidUnheard(store, shopper)
      const { sessionId } = await shopper.checkout()
      const { id } = (await store.module.findBySession(sessionId))!
      const waiting = {
        status: 302,
        location: `http://shop.test/wait?return=${id}&state=pending`,
      }
      const queries = [
        "hint=success",
        "hint=failure",
        "",
        `hint=success&status=CONFIRMED&state=paid&order_id=order_1&session_id=${paid.sessionId}`,
        `hint=http://evil.test&successUrl=http://evil.test&return=//evil.test&transactionId=${paid.data.transaction_id}`,
      ]
      const answers = queries.map((query) => shopper.comeBack(sessionId, query))
      expect(await Promise.all(answers)).toEqual(queries.map(() => waiting))
      expect((await store.module.findBySession(paid.sessionId))?.state).toBe("pending")
    })

    it.each<
      [string, (shopper: Shopper, of: OpenPayment) => Promise<unknown>, (id: string) => object]
    >([
      [
        "who come back",
        (shopper, { sessionId }) => shopper.comeBack(sessionId),
        (id) => ({ status: 302, location: `http://shop.test/wait?return=${id}&state=pending` }),
      ],
      [
        "completions of its unpaid cart",
        (shopper, { cartId }) => shopper.complete(cartId),
        () => ({ status: 400 }),
      ],
      [
        "callbacks",
        (_, { data }) => store.simulator.sendCallback(data.transaction_id),
        () => [200],
      ],
    ])("shares its reads of the service among forty %s at once", async (_, ask, answerFor) => {
      const payment = await shopper.checkout()
      const { id } = await rowOf(store, payment)
      await stopWatcher(store)
      store.simulator.fault({ on: "get", kind: "slow", delayMs: 1_000, times: Infinity })
      store.simulator.clearRequests()
      const answers = await Promise.all(Array.from({ length: 40 }, () => ask(shopper, payment)))
      for (const answer of answers) expect(answer).toMatchObject(answerFor(id))
      const reads = () => store.simulator.requests({ on: "get" }).length
      await eventually("a read", async () => reads())
      await queueOf(store.module).idle()
      // An answer counts only for who came before it was asked for.
      expect(reads()).toBeLessThan(10)
    })

    it("lands a payer right who paid just after somebody's read", async () => {
      const { cartId, sessionId, data } = await shopper.checkout()
      await withoutWatcher(store, async () => {
        await shopper.poll(sessionId)
        await rowWhen(store, { sessionId }, (row) => row.read_at)
        await store.simulator.pay(data.transaction_id, { callback: false })
        expect((await shopper.land(sessionId)).location).toContain("/ru/done?")
      })
      await expectPaidOrder(store, cartId)
    })

    it("waits for whoever settles already, and lands everybody right", async () => {
      const { cartId, sessionId, data } = await shopper.checkout()
      await withoutWatcher(store, async () => {
        await store.simulator.pay(data.transaction_id, { callback: false })
        store.simulator.clearRequests()
        let reads = 0
        atLabelledPoints(async (point) => {
          if (point !== "read:answered" || ++reads > 1) return
          // Each reader waits here until the others have come.
          await eventually("the others", () => Promise.resolve(asked === answers.length))
        })
        let asked = 0
        const answers = Array.from({ length: 6 }, async () => {
          const answer = shopper.land(sessionId)
          asked++
          return await answer
        })
        for (const { location } of await Promise.all(answers)) {
          expect(location).toContain("/ru/done?")
        }
      })
      await expectPaidOrder(store, cartId)
    })

    it("reads nothing for the page while an attempt waits for its next time, or nothing can change", async () => {
      const { sessionId } = await shopper.checkout()
      await stopWatcher(store)
      const id = (await store.module.findBySession(sessionId))?.id ?? ""
      store.simulator.clearRequests()
      for (const state of [
        { apply_after: new Date(Date.now() + 60_000) },
        { apply_after: null, watch_at: null },
      ]) {
        await store.module.updateTransactions({ id, ...state })
        expect((await shopper.comeBack(sessionId)).location).toContain("/wait?")
        expect(store.simulator.requests()).toEqual([])
      }
    })

    it("calls the service at most eight times at once for thirty who come back or complete their carts", async () => {
      const payments: OpenPayment[] = []
      while (payments.length < 30) payments.push(await shopper.checkout())
      await stopWatcher(store)
      let [reading, most] = [0, 0]
      atLabelledPoints(async (point) => {
        if (point !== "read:answered") return
        most = Math.max(most, ++reading)
        // Long enough for all the others to come here, if they were let in.
        await new Promise((resolve) => setTimeout(resolve, 500))
        reading--
      })
      await Promise.all(
        payments.map(({ sessionId, cartId }, number) =>
          number % 2 ? shopper.comeBack(sessionId) : shopper.complete(cartId)
        )
      )
      expect(most).toBeGreaterThan(1)
      expect(most).toBeLessThanOrEqual(8)
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
      setUntilTheTestEnds(Queue, { longestWaitMs: 8_000 })
      // The machine may take long to begin with a hundred requests, so each is timed from then on.
      const waits: number[] = []
      const queue = queueOf(store.module)
      const settle = queue.settle.bind(queue)
      const timed = jest.spyOn(queue, "settle").mockImplementation(async (...input) => {
        const began = Date.now()
        return await settle(...input).finally(() => waits.push(Date.now() - began))
      })
      await withoutWatcher(store, async () => {
        knex.on("query", count)
        try {
          const answers = Array.from({ length: 100 }, () => store.http.get(page))
          for (const { status } of await Promise.all(answers)) expect(status).toBe(302)
        } finally {
          knex.removeListener("query", count)
          timed.mockRestore()
        }
      })
      expect(waits).toHaveLength(100)
      expect(Math.max(...waits)).toBeLessThanOrEqual(8_000)
      expect(statements).toBeLessThanOrEqual(500)
    })

    it("answers polls at once while the service hangs, and reads eight payments at a time", async () => {
      const watch_at = new Date(Date.now() + 3_600_000)
      const rows = await addRows(
        store,
        Array.from({ length: 30 }, () => ({ watch_at }))
      )
      const paid = await shopper.checkout()
      await stopWatcher(store)
      store.simulator.fault({ on: "get", kind: "hang", times: Infinity })
      store.simulator.clearRequests()
      const answers = await Promise.all(rows.map((row) => shopper.poll(row.session_id)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      const reads = () => store.simulator.requests({ on: "get" }).length
      await eventually("polls' reads", () => Promise.resolve(reads() === 8))
      store.simulator.clearFaults()
      // A payment that is paid meanwhile is settled after those.
      await payUntilSettled(store, paid)
    })

    it("answers an unknown session with 404 and no call to the service", async () => {
      for (const id of ["payses_01UNKNOWN", randomUUID(), "x'--", "%F0%9F%92%A9"]) {
        const back = await shopper.comeBack(id)
        expect([id, back]).toEqual([id, { status: 404, location: "" }])
        expect([id, (await shopper.poll(id)).status]).toEqual([id, 404])
      }
      expect(store.simulator.requests()).toEqual([])
    })

    it("does not serve one shopper's payment by another's transaction id", async () => {
      const { cartId, data, sessionId } = await shopper.checkout()
      const row = await store.module.findBySession(sessionId)
      for (const id of [data.transaction_id, row?.payment_collection_id ?? "", cartId]) {
        expect((await shopper.poll(id)).status).toBe(404)
      }
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

    it("answers a poll by one statement, and computes no totals, also after the cart has changed", async () => {
      const { sessionId, cartId } = await shopper.checkout()
      const changed = await shopper.checkout()
      await shopper.addItem(changed.cartId)
      store.simulator.fault({ on: "get", kind: "hang", times: Infinity })
      const knex = store.container.resolve<Queries>(ContainerRegistrationKeys.PG_CONNECTION)
      const statements: string[] = []
      const note = (query?: { sql: string }) => void statements.push(query?.sql ?? "")
      await stopWatcher(store)
      for (const [id, state] of [
        [sessionId, "pending"],
        [changed.sessionId, "replaced"],
      ] as const) {
        statements.length = 0
        knex.on("query", note)
        const { data } = await shopper.poll(`${id}?cart_id=${cartId}`)
        knex.removeListener("query", note)
        expect(data).toMatchObject({ session: { state } })
        // Core looks at the publishable key first, the row is claimed behind the answer, and core's scheduler begins its jobs.
        const ours = statements.filter((sql) => !/api_key|workflow_execution|^\s*update/i.test(sql))
        expect(ours).toEqual([expect.stringMatching(/from payment_service_transaction/)])
      }
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
