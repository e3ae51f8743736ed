import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"

import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"

import { ADMIN, type Admin, logIn } from "./admin"
import { act } from "./problems-of"
import { rowWhen, Shopper } from "./shopper"
import { CALLBACK_TOKEN, describeStore, eventually, settledRow, type StoreConfig } from "./store"

/** Values that may be sent to the service, some of them, and found nowhere else. */
const CANARIES = {
  secret: "canary-merchant-secret",
  signingSecret: "canary-signing-secret",
  callbackToken: CALLBACK_TOKEN,
  card: "5105105105105100",
  spacedCard: "5105 1051 0510 5100",
  email: "canary.guest@shopper.test",
  name: "Canary-Name",
  phone: "+79160001122",
  ip: "203.0.113.77",
}
/** The card's number as an address may have it. */
const CARD_IN_TEXT = /5105.{0,12}1051/
const decodedDigits = (text: string) => text.replace(/%(3\d)/g, (_, code: string) => code.slice(1))
const EVERYTHING = Object.values(CANARIES).join(" ")
const PAYER_NAME = `Анна ${CANARIES.name}`

let refuseCompletion = false
completeCartWorkflow.hooks.validate(() => {
  if (refuseCompletion) {
    throw new Error(`No stock for ${CANARIES.email}, card ${CANARIES.card} (${CANARIES.secret})`)
  }
})

function tellEverything(config: StoreConfig): void {
  for (const module of Object.values(config.modules)) {
    if (module?.options?.merchantId) {
      Object.assign(module.options, {
        payer: { name: true, ip: "x-real-ip" },
        description: `{items}, card ${CANARIES.card}`,
        signingSecret: CANARIES.signingSecret,
      })
    }
  }
}

