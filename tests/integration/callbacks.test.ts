import { randomUUID } from "node:crypto"
import { brotliCompressSync, gzipSync } from "node:zlib"

import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import forgetOld from "../../src/jobs/forget-old"
import { followCallbacks } from "./follow-callbacks"
import { adminOf } from "./admin"
import { atLabelledPoints } from "./at-labelled-points"
import { stopWatcher, withoutWatcher } from "./passes"
import { expectPaidOrder, ordersOf, payUntilSettled, rowWhen, Shopper } from "./shopper"
import { CALLBACK_TOKEN, describeStore, eventually, settledRow, type TestStore } from "./store"

const DAY = 24 * 3_600_000
const SECRETS = {
  secret: "canary-api-secret",
  email: "canary-guest@shopper.test",
  name: "Canary-Name",
}

/** As in production, because core's log of requests, which prints addresses, is off in tests. */
describeStore(
  "callbacks",
  { simulator: { secret: SECRETS.secret }, env: { NODE_ENV: "production" } },
  (store) => {
    const shopper = new Shopper(store)
    const admin = adminOf(store)

    const callbacks = followCallbacks(store)
    const output: string[] = []
    beforeAll(() => {
      for (const stream of [process.stdout, process.stderr]) {
        const write = stream.write.bind(stream) as (...parts: unknown[]) => boolean
        jest.spyOn(stream, "write").mockImplementation((...parts: unknown[]) => {
          output.push(String(parts[0]))
          return write(...parts)
        })
      }
    })
    afterEach(() => {
      output.push(...store.log)
    })
    afterAll(() => {
      jest.restoreAllMocks()
    })

    it("places one order when callbacks, return, completion and polls come at the same time", async () => {
      const { cartId, sessionId, data } = await shopper.checkout()
      await store.simulator.pay(data.transaction_id, { callback: false })
      const [statuses, back, completed] = await Promise.all([
        Promise.all(
          Array.from({ length: 20 }, () => store.simulator.sendCallback(data.transaction_id))
        ),
        shopper.comeBack(sessionId),
        shopper.complete(cartId),
        shopper.poll(sessionId),
        shopper.comeBack(sessionId, "hint=failure"),
      ])
      expect(statuses.flat()).toEqual(Array(20).fill(200))
      const row = await settledRow(store, sessionId)
      expect(row.exception).toBeNull()
      await callbacks.allSettled()
      const order = await expectPaidOrder(store, cartId)
      // On a busy machine the others have the cart for longer than a completion waits.
      const wasHeldUp = /try again in a moment/.test(JSON.stringify(completed.data))
      const answer = wasHeldUp ? await shopper.complete(cartId) : completed
      expect(answer).toMatchObject({ status: 200, data: { type: "order" } })
      expect(back.status).toBe(302)
      expect(back.location).toMatch(/shop\.test\/(ru\/done|wait)\?/)
      expect((await shopper.comeBack(sessionId)).location).toContain("/done?return=pstx_")
      await expectOneCapturedEvent(store, order)
    })

    it("reads the service once from the callback to the order, however often a storefront polls meanwhile", async () => {
      const { data, sessionId, cartId } = await shopper.checkout()
      const { id } = (await store.module.findBySession(sessionId)) ?? {}
      let polls = 0
      const takeAway = atLabelledPoints(async (point) => {
        if (point !== "apply:decided" && point !== "callback:kept") return
        for (let poll = 0; poll < 3; poll++, polls++) {
          await shopper.poll(sessionId)
          if (point === "callback:kept") continue
          // As if its claim had been over for long. It is not due by itself either, where this lasts longer than five seconds.
          const watch_at = new Date(Date.now() + 3_600_000)
          await store.module.updateTransactions({ id: id ?? "", claimed_until: null, watch_at })
        }
      })
      try {
        await withoutWatcher(store, async () => {
          store.simulator.clearRequests()
          await payUntilSettled(store, { data, sessionId })
        })
      } finally {
        takeAway()
      }
      await expectPaidOrder(store, cartId)
      expect(polls).toBe(6)
      expect(store.simulator.requests({ on: "get" })).toHaveLength(1)
    })

    it("is not answered by a poll's read that was asked for before it (promise 25)", async () => {
      const { data, sessionId, cartId } = await shopper.checkout()
      let isAnswered = () => {}
      const pollIsAnswered = new Promise<void>((resolve) => (isAnswered = resolve))
      let goOn = () => {}
      const mayGoOn = new Promise<void>((resolve) => (goOn = resolve))
      const takeAway = atLabelledPoints(async (point) => {
        if (point !== "read:answered") return
        isAnswered()
        await mayGoOn
      })
      try {
        await withoutWatcher(store, async () => {
          store.simulator.clearRequests()
          await shopper.poll(sessionId)
          // The service has said "PENDING" to the poll, which has not been written down yet.
          await pollIsAnswered
          await store.simulator.pay(data.transaction_id)
          goOn()
          await settledRow(store, sessionId)
        })
      } finally {
        goOn()
        takeAway()
      }
      await expectPaidOrder(store, cartId)
      expect(store.simulator.requests({ on: "get" })).toHaveLength(2)
    })

    it("answers bodies of any kind with the right status, and stays up", async () => {
      const bodies: [string, number, string][] = [
        ["an empty object", 200, "{}"],
        ["a number", 200, "12"],
        ["null", 200, "null"],
        ["no JSON", 400, "transactionId=1"],
        ["half a JSON", 400, '{"transactionId":'],
        ["a byte order mark", 200, "\uFEFF"],
        ["two byte order marks", 400, "\uFEFF\uFEFF{}"],
        ["a byte order mark after white space", 400, " \uFEFF{}"],
        ["nothing", 200, ""],
        ["white space", 400, " "],
        ["16 kB", 200, JSON.stringify("x".repeat(16 * 1024 - 2))],
        ["a byte over 16 kB", 413, JSON.stringify("x".repeat(16 * 1024 - 1))],
        ["a megabyte", 413, JSON.stringify("x".repeat(1024 * 1024))],
        ["deep nesting", 200, `${"[".repeat(8_000)}${"]".repeat(8_000)}`],
      ]
      const answers: [string, number][] = []
      for (const [name, , body] of bodies) answers.push([name, (await ring(store, body)).status])
      expect(answers).toEqual(bodies.map(([name, status]) => [name, status]))
      expect(store.simulator.requests()).toEqual([])
      expect(await store.module.listCallbacks({})).toEqual([])
    })

    it("answers a wrong token like an address that does not exist, whatever the body", async () => {
      const { data } = await shopper.checkout()
      const bodies = [JSON.stringify({ id: data.transaction_id }), "no json", "x".repeat(20_000)]
      await withoutWatcher(store, async () => {
        await store.simulator.pay(data.transaction_id, { callback: false })
        store.simulator.clearRequests()
        for (const token of [
          ...["wrong", `${CALLBACK_TOKEN}x`, CALLBACK_TOKEN.toUpperCase(), "a%2Fb"],
        ]) {
          const address = `${store.backendUrl}/hooks/payment-service/${token}`
          for (const body of bodies) {
            expect([token, (await ring(store, body, {}, address)).status]).toEqual([token, 404])
          }
        }
        expect(store.simulator.requests()).toEqual([])
      })
      expect(await store.module.listCallbacks({})).toEqual([])
    })

    it("finds an id in any wrapping", async () => {
      const { data, sessionId } = await shopper.checkout()
      const id = data.transaction_id
      const plain = id.replaceAll("-", "")
      const json = JSON.stringify({ id })
      const form = "application/x-www-form-urlencoded"
      const parts = `--x\r\ncontent-disposition: form-data; name="id"\r\n\r\n${id}\r\n--x--\r\n`
      const bodies: [string, string | Buffer, Record<string, string>][] = [
        ["gzip", gzipSync(json), { "content-encoding": "gzip" }],
        ["gzip that no header names", gzipSync(json), {}],
        ["JSON that a header calls gzip", json, { "content-encoding": "gzip" }],
        [
          "JSON that a header calls UTF-16",
          json,
          { "content-type": "application/json; charset=utf-16" },
        ],
        ["a form", `status=ok&id=${id}`, { "content-type": form }],
        ["JSON in a form", `${new URLSearchParams({ data: json })}`, { "content-type": form }],
        ["JSON after a byte order mark", `\uFEFF${json}`, {}],
        ["JSON as text/plain", json, { "content-type": "text/plain" }],
        [
          "JSON of a kind of its own",
          json,
          { "content-type": "application/x+json; charset=utf-8" },
        ],
        ["JSON as a form", json, { "content-type": form }],
        ["32 digits", JSON.stringify({ id: plain }), {}],
        [
          "32 digits in JSON in a form",
          `x=%7B%22id%22%3A%22${plain}%22%7D`,
          { "content-type": form },
        ],
        ["many parts", parts, { "content-type": "multipart/form-data; boundary=x" }],
      ]
      for (const [name, body, headers] of bodies) {
        store.simulator.clearRequests()
        expect([name, (await ring(store, body, headers)).status]).toEqual([name, 200])
        await eventually(`an id in ${name} is looked up`, async () => {
          return store.simulator.requests({ on: "get" }).length
        })
      }
      expect(await store.module.listProblems({ kind: "callback_unreadable" })).toEqual([])
      expect((await store.module.findBySession(sessionId))?.state).toBe("pending")
    })

    it("answers checks of the address, which are no problem, and says when it was reached", async () => {
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
      const { clock } = store.module
      store.module.clock = { now: () => new Date(clock.now().getTime() + 61_000) }
      try {
        await ask("GET", `${store.callbackUrl}x`)
        expect(await reached()).toBe(first)
        await ask("GET")
        expect(await reached()).not.toBe(first)
      } finally {
        store.module.clock = clock
      }
      expect((await ring(store, '{"paymentId":12}')).status).toBe(200)
      expect(await store.module.listProblems({ kind: "callback_unreadable" })).toHaveLength(1)
    })

    it("unpacks no more than 16 kB, and nothing but gzip (promise 12)", async () => {
      const { data } = await shopper.checkout()
      const json = JSON.stringify({ id: data.transaction_id })
      const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024, " "))
      const inBrotli = { "content-encoding": "br" }
      const bodies: [string, number, Buffer, Record<string, string>?][] = [
        ["a bomb", 413, bomb],
        ["a byte too much", 413, gzipSync(Buffer.alloc(16 * 1024 + 1, " "))],
        [
          "many members that are a bomb together",
          413,
          Buffer.concat(Array(300).fill(gzipSync(" ".repeat(100)))),
        ],
        ["a bomb in gzip", 400, gzipSync(bomb.subarray(0, 8_000))],
        ["half a gzip", 400, gzipSync(json).subarray(0, 20)],
        ["no gzip behind its sign", 400, Buffer.from([0x1f, 0x8b, 0, 1, 2])],
        ["brotli", 400, brotliCompressSync("x".repeat(9_000) + json.repeat(20)), inBrotli],
      ]
      await stopWatcher(store)
      store.simulator.clearRequests()
      for (const [name, status, body, headers] of bodies) {
        expect([name, (await ring(store, body, headers)).status]).toEqual([name, status])
      }
      expect(store.simulator.requests()).toEqual([])
    })

    it("keeps for 30 days what callbacks named and what was told, and longer what is to be told", async () => {
      const now = store.module.clock.now().getTime()
      const ago = (days: number) => new Date(now - days * DAY)
      await store.module.createCallbacks(
        [29, 31].map((days) => ({
          transaction_ids: [`of ${days}`] as unknown as Record<string, unknown>,
          received_at: ago(days),
        }))
      )
      await store.module.createEvents([
        { name: "sent 29", data: {}, written_at: ago(29), send_at: null },
        { name: "sent 31", data: {}, written_at: ago(31), send_at: null },
        { name: "waiting 31", data: {}, written_at: ago(31), send_at: new Date(now + DAY) },
      ])
      await forgetOld(store.container)
      const kept = await store.module.listCallbacks({})
      expect(kept.map(({ transaction_ids }) => transaction_ids)).toEqual([["of 29"]])
      const told = await store.module.listEvents({})
      expect(told.map(({ name }) => name).sort()).toEqual(["sent 29", "waiting 31"])
    })

    it("orders after a callback that came before the reply to the creation", async () => {
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

    it("answers 503 when a callback cannot be written down, and takes the next one", async () => {
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

    it("only settles on core's own webhook route, and only what is proven", async () => {
      const [paid, unpaid] = [await shopper.checkout(), await shopper.checkout()]
      await store.simulator.pay(paid.data.transaction_id, { callback: false })
      const answer = await ring(
        store,
        JSON.stringify({
          ids: [unpaid.data.transaction_id, paid.data.transaction_id, randomUUID()],
          action: "captured",
          session_id: unpaid.sessionId,
        }),
        {},
        `${store.backendUrl}/hooks/payment/sbp_main`
      )
      expect(answer.status).toBe(200)
      // Core waits for 5 s before it looks.
      await rowWhen(store, paid, (row) => row.settled_at)
      await expectPaidOrder(store, paid.cartId)
      await rowWhen(
        store,
        unpaid,
        (row) => row.hinted_at && row.read_at && row.read_at > row.hinted_at
      )
      expect(await ordersOf(store, unpaid.cartId)).toEqual([])
      expect((await shopper.poll(unpaid.sessionId)).data).toMatchObject({
        session: { state: "pending" },
      })
    })

    it("shows the callback's address to administrators only", async () => {
      const address = "/admin/payment-service/callback-tokens"
      expect((await store.http.get(address)).status).toBe(401)
      expect((await store.http.post(address)).status).toBe(401)
      expect((await store.http.delete(`${address}/any`)).status).toBe(401)
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

    it("keeps secrets and the payer's data out of the log, the request log included", async () => {
      const cart = { email: SECRETS.email }
      const wrongToken = "canary-of-a-wrong-token"
      await ring(store, "{}", {}, `${store.backendUrl}/hooks/payment-service/${wrongToken}?t=1`)
      await ring(store, "no json", {}, `${store.callbackUrl}?token=${CALLBACK_TOKEN}`)
      const { backendUrl, callbackUrl } = store
      const misspelt: [string, number][] = [
        [`${callbackUrl}%`, 404],
        [`${callbackUrl}%E0%A4`, 404],
        [`${callbackUrl}%E0%A4${"4".repeat(16)}`, 404],
        [`${callbackUrl}/more`, 404],
        [`${callbackUrl}/`, 400],
        [`${callbackUrl};x=1`, 404],
        [`${backendUrl}//payment-service/${CALLBACK_TOKEN}`, 404],
        [`${backendUrl}/payment-service/${CALLBACK_TOKEN}`, 404],
        [`${backendUrl}/hooks//payment-service/${CALLBACK_TOKEN}`, 404],
        [`${backendUrl}//hooks/payment-service/${CALLBACK_TOKEN}`, 404],
        [`${backendUrl}/api/hooks/payment-service/${CALLBACK_TOKEN}`, 404],
        [`${backendUrl}/api/payment-service/${CALLBACK_TOKEN}`, 404],
        [`${backendUrl}/hooks/payment%2Dservice/${CALLBACK_TOKEN}`, 404],
        [`${backendUrl}/HOOKS/Payment-Service/${CALLBACK_TOKEN}`, 400],
        [`${backendUrl}/hooks%2Fpayment-service%2F${CALLBACK_TOKEN}`, 404],
      ]
      for (const [address, status] of misspelt) {
        expect([address, (await ring(store, "no json", {}, address)).status]).toEqual([
          address,
          status,
        ])
        await store.http.request({ method: "PUT", url: address, data: "no json" })
      }
      store.simulator.fault({ on: "create", kind: "status", status: 400 })
      await expect(shopper.checkout("sbp", cart)).rejects.toThrow("did not accept")
      const { cartId, sessionId, data } = await shopper.checkout("sbp", cart)
      store.simulator.fault({ on: "get", kind: "status", status: 401, times: 2 })
      await shopper.comeBack(sessionId)
      await shopper.poll(sessionId)
      await store.simulator.pay(data.transaction_id, { amount: 1 })
      await rowWhen(store, { sessionId }, (row) => row.exception)
      await shopper.complete(cartId)

      const printed = [...output, ...store.log].filter((line) => !line.startsWith("debug: "))
      // It was listened to the right log.
      expect(printed.join()).toContain("amount_less")
      const { userId } = JSON.parse(store.simulator.requests({ on: "create" })[0]?.body ?? "{}")
        .metadata as { userId: string }
      for (const canary of [...Object.values(SECRETS), CALLBACK_TOKEN, wrongToken, userId]) {
        expect(printed.filter((line) => line.includes(canary))).toEqual([])
      }
    })
  }
)

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

async function expectOneCapturedEvent(
  store: TestStore,
  order: Awaited<ReturnType<typeof expectPaidOrder>>
): Promise<void> {
  const captured = () => store.events.filter(({ name }) => name === "payment.captured")
  await eventually("payment.captured", async () => captured().length)
  expect(captured().map(({ data }) => data.id)).toEqual([
    order.payment_collections[0]?.payments[0]?.id,
  ])
}
