import { updateRegionsWorkflow } from "@medusajs/medusa/core-flows"

import { problem as problemOf } from "../../src/problems/rules/problems"
import { type Simulator, startSimulator } from "../../simulator"
import { reconcile } from "../../src/reconciliation/reconcile"
import prepareRemoval from "../../src/scripts/prepare-removal"
import { adminOf } from "./admin"
import { withoutWatcher } from "./passes"
import {
  expectOrderOf,
  expectPaidOrder,
  type OpenPayment,
  ordersOf,
  payToOrder,
  Shopper,
} from "./shopper"
import { describeStore, eventually, settledRow, type StoreConfig } from "./store"

let second: Simulator

beforeAll(async () => {
  second = await startSimulator({
    merchantId: "0b9f8a52-6a3e-4c9e-8f0e-1d6d0f0c2a77",
    secret: "secret-of-the-second",
    statuses: { paid: "DONE", canceled: "VOID", pending: "OPEN" },
    qr: "text",
  })
})
afterAll(() => second.close())

/** Requests to a service that are not about its own payments. */
function askedFor({ data }: OpenPayment, service: Simulator) {
  return service
    .requests()
    .filter(({ on, path }) => on !== "get" || path.includes(data.transaction_id))
}

/** The same store with a second account, and a callback token that it makes itself. */
function twoAccounts({ modules }: StoreConfig): void {
  const ours = modules.payment_service
  const { baseUrl, merchantId, secret, statuses, callbackToken: _, ...shared } = ours?.options ?? {}
  const main = { baseUrl, merchantId, secret, statuses, payer: { ip: "request" } }
  ours!.options = {
    ...shared,
    accounts: {
      main,
      second: {
        baseUrl: second.url,
        merchantId: second.merchantId,
        secret: second.secret,
        statuses: { paid: ["DONE"], canceled: ["VOID"], pending: ["OPEN"] },
        payer: { ip: "X-Real-Ip", name: true, userId: "optional" },
        description: "{items} ({cart_id})",
        failureUrl: "http://second.test/failed?return={return_id}",
      },
    },
  }
  const payment = modules.payment?.options as { providers: { id: string }[] }
  payment.providers.push({ ...payment.providers[0], id: "second" })
  // A store may have no provider for the dashboard's feed.
  modules.notification!.options = { providers: [] }
}