/** As in production, because core's log of requests is off in tests. */
describeStore(
  "secrets, card numbers and the payer's data",
  {
    simulator: { secret: CANARIES.secret, signingSecret: CANARIES.signingSecret },
    env: { NODE_ENV: "production" },
    configure: tellEverything,
  },
  (store) => {
    /** Everything that was printed, and everything that was answered with an error or by our own routes. */
    const printed: string[] = []
    const answered: string[] = []
    let admin: Admin
    beforeAll(() => {
      for (const stream of [process.stdout, process.stderr]) {
        const write = stream.write.bind(stream) as (...parts: unknown[]) => boolean
        jest.spyOn(stream, "write").mockImplementation((...parts: unknown[]) => {
          printed.push(String(parts[0]))
          return write(...parts)
        })
      }
      store.http.interceptors.response.use((answer) => {
        if (answer.status >= 400 || /payment-service/.test(answer.config.url ?? "")) {
          // Admins are told whose payment it is, as they are on Medusa's own pages.
          const isOfAdmins = answer.config.url?.startsWith("/admin/") && answer.status < 400
          const shown = (key: string, value: unknown) =>
            isOfAdmins && ["customer_email", "delivery"].includes(key) ? null : value
          answered.push(JSON.stringify([answer.data, answer.headers.location], shown))
        }
        return answer
      })
    })
    beforeEach(async () => {
      admin = await logIn(store)
    })
    afterAll(() => {
      jest.restoreAllMocks()
    })

    it("are in no table, event, log line or error text, whatever goes wrong (promise 22)", async () => {
      const shopper = new Shopper(store)
      const how = { headers: { "x-real-ip": CANARIES.ip } }
      const cart = async () => {
        const { id } = await shopper.cart({ email: CANARIES.email })
        await shopper.raw("post", `/store/carts/${id}`, {
          shipping_address: { phone: CANARIES.phone, last_name: CANARIES.name, country_code: "ru" },
        })
        return id
      }

      // Creations that are refused, by somebody who repeats what it was told.
      const refused = await cart()
      const collection = await shopper.collection(refused)
      for (const status of [400, 401, 403, 422, 429, 500, 200]) {
        store.simulator.fault({
          on: "create",
          kind: "body",
          status,
          body: {
            error: { message: `${EVERYTHING} ${PAYER_NAME}`, userName: PAYER_NAME },
            headers: { "X-Secret": CANARIES.secret, Authorization: CANARIES.signingSecret },
            metadata: { clientIp: CANARIES.ip, email: CANARIES.email },
          },
        })
        expect((await shopper.choose(collection, "sbp", undefined, how)).status).not.toBe(200)
      }
      store.simulator.fault({ on: "create", kind: "html", status: 502 })
      await shopper.choose(collection, "sbp", undefined, how)

      // The request holds the options' values; without them the test would prove nothing.
      const payment = await shopper.open(await cart(), "sbp", { note: EVERYTHING }, how)
      const sent = JSON.stringify(store.simulator.transaction(payment.data.transaction_id))
      for (const part of [CANARIES.ip, CANARIES.name, CANARIES.card]) {
        expect(sent).toContain(part)
      }
      // The simulator answers 401 to another secret.
      expect(store.simulator.requests({ on: "create" }).at(-1)?.status).toBe(200)

      // Reads that fail in the same way.
      for (const status of [400, 401, 404, 429, 503, 200]) {
        const body = { message: EVERYTHING, id: EVERYTHING, status: EVERYTHING }
        store.simulator.fault({ on: "get", kind: "body", status, body, times: 3 })
        await shopper.comeBack(payment.sessionId)
        await shopper.complete(payment.cartId)
        store.simulator.clearFaults()
      }
      // A status is kept as it is named, because an admin must be able to name it in the options.
      await store.simulator.setStatus(
        payment.data.transaction_id,
        `HELD ${CANARIES.email} ${CANARIES.card}`
      )

      await shopper.comeBack(payment.sessionId)
      await eventually("it is a problem", async () => {
        const problems = await store.module.listProblems({ kind: "unknown_status" })
        return problems.length
      })
      expect(leaksIn(await tables())).toEqual([])

      // Callbacks full of it, readable or not, on both routes, with the wrong token and with headers.
      const rung = { transactionId: payment.data.transaction_id, payer: { ...CANARIES } }
      const headers = { "x-card": CANARIES.card, "x-secret": CANARIES.secret }
      for (const body of [JSON.stringify(rung), JSON.stringify(CANARIES), EVERYTHING]) {
        for (const address of [
          `${store.callbackUrl}?email=${CANARIES.email}&card=${CANARIES.card}`,
          `${store.backendUrl}/hooks/payment-service/${CANARIES.secret}`,
          `${store.backendUrl}/hooks/payment/sbp_main`,
        ]) {
          await store.http.post(address, body, {
            headers: { "content-type": "application/json", ...headers },
            transformRequest: [(text: unknown) => text],
          })
        }
      }

      // Paid, but core's completion fails with all of it in its words, until an admin is asked.
      refuseCompletion = true
      await store.simulator.pay(payment.data.transaction_id)
      const problem = await eventually("an admin is asked", async () => {
        const problems = await store.module.listProblems({ kind: "paid_without_order" })
        return problems[0]
      })
      for (const action of ["retry", "place-order", "accept-amount"]) {
        await act(admin, problem, action)
      }
      await admin.get("/admin/payment-service/problems")
      await admin.get(`/admin/payment-service/problems/${problem.id}`)
      store.simulator.fault({ on: "get", kind: "body", status: 400, body: { message: EVERYTHING } })
      await admin.post(`/admin/payment-service/problems/${problem.id}/retry`)
      await eventually("it is told", async () =>
        store.events.some(({ name }) => name === "payment_service.problem_opened")
      )
      await shopper.poll(payment.sessionId)

      refuseCompletion = false
      await store.simulator.sendCallback(payment.data.transaction_id)
      await settledRow(store, payment.sessionId)
      // The delayed event of core's route is handled too.
      await rowWhen(store, payment, (row) => row.hinted_at)
      // The feed names the customer of an open problem, and lets go of it when that is closed.
      await eventually("the feed names nobody any more", async () => {
        const { notification = [] } = await tables()
        return notification.every((told) => !told.includes(CANARIES.email))
      })

      const places: Record<string, string[]> = {
        ...(await tables()),
        events: store.events.map((event) => JSON.stringify(event)),
        // Core says at this level, which is never printed, whose body it does not parse.
        log: store.log.filter((line) => !/^debug: skipping \w+ bodyparser/.test(line)),
        printed,
        answered,
      }
      // It was looked in the right places.
      expect(places.payment_service_transaction?.join()).toContain(`"state":"paid"`)
      expect(places.payment_service_problem?.join()).toContain("paid_without_order")
      expect(places.log?.join()).toContain("completion_failed")
      expect(places.printed?.join()).toContain("/hooks/payment-service/***")
      expect(places.answered?.length).toBeGreaterThan(20)
      expect(leaksIn(places)).toEqual([])
    })

    it("are in no line about a callback, however its address is written (promise 22)", async () => {
      const from = printed.length
      const { backendUrl, callbackUrl } = store
      const token = CANARIES.callbackToken
      const misspelt: [string, number][] = [
        [`${callbackUrl}?token=${token}`, 400],
        [`${callbackUrl}%`, 404],
        [`${callbackUrl}%E0%A4${"4".repeat(16)}`, 404],
        [`${callbackUrl}/more`, 404],
        [`${callbackUrl}/`, 400],
        [`${callbackUrl};x=1`, 404],
        [`${backendUrl}//payment-service/${token}`, 404],
        [`${backendUrl}//hooks/payment-service/${token}`, 404],
        [`${backendUrl}/api/payment-service/${token}`, 404],
        [`${backendUrl}/hooks/payment%2Dservice/${token}`, 404],
        [`${backendUrl}/HOOKS/Payment-Service/${token}`, 400],
        [`${backendUrl}/hooks%2Fpayment-service%2F${token}`, 404],
      ]
      const asItIs = {
        headers: { "content-type": "application/json" },
        transformRequest: [(text: unknown) => text],
      }
      for (const [url, status] of misspelt) {
        const answer = await store.http.post(url, "no json", asItIs)
        expect([url, answer.status]).toEqual([url, status])
      }
      const others = [
        `payment-service%252F${token}`,
        `store/payment-service/${token}`,
        `store/payment-service/sessions/${token}%`,
        `payment-service/return/${token}`,
        `payment-service/return/${token}%`,
        `elsewhere/${token.replaceAll("e", "%65")}?of=${token}`,
      ]
      for (const other of others) {
        for (const method of ["GET", "POST"]) {
          const { status } = await store.http.request({ method, url: `${backendUrl}/${other}` })
          expect([other, status >= 400 && status < 500]).toEqual([other, true])
        }
      }
      await admin.get(`/admin/payment-service/${token}`)
      const said = printed.slice(from).join("")
      expect(said).toContain("/hooks/payment-service/***")
      expect(said).toContain("/payment-service/return/***")
      expect(said).toContain("/admin/payment-service/***")
      expect(said.replaceAll("%65", "e")).not.toContain(token)
    })

    it("are in no line about a request that searches for a customer (promise 22)", async () => {
      const from = printed.length
      const search = "q=Searched%2Bfor%40shopper.test"
      const page = `${store.backendUrl}/app/payment-service/transactions?offset=20&${search}`
      for (const list of ["Transactions/", "payouts", "exports/payouts.csv"]) {
        const address = `/admin/payment-service/${list}?limit=2&${search}&offset=0`
        await admin.get(address, { referer: page })
        const wrong = `/admin/payment-service/${list}?limit=2&${search.replace("q", "q%5B%5D")}`
        expect(await admin.get(wrong)).toMatchObject({ status: 400 })
      }
      for (const path of ["search/transactions", "search/problems", "exports/transactions.csv"]) {
        const ask = async (body: object) =>
          await admin.post(`/admin/payment-service/${path}`, body, {
            "content-type": "application/json",
          })
        expect((await ask({ q: "searched@shopper.test" })).status).toBe(200)
        const unreadable = Buffer.from('{"q":"searched@shopper.test"')
        for (const wrong of [unreadable, { q: ["searched"] }, { q: "searched\u0000" }]) {
          expect(await ask(wrong)).toMatchObject({ status: 400 })
        }
      }
      const said = printed.slice(from).join("")
      expect(said).toContain("/admin/payment-service/payouts?limit=2&q=***&offset=0")
      expect(said).not.toMatch(/searched/i)
    })

    it("are in no line about an address of payouts that is written wrongly", async () => {
      const { data } = await store.http.post<{ token: string }>("/auth/user/emailpass", ADMIN)
      const from = printed.length
      /** Sends the address exactly as it is written, as hardly any client does. */
      const ask = async (method: string, path: string) => {
        const headers = { authorization: `Bearer ${data.token}` }
        const asked = request(store.backendUrl, { method, path, headers }).end()
        const [answer] = (await once(asked, "response")) as [IncomingMessage]
        const body = await text(answer)
        expect(decodedDigits(body)).not.toMatch(CARD_IN_TEXT)
      }
      const encoded = CANARIES.card.replace(/\d/g, "%3$&")
      const numbers = [CANARIES.card, encoded, CANARIES.spacedCard.replaceAll(" ", "%2D")]
      for (const folder of ["/admin/payment-service/", "//admin/paymnt/"]) {
        for (const name of ["payouts/", "payout/", "%70ayouts/", "payouts?q="]) {
          for (const number of numbers) {
            await ask("GET", `${folder}${name}${number}`)
            await ask("POST", `${folder}${name}${number}/send`)
          }
        }
      }
      await ask("GET", `/admin/pyouts/${CANARIES.card}`)
      const said = printed.slice(from).join("")
      expect(said).toContain("/admin/payment-service/payout/****%205100")
      expect(decodedDigits(said)).not.toMatch(CARD_IN_TEXT)
    })

    /** Every row of ours as text, and what Medusa keeps of what we gave it. */
    async function tables(): Promise<Record<string, string[]>> {
      const sql = store.container.resolve<{
        raw(statement: string): Promise<{ rows: Record<string, string>[] }>
      }>(ContainerRegistrationKeys.PG_CONNECTION)
      const { rows } = await sql.raw(
        "select table_name as name from information_schema.tables where table_name like 'payment_service_%'"
      )
      const queries: Record<string, string> = {
        ...Object.fromEntries(
          rows.map(({ name = "" }) => [name, `select row_to_json(t)::text as text from ${name} t`])
        ),
        payment_session: "select concat(data, metadata, context) as text from payment_session",
        payment: "select concat(data, metadata) as text from payment",
        notification: "select row_to_json(t)::text as text from notification t",
        workflow_execution: `select row_to_json(t)::text as text from workflow_execution t
          where workflow_id like '%payment-service%'`,
      }
      expect(Object.keys(queries).length).toBeGreaterThan(10)
      const found: Record<string, string[]> = {}
      for (const [name, query] of Object.entries(queries)) {
        found[name] = (await sql.raw(query)).rows.map(({ text = "" }) => text)
      }
      return found
    }
  }
)

/** Where which value was found, with what stands around it. */
function leaksIn(places: Record<string, string[]>): string[] {
  return Object.entries(places).flatMap(([place, texts]) =>
    texts.flatMap((text) =>
      Object.entries(CANARIES).flatMap(([name, value]) => {
        const at = text.indexOf(value)
        return at < 0 ? [] : [`${name} in ${place}: ${text.slice(Math.max(at - 80, 0), at + 60)}`]
      })
    )
  )
}
