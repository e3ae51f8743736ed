import { randomUUID } from "node:crypto"

import { expectPaidOrder, Shopper } from "./shopper"
import { describeStore, eventually } from "./store"

describeStore("the payer's return and the storefront's polling", {}, (store) => {
  it("sends a payer with proof to the success page, with every placeholder filled in", async () => {
    const shopper = new Shopper(store)
    const { cartId, sessionId, data } = await shopper.checkout()
    await store.simulator.pay(data.transaction_id, { callback: false })
    const back = await shopper.comeBack(sessionId, "hint=failure")
    const order = await expectPaidOrder(store, cartId)
    expect(back).toEqual({
      status: 302,
      location: `http://shop.test/ru/done?order=${order.id}&cart=${cartId}&session=${sessionId}&state=paid`,
    })
  })

  it("sends a payer who declined to the failure page", async () => {
    const shopper = new Shopper(store)
    const { cartId, sessionId, data } = await shopper.checkout()
    await store.simulator.decline(data.transaction_id, { callback: false })
    expect(await shopper.comeBack(sessionId, "hint=success")).toEqual({
      status: 302,
      location: `http://shop.test/failed?cart=${cartId}&state=canceled`,
    })
    expect((await shopper.poll(sessionId)).data).toMatchObject({ session: { state: "canceled" } })
  })

  it("believes neither the hint nor anything else in the query", async () => {
    const shopper = new Shopper(store)
    const paid = await shopper.checkout()
    await store.simulator.pay(paid.data.transaction_id, { callback: false })
    const { sessionId } = await shopper.checkout()
    const waiting = {
      status: 302,
      location: `http://shop.test/wait?session=${sessionId}&state=pending`,
    }
    for (const query of [
      "hint=success",
      "hint=failure",
      "",
      `hint=success&status=CONFIRMED&state=paid&order_id=order_1&session_id=${paid.sessionId}`,
      `hint=http://evil.test&successUrl=http://evil.test&return=//evil.test&transactionId=${paid.data.transaction_id}`,
    ]) {
      expect(await shopper.comeBack(sessionId, query)).toEqual(waiting)
    }
    expect((await store.module.findBySession(paid.sessionId))?.state).toBe("pending")
  })

  it("answers an unknown session with 404 and no call to the service", async () => {
    const shopper = new Shopper(store)
    for (const id of ["payses_01UNKNOWN", randomUUID(), "x'--", "%F0%9F%92%A9"]) {
      const back = await shopper.comeBack(id)
      expect([id, back]).toEqual([id, { status: 404, location: "" }])
      expect([id, (await shopper.poll(id)).status]).toEqual([id, 404])
    }
    expect(store.simulator.requests()).toEqual([])
  })

  it("does not serve one shopper's payment by another's transaction id", async () => {
    const shopper = new Shopper(store)
    const { data, sessionId } = await shopper.checkout()
    const row = await store.module.findBySession(sessionId)
    for (const id of [data.transaction_id, row?.id ?? "", row?.payment_collection_id ?? ""]) {
      expect((await shopper.poll(id)).status).toBe(404)
    }
  })

  it("shows what a storefront needs, and reads the service once for twenty polls in a second", async () => {
    const shopper = new Shopper(store)
    const { sessionId, data } = await shopper.checkout()
    store.simulator.clearRequests()
    const polls = await Promise.all(Array.from({ length: 20 }, () => shopper.poll(sessionId)))
    expect(polls.map(({ status }) => status)).toEqual(Array(20).fill(200))
    await eventually("the read behind the answers", async () => {
      return store.simulator.requests({ on: "get" }).length
    })
    expect(store.simulator.requests({ on: "get" }).length).toBeLessThanOrEqual(2)
    const { session } = await eventually("the QR", async () => {
      const answer = (await shopper.poll(sessionId)).data as { session: { qr: string | null } }
      return answer.session.qr ? answer : null
    })
    expect(session).toEqual({
      id: sessionId,
      state: "pending",
      order_id: null,
      redirect: data.redirect,
      qr: store.simulator.transaction(data.transaction_id).qr,
      expires_at: data.expires_at,
      method: "sbp",
      amount: "2290.00",
      currency: "RUB",
    })
  })

  it("notices by polling alone that a payment was made", async () => {
    const shopper = new Shopper(store)
    const { cartId, sessionId, data } = await shopper.checkout()
    await store.simulator.pay(data.transaction_id, { callback: false })
    const orderId = await eventually("the poll shows the order", async () => {
      const { session } = (await shopper.poll(sessionId)).data as {
        session: { state: string; order_id: string | null }
      }
      return session.state === "paid" && session.order_id
    })
    expect((await expectPaidOrder(store, cartId)).id).toBe(orderId)

    store.simulator.clearRequests()
    await shopper.poll(sessionId)
    expect(store.simulator.requests()).toEqual([])
  })

  it("never lets a poll wait for the service", async () => {
    const shopper = new Shopper(store)
    const { sessionId } = await shopper.checkout()
    store.simulator.fault({ on: "get", kind: "slow", delayMs: 2_000, times: 5 })
    const began = Date.now()
    expect((await shopper.poll(sessionId)).status).toBe(200)
    expect(Date.now() - began).toBeLessThan(1_000)
  })
})
