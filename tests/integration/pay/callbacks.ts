import { gzipSync } from "node:zlib"

import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import { followCallbacks } from "../follow-callbacks"
import { adminOf } from "../admin"
import { standStillAt } from "../at-labelled-points"
import { setClockAhead, stopWatcher, withoutWatcher } from "../passes"
import { expectOrderOf, expectPaidOrder, paidUnheard, Shopper } from "../shopper"
import { CALLBACK_TOKEN, eventually, settledRow, type TestStore } from "../store"

export function callbacksOfPayments(store: TestStore): void {
  const shopper = new Shopper(store)
  const admin = adminOf(store)
  const callbacks = followCallbacks(store)

  it("are not answered by a poll's read that was asked for before them (promise 25)", async () => {
    const payment = await shopper.checkout()
    const { standing, goOn } = standStillAt("read:answered")
    await withoutWatcher(store, async () => {
      store.simulator.clearRequests()
      await shopper.poll(payment.sessionId)
      // The service has said "PENDING" to the poll, which has not been written down yet.
      await standing
      await store.simulator.pay(payment.data.transaction_id)
      goOn()
      await expectOrderOf(store, payment)
    })
    expect(store.simulator.requests({ on: "get" })).toHaveLength(2)
  })

  it("of any kind are answered with the right status, and no more than 16 kB is unpacked (promise 12)", async () => {
    const gzip = { "content-encoding": "gzip" }
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024, " "))
    const bodies: [string, number, string | Buffer, Record<string, string>?][] = [
      ["a number", 200, "12"],
      ["half a JSON", 400, '{"transactionId":'],
      ["nothing", 200, ""],
      ["16 kB", 200, JSON.stringify("x".repeat(16 * 1024 - 2))],
      ["a byte over 16 kB", 413, JSON.stringify("x".repeat(16 * 1024 - 1))],
      ["deep nesting", 200, `${"[".repeat(8_000)}${"]".repeat(8_000)}`],
      ["a bomb", 413, bomb],
      ["a bomb that a header calls gzip", 413, bomb, gzip],
      ["gzip of a byte over 16 kB", 413, gzipSync(" ".repeat(16 * 1024 + 1)), gzip],
      ["half a gzip", 400, gzipSync("{}").subarray(0, 15)],
    ]
    const answers: [string, number][] = []
    for (const [name, , body, headers] of bodies) {
      answers.push([name, (await ring(store, body, headers)).status])
    }
    expect(answers).toEqual(bodies.map(([name, status]) => [name, status]))
    expect(store.simulator.requests()).toEqual([])
    expect(await store.module.listCallbacks({})).toEqual([])
  })

  it("with a wrong token are answered like an address that does not exist, whatever the body (promise 12)", async () => {
    const { data } = await paidUnheard(store, shopper)
    const bodies = [JSON.stringify({ id: data.transaction_id }), "no json", "x".repeat(20_000)]
    for (const token of ["wrong", `${CALLBACK_TOKEN}x`, CALLBACK_TOKEN.toUpperCase(), "a%2Fb"]) {
      const address = `${store.backendUrl}/hooks/payment-service/${token}`
      for (const body of bodies) {
        expect([token, (await ring(store, body, {}, address)).status]).toEqual([token, 404])
      }
    }
    expect(await store.module.listCallbacks({})).toEqual([])
  })

  it("name an id in any wrapping (promise 3)", async () => {
    const { data, sessionId } = await shopper.checkout()
    const id = data.transaction_id
    const json = JSON.stringify({ id })
    const form = { "content-type": "application/x-www-form-urlencoded" }
    const bodies: [string, string | Buffer, Record<string, string>][] = [
      ["gzip that a header names", gzipSync(json), { "content-encoding": "gzip" }],
      ["gzip that no header names", gzipSync(json), {}],
      ["JSON that a header calls gzip", json, { "content-encoding": "gzip" }],
      ["a form", `status=ok&id=${id}`, form],
      ["JSON as text/plain", json, { "content-type": "text/plain" }],
      ["32 digits in a form", `x=%7B%22id%22%3A%22${id.replaceAll("-", "")}%22%7D`, form],
    ]
    await stopWatcher(store)
    for (const [name, body, headers] of bodies) {
      store.simulator.clearRequests()
      expect([name, (await ring(store, body, headers)).status]).toEqual([name, 200])
      await eventually(`an id in ${name} is looked up`, async () => {
        return store.simulator.requests({ on: "get" }).length
      })
      await callbacks.allSettled()
    }
    expect(await store.module.listProblems({ kind: "callback_unreadable" })).toEqual([])
    expect((await store.module.findBySession(sessionId))?.state).toBe("pending")
  })

  it("that only check the address are no problem, and say when it was reached", async () => {
    const reached = async () => {
      const { data } = await admin.get("/admin/payment-service/connection")
      const [token] = data.callback_tokens as { reached_at: string | null }[]
      return token?.reached_at ?? null
    }
    expect(await reached()).toBeNull()
    const ask = async (method: string, address = store.callbackUrl) =>
      (await store.http.request({ method, url: address })).status
    for (const method of ["GET", "HEAD", "OPTIONS", "POST"]) {
      expect([method, await ask(method)]).toEqual([method, 200])
      expect([method, await ask(method, `${store.callbackUrl}x`)]).toEqual([method, 404])
    }
    const first = await reached()
    expect(first).not.toBeNull()
    for (const body of ["", "{}", '{"event":"test"}']) {
      expect([body, (await ring(store, body)).status]).toEqual([body, 200])
    }
    expect(await reached()).toBe(first)
    expect(await store.module.listProblems({ kind: "callback_unreadable" })).toEqual([])
    setClockAhead(store, 61_000)
    await ask("GET", `${store.callbackUrl}x`)
    expect(await reached()).toBe(first)
    await ask("GET")
    expect(await reached()).not.toBe(first)
    expect((await ring(store, '{"paymentId":12}')).status).toBe(200)
    expect(await store.module.listProblems({ kind: "callback_unreadable" })).toHaveLength(1)
  })

  it("lead to the order although they came before the reply to the creation (promise 3)", async () => {
    store.simulator.fault({ on: "create", kind: "callback_first" })
    const { cartId, sessionId, data } = await shopper.checkout()
    // It was written down, and makes the transaction due.
    const row = await store.module.findBySession(sessionId)
    expect(row?.hinted_at).not.toBeNull()
    // Paid in between, and that callback told nobody: only the early one is left to lead to the order.
    await store.simulator.pay(data.transaction_id, { callback: false })
    expect(store.simulator.callbacks().at(-1)).toMatchObject({
      transactionId: data.transaction_id,
      status: 200,
    })
    await settledRow(store, sessionId)
    await expectPaidOrder(store, cartId)
  })

  it("are answered 503 when they cannot be written down, and the next one is taken (promise 3)", async () => {
    const { data, sessionId } = await shopper.checkout()
    const sql = store.container.resolve<{ raw(statement: string): Promise<unknown> }>(
      ContainerRegistrationKeys.PG_CONNECTION
    )
    const body = JSON.stringify({ id: data.transaction_id })
    await sql.raw("alter table payment_service_callback rename to out_of_reach")
    try {
      expect((await ring(store, body)).status).toBe(503)
    } finally {
      await sql.raw("alter table out_of_reach rename to payment_service_callback")
    }
    await store.simulator.pay(data.transaction_id, { callback: false })
    expect((await ring(store, body)).status).toBe(200)
    await settledRow(store, sessionId)
  })

  it("have an address that is shown to administrators only, and one that is configured again is in use (promise 22)", async () => {
    const address = "/admin/payment-service/callback-tokens"
    expect((await store.http.get(address)).status).toBe(401)
    const [token] = await store.module.listCallbackTokens({})
    await store.module.updateCallbackTokens({ id: token?.id ?? "", replaced_at: new Date() })
    await store.module.callbackTokens.recordConfigured()
    const shown = await admin.get(address)
    expect(shown.data).toMatchObject({
      callback_url: store.callbackUrl,
      callback_tokens: [{ source: "option", replaced_at: null }],
    })
    // A new one would work, and nobody would ever be shown it.
    expect(await admin.post(address)).toMatchObject({
      status: 400,
      data: { message: expect.stringContaining("callbackToken") as string },
    })
  })
}

/** A request to the callback's address, sent as it is. */
async function ring(
  store: TestStore,
  body: string | Buffer,
  headers: Record<string, string> = {},
  address = store.callbackUrl
) {
  return await store.http.post<unknown>(address, body, {
    headers: { "content-type": "application/json", ...headers },
    transformRequest: [(sent: unknown) => sent],
    maxBodyLength: Infinity,
  })
}