describeStore("two accounts", { configure: twoAccounts }, (store) => {
  const shopper = new Shopper(store)

  const admin = adminOf(store)

  beforeEach(async () => {
    second.clearFaults()
    second.clearRequests()
    const { callback_url } = (await admin.get(TOKENS)).data as { callback_url: string }
    store.simulator.setCallbackUrl(callback_url)
    second.setCallbackUrl(callback_url)
    await updateRegionsWorkflow(store.container).run({
      input: {
        selector: { id: store.shop.regionId },
        update: {
          payment_providers: ["pp_sbp_main", "pp_crypto_main", "pp_sbp_second", "pp_crypto_second"],
        },
      },
    })
  })

  it("can be prepared for the plugin's removal: nobody begins a payment, and one that is open still settles", async () => {
    const payment = await shopper.checkout("sbp")
    const prepare = () => prepareRemoval({ container: store.container, args: [] })
    await prepare()
    expect(store.log).toContainEqual(expect.stringMatching(/methods are switched off in .+\.$/))
    expect(store.log).toContainEqual(
      expect.stringContaining("still under way: payments that may still be paid: 1;")
    )
    const { id } = await shopper.newCart()
    expect(await shopper.choose(await shopper.collection(id), "sbp")).toMatchObject({ status: 400 })

    await payToOrder(store, payment)
    store.log.splice(0)
    await prepare()
    expect(store.log).toContainEqual(expect.stringContaining("switched off in no region, because"))
    expect(store.log).toContainEqual(expect.stringContaining("nothing is under way"))
  })

  it("lists the problems of one account's payments, also without a provider for the dashboard's feed", async () => {
    const carts = [await shopper.cart(), await shopper.cart()] as const
    const main = await shopper.open(carts[0].id, "sbp")
    const other = await shopper.open(carts[1].id, "sbp", undefined, { account: "second" })
    const place = { baseUrl: "https://silent.test", merchantId: "merchant" }
    await store.module.problems.report(
      problemOf("service_unreachable", { ...place, since: new Date().toISOString() })
    )
    for (const [payment, service] of [
      [main, store.simulator],
      [other, second],
    ] as const) {
      service.edit(payment.data.transaction_id, { amount: 1 })
      await service.pay(payment.data.transaction_id)
    }
    const listed = async (query: string) =>
      (await admin.get(`/admin/payment-service/problems?status=open&${query}`)).data as {
        problems: { account: string | null; transaction_id: string | null }[]
        count: number
      }
    await eventually("all problems are listed", async () => (await listed("")).count === 3)
    expect(await listed("account=second")).toMatchObject({
      count: 1,
      problems: [{ account: "second", transaction_id: other.data.transaction_id }],
    })
    expect((await listed("account[]=second&account[]=main")).count).toBe(2)
    expect(await listed("account=main&kind=order_unpaid")).toMatchObject({ count: 0, problems: [] })
  })

  it("shows either service's records, and refuses an account that is not there in the reader's language", async () => {
    const now = store.simulator.now()
    const [from, to] = [now - 86_400_000, now].map((at) => new Date(at).toISOString())
    const span = `${new URLSearchParams({ from: from!, to: to! })}`
    const { id } = second.addTransaction({ amount: 77 })
    const path = `/admin/payment-service/service-transactions/${id}`
    expect(await admin.get(path)).toMatchObject({
      status: 200,
      data: { record: { id }, transaction_row_id: null },
    })
    expect((await admin.get(`${path}?account=main`)).status).toBe(404)
    for (const list of [`service-transactions?${span}`, "subscriptions?limit=1"]) {
      const address = `/admin/payment-service/${list}`
      // Without a choice, they are those of the first account.
      expect((await admin.get(address)).data).toMatchObject({
        account: "main",
        merchant_id: store.simulator.merchantId,
      })
      expect((await admin.get(`${address}&account=second`)).data).toMatchObject({
        account: "second",
        merchant_id: second.merchantId,
      })
    }
    for (const one of [
      `service-transactions?${span}&account=zzz`,
      `service-transactions/${id}?account=zzz`,
      "subscriptions?account=zzz",
      `exports/transactions.csv?source=service&${span}&account=zzz`,
    ]) {
      expect(
        await admin.get(`/admin/payment-service/${one}`, { "accept-language": "ru" })
      ).toMatchObject({
        status: 400,
        data: { code: "no_such_account", message: "Учётной записи zzz нет." },
      })
    }
    expect(
      await admin.post("/admin/payment-service/comparisons", { account: "zzz" })
    ).toMatchObject({ status: 400, data: { code: "no_such_account" } })
  })

  it("pays each at its own service with its own credentials (promise 26)", async () => {
    const main = await shopper.checkout("sbp")
    const replaced = await shopper.open(main.cartId, "sbp", undefined, { account: "second" })
    // One account's payment is not taken for another's in the same cart.
    expect(replaced.data.transaction_id).not.toBe(main.data.transaction_id)
    const { id } = await shopper.cart()
    const other = await shopper.open(id, "crypto", undefined, { account: "second" })
    // A secret is masked in the record, and 401 would be the answer to another account's.
    expect(store.simulator.requests({ on: "create" })).toMatchObject([
      { headers: { "x-merchantid": store.simulator.merchantId }, status: 200 },
    ])
    const ofSecond = { headers: { "x-merchantid": second.merchantId }, status: 200 }
    expect(second.requests({ on: "create" })).toMatchObject([ofSecond, ofSecond])
    expect(await store.module.findBySession(other.sessionId)).toMatchObject({
      account: "second",
      base_url: second.url,
      merchant_id: second.merchantId,
      method: "crypto",
    })

    store.simulator.clearRequests()
    await second.pay(other.data.transaction_id)
    await expectOrderOf(store, other)
    expect(askedFor(other, store.simulator)).toEqual([])
    expect(await ordersOf(store, main.cartId)).toEqual([])

    second.clearRequests()
    await payToOrder(store, main)
    expect(askedFor(main, second)).toEqual([])
  })

  it("understands each account's own status names and storefront addresses", async () => {
    const cart = await shopper.cart()
    const how = { account: "second" }
    const declined = await shopper.open(cart.id, "sbp", undefined, how)
    expect((await shopper.poll(declined.sessionId)).data).toMatchObject({
      session: { state: "pending" },
    })
    await second.setStatus(declined.data.transaction_id, "VOID", { callback: false })
    const { id } = (await store.module.findBySession(declined.sessionId))!
    expect((await shopper.comeBack(declined.sessionId)).location).toBe(
      `http://second.test/failed?return=${id}`
    )
    // A paid status of one account proves nothing at the other.
    const misled = await shopper.open(cart.id, "sbp", undefined, how)
    await second.setStatus(misled.data.transaction_id, "CONFIRMED")
    expect((await shopper.comeBack(misled.sessionId)).location).not.toContain("/done")
    expect(await store.module.findBySession(misled.sessionId)).toMatchObject({
      state: "pending",
      exception: "unknown_status",
    })
    await second.pay(misled.data.transaction_id)
    await settledRow(store, misled.sessionId)
    await expectPaidOrder(store, cart.id)
  })

  it("leads a payer back to the shop when the merchant or address of the payment is configured no more", async () => {
    const cart = await shopper.cart()
    const { sessionId, data } = await shopper.open(cart.id, "sbp", undefined, { account: "second" })
    await second.setStatus(data.transaction_id, "VOID", { callback: false })
    await shopper.comeBack(sessionId)
    const { id } = (await store.module.findBySession(sessionId))!
    await store.module.updateTransactions({ id, base_url: "https://moved.test" })
    expect(await shopper.comeBack(sessionId)).toEqual({
      status: 302,
      location: `http://second.test/failed?return=${id}`,
    })
    await store.module.updateTransactions({ id, account: "gone" })
    const { failureUrl } = (await store.module.accounts()).get("main")
    expect(await shopper.comeBack(sessionId)).toMatchObject({
      status: 302,
      location: expect.stringContaining(failureUrl.replace(/\{.*$/, "")),
    })
  })

  it("tells of payments of other software once for each merchant (promise 13)", async () => {
    await shopper.checkout()
    await shopper.open((await shopper.cart()).id, "sbp", undefined, { account: "second" })
    const services = [store.simulator, second] as const
    for (const [index, service] of services.entries()) {
      // Payments of other tests are too old to be listed.
      for (const { id } of service.transactions()) service.edit(id, { createdAt: 0 })
      for (const amount of [10.5, 20].slice(index)) {
        const { id } = service.addTransaction({ amount, payload: "of another shop" })
        await service.pay(id, { callback: false })
        service.edit(id, { createdAt: service.now() - 60_000 })
      }
    }
    await reconcile(store.container)
    const found = await store.module.listProblems({ kind: "payment_not_here" })
    expect(found.map(({ facts }) => facts)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ merchantId: store.simulator.merchantId, count: 2 }),
        expect.objectContaining({ merchantId: second.merchantId, count: 1 }),
      ])
    )
    expect(found).toHaveLength(2)
  })

  it("sends the payer's data as each account wants it, and keeps none of it in the session", async () => {
    const headers = { "x-forwarded-for": "203.0.113.7", "x-real-ip": "198.51.100.9" }
    const asked = await shopper.open((await shopper.cart()).id, "sbp", undefined, { headers })
    const { id } = await shopper.cart()
    const open = async () => {
      const named = await shopper.open(id, "sbp", undefined, { account: "second", headers })
      return { named, unread: await shopper.poll(named.sessionId) }
    }
    // The watcher reads it five seconds later.
    const { named, unread } = await withoutWatcher(store, open)
    await shopper.open((await shopper.cart({ email: null })).id, "sbp", undefined, {
      account: "second",
      headers: { "x-real-ip": "not an address" },
    })
    const userId = expect.stringMatching(/^guest_/)
    expect(metadataOf(store.simulator)).toEqual([{ userId, clientIp: "203.0.113.7" }])
    expect(metadataOf(second)).toEqual([
      { userId, userName: "Анна Canary-Name", clientIp: "198.51.100.9" },
      { userName: "Анна Canary-Name" },
    ])
    const cart = await shopper.retrieve(named.cartId)
    expect(JSON.stringify([asked.data, named.data, cart.payment_collection])).not.toMatch(
      /203\.0\.113|198\.51\.100|Canary/
    )
    const [creation] = second.requests({ on: "create" })
    expect(JSON.parse(creation?.body ?? "{}")).toMatchObject({
      description: "Льняное полотенце",
    })
    expect(unread.data).toMatchObject({ session: { qr: null } })
  })

  it("keeps a replaced callback token working until an administrator removes it", async () => {
    const ring = async (url: string) => (await store.http.post<unknown>(url, {})).status
    const before = (await admin.get(TOKENS)).data as unknown as Tokens
    expect(before.callback_url).toMatch(/\/hooks\/payment-service\/[\w-]{43}$/)
    const unused = { source: "generated", replaced_at: null, reached_at: null }
    const made = { id: expect.any(String), created_at: expect.any(String) }
    expect(before.callback_tokens).toEqual([{ ...unused, ...made }])
    const oldId = before.callback_tokens[0]?.id ?? ""
    expect(await ring(before.callback_url)).toBe(200)
    expect((await admin.delete(`${TOKENS}/${oldId}`)).status).toBe(400)

    const after = (await admin.post(TOKENS)).data as unknown as Tokens
    expect(after.callback_url).not.toBe(before.callback_url)
    expect(await ring(after.callback_url)).toBe(200)
    expect(await ring(before.callback_url)).toBe(200)
    const { callback_tokens } = (await admin.get(TOKENS)).data as unknown as Tokens
    expect(callback_tokens).toHaveLength(2)
    expect(callback_tokens.find(({ id }) => id === oldId)?.replaced_at).not.toBeNull()
    expect(JSON.stringify(callback_tokens)).not.toContain(before.callback_url.slice(-43))

    expect((await admin.delete(`${TOKENS}/${oldId}`)).status).toBe(200)
    expect(await ring(before.callback_url)).toBe(404)
    expect(await ring(after.callback_url)).toBe(200)
    // Another admin was faster.
    expect(await admin.delete(`${TOKENS}/${oldId}`)).toMatchObject({
      status: 404,
      data: { code: "no_token", message: "This address is gone already." },
    })
  })
})

const TOKENS = "/admin/payment-service/callback-tokens"

interface Tokens {
  callback_url: string
  callback_tokens: { id: string; source: string; replaced_at: string | null }[]
}

function metadataOf(simulator: Simulator): unknown[] {
  return simulator
    .requests({ on: "create" })
    .map(({ body }) => (JSON.parse(body) as { metadata?: unknown }).metadata)
}
