import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

import { updateRegionsWorkflow } from "@medusajs/medusa/core-flows"

import { type Simulator, startSimulator } from "../../simulator"
import { PaymentServiceModuleService } from "../../src/modules/payment-service"
import resealSettings from "../../src/scripts/reseal-settings"
import { Queue } from "../../src/payments/queue"
import { TIMEOUTS } from "../../src/service/client"
import { saveSettings } from "../../src/settings"
import { ADMIN_ID, ADMIN_NAME, type Admin, logIn } from "./admin"
import { OTHER_STATUSES, OtherService } from "../other-service"
import { PATIENCE_MS } from "../patience"
import { scriptOf } from "./admin-pages/every-route"
import { standStillAt } from "./at-labelled-points"
import { stopWatcher } from "./passes"
import {
  expectOrderOf,
  expectPaidOrder,
  type OpenPayment,
  ordersOf,
  payToOrder,
  Shopper,
} from "./shopper"
import { describeStore, eventually, settledRow, type StoreConfig } from "./store"
import { gate, setUntilTheTestEnds } from "./until-the-test-ends"

const SETTINGS = "/admin/payment-service/settings"
const KEY = "k".repeat(32)
/** The options without which nobody can pay are left to the page. */
const EMPTY = { baseUrl: undefined, merchantId: undefined, secret: undefined, statuses: undefined }

interface Option {
  name: string
  source: string
  value: unknown
  by_default: unknown
  is_locked: boolean
  set_by: string | null
}
interface View {
  can_seal: boolean
  unopened: { account: string; option: string }[]
  accounts: {
    account: string
    version: number
    is_complete: boolean | null
    missing: string[]
    can_be_asked: boolean
    in_flight: number
    options: Option[]
  }[]
  history: { version: number; by: string; by_name: string; changed: string[] }[]
  in_flight_elsewhere: number
  providers: { id: string; account: string }[]
}

let second: Simulator
beforeAll(async () => {
  second = await startSimulator({
    merchantId: "0b9f8a52-6a3e-4c9e-8f0e-1d6d0f0c2a77",
    secret: "secret-of-the-second",
    statuses: { paid: "DONE" },
  })
})
afterAll(() => second.close())

/** The same store with a second payment provider. */
function twoProviders({ modules }: StoreConfig): void {
  const payment = modules.payment?.options as { providers: { id: string }[] }
  payment.providers.push({ ...payment.providers[0], id: "second" })
}

describeStore(
  "settings of the dashboard",
  { env: { PAYMENT_SERVICE_ENCRYPTION_KEY: KEY }, configure: twoProviders },
  (store) => {
    let admin: Admin
    let shopper: Shopper
    let secret: string
    beforeAll(async () => {
      admin = await logIn(store)
      secret = store.simulator.secret
    })
    beforeEach(async () => {
      process.env.PAYMENT_SERVICE_ENCRYPTION_KEY = KEY
      store.simulator.configure({ secret })
      second.setCallbackUrl(store.callbackUrl)
      shopper = new Shopper(store)
      await store.restartModule(EMPTY)
    })

    const view = async () => (await admin.get(SETTINGS)).data as unknown as View
    const shared = ({ accounts }: View) => accounts.find(({ account }) => account === "")
    const optionsOf = (seen: View) => {
      const options = shared(seen)?.options ?? []
      return Object.fromEntries(options.map((option) => [option.name, option]))
    }
    const at = (service: Simulator, paid = "CONFIRMED") => ({
      options: { baseUrl: service.url, merchantId: service.merchantId, "statuses.paid": [paid] },
      secrets: { secret: service.secret },
    })
    const save = async (changes: object, headers?: Record<string, string>) => {
      const version = shared(await view())?.version ?? 0
      return await admin.post(SETTINGS, { account: "", version, ...changes }, headers)
    }
    const saved = async (changes: object) => {
      const answer = await save(changes)
      expect(answer).toMatchObject({ status: 200 })
      return answer.data as unknown as View
    }
    /** The plugin's module as another process of the same store has it. */
    const anotherInstance = () => {
      const { __container__ } = store.module as unknown as {
        __container__: ConstructorParameters<typeof PaymentServiceModuleService>[0]
      }
      return new PaymentServiceModuleService(__container__, { ...store.options })
    }
    const chooseOne = async () => {
      const cart = await shopper.cart()
      return await shopper.choose(await shopper.collection(cart.id), "sbp")
    }

    it("are empty at first: the store starts, the methods are listed, and nobody can pay yet", async () => {
      expect(await chooseOne()).toMatchObject({
        status: 400,
        data: {
          code: "not_set_up",
          message: expect.stringContaining("not set up in this shop yet"),
        },
      })
      const listed = await shopper.raw(
        "get",
        `/store/payment-providers?region_id=${store.shop.regionId}`
      )
      expect(JSON.stringify(listed.data)).toContain("pp_sbp_main")
      expect(shared(await view())).toMatchObject({
        is_complete: false,
        missing: ["baseUrl", "merchantId", "secret", "statuses.paid"],
        can_be_asked: false,
      })
      for (const page of ["connection", "overview", "transactions", "subscriptions", "watcher"]) {
        const { status, data } = await admin.get(`/admin/payment-service/${page}`)
        expect([page, status, data.code]).toEqual(
          page === "subscriptions" ? [page, 400, "not_set_up"] : [page, 200, undefined]
        )
      }
    })

    it("hold less than the file, option by option", async () => {
      await store.restartModule({ ...EMPTY, merchantId: store.simulator.merchantId })
      const { options, secrets } = at(store.simulator)
      const { merchantId, ...others } = options
      expect(await save({ options, secrets })).toMatchObject({
        status: 400,
        data: { code: "invalid_settings", facts: { fields: { merchantId: {} } } },
      })
      const seen = optionsOf(await saved({ options: others, secrets }))
      expect(seen.merchantId).toMatchObject({ source: "file", value: merchantId, is_locked: true })
      expect(seen.baseUrl).toMatchObject({ source: "stored", is_locked: false })
      expect(seen["payouts.enabled"]).toMatchObject({ is_locked: true, value: false })
      await store.restartModule({ baseUrl: second.url })
      expect(optionsOf(await view()).baseUrl).toMatchObject({ source: "file", value: second.url })
    })

    it("say what is wrong at its field, in the admin's language, and save nothing", async () => {
      const wrong = {
        options: { baseUrl: "pay.test", "statuses.paid": ["PENDING"], nonsense: 1, secret: "x" },
        secrets: { secret: "with a blank", baseUrl: "x" },
      }
      const { status, data } = await save(wrong, { "accept-language": "ru" })
      expect(status).toBe(400)
      const { fields } = data.facts as { fields: Record<string, { ru: string }> }
      expect(Object.keys(fields).sort()).toEqual(
        ["baseUrl", "nonsense", "secret", "statuses.paid"].sort()
      )
      expect(fields["statuses.paid"]?.ru).toContain("PENDING")
      expect(data.message).toBe("Кое-что из этого не подходит. Ничего не сохранено.")
      const payouts = await save({
        options: { "payouts.enabled": true, callbackToken: "a".repeat(20) },
      })
      expect(payouts.data).toMatchObject({
        facts: { fields: { "payouts.enabled": {}, callbackToken: {} } },
      })
      expect((await view()).history).toEqual([])
    })

    it("keep secrets sealed: no dump, answer, log or event shows one (promise 22)", async () => {
      const answer = await saved({
        ...at(store.simulator),
        secrets: { secret, signingSecret: "signing-canary-1234" },
      })
      expect(optionsOf(answer).secret).toMatchObject({
        source: "stored",
        value: null,
        set_by: ADMIN_NAME,
      })
      await eventually("the event is sent", async () =>
        (await store.module.listEvents({ name: "payment_service.settings_changed" })).every(
          ({ send_at }) => send_at === null
        )
      )
      const everything = [
        await store.module.listSettings({}),
        await store.module.listEvents({}),
        await view(),
        (await admin.get("/admin/payment-service/connection")).data,
        store.log,
      ]
      for (const canary of [secret, "signing-canary-1234"]) {
        expect(JSON.stringify(everything)).not.toContain(canary)
      }
      // A secret is sealed for its place.
      const [row] = await store.module.listSettings({})
      const secrets = row?.secrets as Record<string, object>
      await store.module.updateSettings({
        id: row!.id,
        secrets: { secret: secrets.signingSecret, signingSecret: secrets.secret },
      })
      await store.restartModule(EMPTY)
      expect((await view()).unopened).toHaveLength(2)
      const moved = { account: "main", version: 2, options: row!.options, secrets }
      const by = { by: ADMIN_ID, by_name: ADMIN_NAME, at: new Date() }
      await store.module.createSettings([{ ...moved, ...by }])
      await store.restartModule(EMPTY)
      expect((await view()).unopened.filter(({ account }) => account === "main")).toHaveLength(2)
    })

    it("keep a generated callback token sealed, too; with another key the old address still works", async () => {
      await store.restartModule({ ...EMPTY, callbackToken: undefined })
      const urlOf = async () => {
        const { data } = await admin.get("/admin/payment-service/connection")
        return String(data.callback_url)
      }
      const old = await urlOf()
      const tokenIn = (address: string) => address.split("/").at(-1) ?? ""
      expect(JSON.stringify(await store.module.listCallbackTokens({}))).not.toContain(tokenIn(old))
      expect(await urlOf()).toBe(old)
      process.env.PAYMENT_SERVICE_ENCRYPTION_KEY = "o".repeat(32)
      const other = await urlOf()
      expect(other).not.toBe(old)
      expect(await urlOf()).toBe(other)
      expect((await store.http.post(old, {})).status).toBe(200)
    })

    it("keep the key of guests' digests sealed; resealed or lost, a guest is known by the keys that are there", async () => {
      await store.module.deleteGeneratedKeys(
        (await store.module.listGeneratedKeys({})).map(({ id }) => id)
      )
      const guest = async () => {
        await store.restartModule({})
        return await store.module.guestPayerIds("guest@shopper.test")
      }
      const OTHER = "o".repeat(32)
      const [, ofStored] = await guest()
      const kept = await store.module.listGeneratedKeys({})
      expect(kept.map(({ value }) => value.split(".").length)).toEqual(kept.map(() => 4))
      process.env.PAYMENT_SERVICE_ENCRYPTION_KEY = `${OTHER},${KEY}`
      expect(await guest()).toContain(ofStored)
      await resealSettings({ container: store.container, args: [] })
      process.env.PAYMENT_SERVICE_ENCRYPTION_KEY = OTHER
      expect(await guest()).toContain(ofStored)
      // A lost key makes no payment impossible, and is not overwritten.
      delete process.env.PAYMENT_SERVICE_ENCRYPTION_KEY
      expect(await guest()).not.toContain(ofStored)
      process.env.PAYMENT_SERVICE_ENCRYPTION_KEY = OTHER
      expect(await guest()).toContain(ofStored)
    })

    it("need a key for secrets, and say how to make one", async () => {
      delete process.env.PAYMENT_SERVICE_ENCRYPTION_KEY
      expect((await view()).can_seal).toBe(false)
      const { data } = await save(at(store.simulator))
      expect(data).toMatchObject({ code: "invalid_settings" })
      expect(JSON.stringify(data.facts)).toContain(
        "Set PAYMENT_SERVICE_ENCRYPTION_KEY to 32 random"
      )
    })

    it("open with any of several keys; with another one, or none, the store starts and says so", async () => {
      await saved(at(store.simulator))
      const payment = await shopper.checkout()
      const OTHER = "o".repeat(32)
      delete process.env.PAYMENT_SERVICE_ENCRYPTION_KEY
      await store.restartModule({})
      const unread = { unopened: [{ account: "", option: "secret" }], in_flight_elsewhere: 1 }
      expect(await view()).toMatchObject({ can_seal: false, ...unread })
      process.env.PAYMENT_SERVICE_ENCRYPTION_KEY = OTHER
      await store.restartModule({})
      expect(await view()).toMatchObject(unread)
      expect(store.log).toContainEqual(
        expect.stringMatching(/the secret secret cannot be opened.*cannot be read meanwhile: 1\.$/)
      )
      expect((await chooseOne()).data).toMatchObject({ code: "not_set_up" })
      process.env.PAYMENT_SERVICE_ENCRYPTION_KEY = `${OTHER},${KEY}`
      await store.restartModule({})
      await resealSettings({ container: store.container, args: [] })
      process.env.PAYMENT_SERVICE_ENCRYPTION_KEY = OTHER
      await store.restartModule({})
      expect(await view()).toMatchObject({ unopened: [] })
      await payToOrder(store, payment)
    })

    it("have back what a lost key had sealed as soon as it is typed anew, with the payments that were under way", async () => {
      await saved(at(store.simulator))
      const payment = await shopper.checkout()
      process.env.PAYMENT_SERVICE_ENCRYPTION_KEY = "o".repeat(32)
      await store.restartModule({})
      // Nothing else that is saved meanwhile takes away what the key would open.
      const { options } = at(store.simulator)
      await saved({ options: { ...options, description: "{items}" } })
      expect(await view()).toMatchObject({ unopened: [{ option: "secret" }] })
      expect(shared(await view())).toMatchObject({ missing: ["secret"], in_flight: 1 })
      await saved(at(store.simulator))
      expect(await view()).toMatchObject({ unopened: [], in_flight_elsewhere: 0 })
      await payToOrder(store, payment)
    })

    it("hold on another instance within two seconds, without a restart", async () => {
      const other = anotherInstance()
      expect((await other.accounts()).find("main")).toBeNull()
      for (const description of ["One", "Two"]) {
        const { options, secrets } = at(store.simulator)
        await saved({ options: { ...options, description }, secrets })
        await sleep(2_000)
        expect((await other.accounts()).find("main")?.description).toBe(description)
      }
    })

    it("settle payments that were begun at another merchant and address (promise 26)", async () => {
      await saved(at(store.simulator))
      const payment = await shopper.checkout()
      // An account that went elsewhere would leave none behind: what all accounts share still leads to it.
      expect((await view()).accounts.map(({ in_flight }) => in_flight)).toEqual([1, 0, 0])
      // It is looked up where it was begun, so nothing is said to be out of reach.
      expect(await saved(at(second, "DONE"))).toMatchObject({ in_flight_elsewhere: 0 })
      const [next, paid] = [await shopper.checkout(), payment]
      const row = await store.module.findBySession(next.sessionId)
      expect(second.transaction(next.data.transaction_id).payload).toBe(row?.id)
      await payToOrder(store, paid)
      await second.pay(next.data.transaction_id)
      await expectOrderOf(store, next)
    })

    it("settle a payment whose creation began before a save and ended after it (promise 26)", async () => {
      await saved(at(store.simulator))
      const { standing, goOn } = standStillAt("creation:written")
      const opening = shopper.checkout()
      await standing
      await saved(at(second, "DONE"))
      goOn()
      const payment = await opening
      await payToOrder(store, payment)
    })

    it("use a replaced secret at once for payments that were begun before (promise 26)", async () => {
      await saved(at(store.simulator))
      const payment = await shopper.checkout()
      store.simulator.configure({ secret: "a-new-secret-of-the-service" })
      await saved({
        options: at(store.simulator).options,
        secrets: { secret: "a-new-secret-of-the-service" },
      })
      await payToOrder(store, payment)
    })

    it("do not lead payments elsewhere once somebody has paid (promise 22)", async () => {
      await saved(at(store.simulator))
      const payment = await shopper.checkout()
      await store.simulator.pay(payment.data.transaction_id)
      await settledRow(store, payment.sessionId)
      const refused = { status: 400, data: { code: "account_was_paid" } }
      expect(await save(at(second, "DONE"))).toMatchObject(refused)
      const version = shared(await view())?.version
      const own = { account: "main", version, options: { baseUrl: second.url } }
      expect(await admin.post(SETTINGS, own)).toMatchObject(refused)
      const { merchantId: _, ...without } = at(store.simulator).options
      expect(await save({ options: without })).toMatchObject(refused)
      // Nor while nobody knows the key of the secret.
      process.env.PAYMENT_SERVICE_ENCRYPTION_KEY = "o".repeat(32)
      await store.restartModule({})
      expect(await save(at(second, "DONE"))).toMatchObject(refused)
      expect(
        await save({ options: { ...at(store.simulator).options, description: "{items}" } })
      ).toMatchObject({ status: 200 })
    })

    it("do not lead payouts elsewhere once one was sent, also from an account that nobody pays into (promise 22)", async () => {
      await saved(at(store.simulator))
      const { module, simulator } = store
      await module.createPayouts([
        {
          state: "created",
          account: "main",
          base_url: simulator.url,
          merchant_id: simulator.merchantId.toUpperCase(),
          amount: 1_000,
          idempotency_key: randomUUID(),
          limit_day: "2026-11-28",
          made_by: "user_1",
          made_by_name: ADMIN_NAME,
          made_at: new Date(),
          sent_at: new Date(),
        },
      ])
      expect(await save(at(second, "DONE"))).toMatchObject({
        status: 400,
        data: { code: "account_was_paid" },
      })
    })

    /** A server of somebody who wants the store's secrets, and what it hears. */
    const listening = async () => {
      const heard: string[] = []
      const elsewhere = createServer(({ headers }, response) => {
        heard.push(JSON.stringify(headers))
        response.writeHead(404).end()
      }).listen(0)
      await once(elsewhere, "listening")
      const baseUrl = `http://localhost:${(elsewhere.address() as AddressInfo).port}`
      return { heard, baseUrl, close: () => elsewhere.close() }
    }
    const saveFor = async (account: string, changes: object) =>
      await admin.post(SETTINGS, { account, version: (await newestVersion()) ?? 0, ...changes })
    const newestVersion = async () => shared(await view())?.version
    const checkAll = async () => {
      for (const account of [{}, { account: "main" }]) {
        await admin.post("/admin/payment-service/connection/check", account)
      }
    }

    it("send no secret to an address for which nobody typed it (promise 22)", async () => {
      const { heard, baseUrl, close } = await listening()
      // The address is planted before the owner types the secret for the real one.
      const { options, secrets } = at(store.simulator)
      expect(await saveFor("main", { options: { baseUrl } })).toMatchObject({ status: 200 })
      await saved({ options, secrets: { ...secrets, signingSecret: "signing-secret" } })
      await checkAll()
      const planted = { options: { ...options, baseUrl } }
      expect(await saveFor("main", planted)).toMatchObject({ status: 200 })
      await checkAll()
      expect(heard).toEqual([])

      const refused = {
        status: 400,
        data: { code: "invalid_settings", facts: { fields: { secret: {}, signingSecret: {} } } },
      }
      expect(await save({ options: { ...options, baseUrl } })).toMatchObject(refused)
      // Nor with another key than the one with which they were sealed.
      process.env.PAYMENT_SERVICE_ENCRYPTION_KEY = "another-key".repeat(4)
      expect(await save({ options: { ...options, baseUrl } })).toMatchObject(refused)
      process.env.PAYMENT_SERVICE_ENCRYPTION_KEY = KEY

      // A secret of one's own brings no other one along.
      await saveFor("main", { options: { ...options, baseUrl }, secrets: { secret: "my-own" } })
      await checkAll()
      expect(heard.join()).toContain("my-own")
      expect(heard.join()).not.toContain(secrets.secret)
      expect(heard.join()).not.toContain("authorization")
      close()
    })

    it("refuse an address for a secret of the file, and a secret without an address", async () => {
      expect(await save({ secrets: { secret } })).toMatchObject({
        data: { facts: { fields: { secret: { en: expect.stringContaining("address first") } } } },
      })
      await store.restartModule({ ...EMPTY, secret })
      const { options } = at(store.simulator)
      expect(await save({ options })).toMatchObject({
        data: {
          facts: { fields: { baseUrl: { en: expect.stringContaining("medusa-config.ts") } } },
        },
      })
    })

    it("break no account that takes payments", async () => {
      await saved(at(store.simulator))
      const { options } = at(store.simulator)
      const unfit = { ...options, "statuses.canceled": ["PENDING"] }
      expect(await save({ options: unfit })).toMatchObject({
        data: { code: "invalid_settings", facts: { fields: { "statuses.pending": {} } } },
      })
      expect(await save({ options, secrets: { secret: null } })).toMatchObject({
        data: { code: "invalid_settings", facts: { fields: { secret: {} } } },
      })
      expect(shared(await view())).toMatchObject({ is_complete: true })
    })

    it("are saved once when two admins save at once on two instances, and are one version on both", async () => {
      const instances = [store.module, anotherInstance()]
      const admins = ["Anna", "Boris"].map((name) => ({ id: `user_${name}`, name }))
      const answers = await Promise.allSettled(
        instances.map(async (instance, index) => {
          const options = { description: admins[index]!.name }
          const input = { account: "", version: 0, options, secrets: {} }
          await saveSettings(instance, input, admins[index]!, ["main"])
        })
      )
      const winner = admins[answers.findIndex(({ status }) => status === "fulfilled")]?.name
      expect(answers.filter(({ status }) => status === "rejected")).toMatchObject([
        { reason: { code: "settings_changed", facts: { name: winner } } },
      ])
      expect((await view()).history).toMatchObject([{ version: 1, by_name: winner }])
      for (const { settings } of instances) {
        settings.forget()
        expect(await settings.list.all()).toMatchObject([{ options: { description: winner } }])
      }
      // An admin who saves older settings is told who was faster.
      const late = { account: "", version: 0, options: { description: "Late" } }
      expect((await admin.post(SETTINGS, late)).data).toMatchObject({
        code: "settings_changed",
        message: expect.stringContaining(`${winner} has saved these settings`),
      })
    })

    it("settle payments whose status nobody had named, as soon as it is named", async () => {
      await saved(at(store.simulator, "ANOTHER"))
      const payment = await shopper.checkout()
      await store.simulator.pay(payment.data.transaction_id)
      await eventually("the status is not known", async () => {
        const row = await store.module.findBySession(payment.sessionId)
        return row?.exception === "unknown_status"
      })
      expect(await ordersOf(store, payment.cartId)).toEqual([])
      await saved({ options: at(store.simulator).options })
      await expectOrderOf(store, payment)
    })

    it("hold for one account, or for what all accounts share", async () => {
      const { options, secrets } = at(store.simulator)
      await saved({ options, secrets })
      const own = { account: "main", version: 1, options: { merchantId: second.merchantId } }
      const { data } = await admin.post(SETTINGS, own)
      const { accounts } = data as unknown as View
      expect(accounts.map(({ account, is_complete }) => [account, is_complete])).toEqual([
        ["", true],
        ["main", true],
        ["second", true],
      ])
      // An option that all accounts share is shown as shared, and not as built in.
      const shown = (name: string) => accounts[1]?.options.find((option) => option.name === name)
      const { url } = store.simulator
      expect(shown("merchantId")).toMatchObject({ source: "stored", value: second.merchantId })
      expect(shown("baseUrl")).toMatchObject({ source: "shared", value: url, by_default: url })
      expect(shown("secret")).toMatchObject({ source: "shared", value: null, set_by: ADMIN_NAME })
      expect(shown("currencies")).toMatchObject({ source: "default", value: ["RUB"] })
      // Options of the whole store are no account's.
      const misplaced = { ...own, version: 2, options: { backendUrl: "https://store.test" } }
      expect((await admin.post(SETTINGS, misplaced)).data).toMatchObject({
        facts: { fields: { backendUrl: {} } },
      })
    })

    it("are for admins who are signed in, and no API key, which is shown no callback address either (promise 22)", async () => {
      const headers = await scriptOf(admin)
      const body = { account: "", version: 0, options: { description: "x" } }
      const refused = { status: 400, data: { code: "admins_only" } }
      expect(await store.http.post(SETTINGS, body, { headers })).toMatchObject(refused)
      expect(await store.http.get(SETTINGS, { headers })).toMatchObject(refused)
      const pay = { region_id: store.shop.regionId, provider_id: "pp_sbp_main", amount: 10 }
      const testPayment = await store.http.post(`${SETTINGS}/test-payment`, pay, { headers })
      expect(testPayment).toMatchObject(refused)
      await store.restartModule({ ...EMPTY, callbackToken: undefined })
      const tokens = "/admin/payment-service/callback-tokens"
      const answers = [
        await store.http.get("/admin/payment-service/connection", { headers }),
        await store.http.get(tokens, { headers }),
        await store.http.post(tokens, {}, { headers }),
      ]
      expect(answers).toMatchObject(
        answers.map(() => ({ status: 200, data: { callback_url: null } }))
      )
      const { data } = await admin.get("/admin/payment-service/connection")
      const token = String(data.callback_url).split("/").at(-1) ?? ""
      expect(token).toMatch(/^[\w-]{43}$/)
      expect(JSON.stringify(answers.map((answer) => answer.data as unknown))).not.toContain(token)
    })

    describe("of several accounts", () => {
      let other: OtherService
      beforeAll(async () => {
        other = await OtherService.start()
      })
      afterAll(() => other.close())
      beforeEach(async () => {
        other.callbackUrl = store.callbackUrl
        const payment_providers = ["main", "second"].flatMap((id) => [
          `pp_sbp_${id}`,
          `pp_crypto_${id}`,
        ])
        const input = { selector: { id: store.shop.regionId }, update: { payment_providers } }
        await updateRegionsWorkflow(store.container).run({ input })
      })

      const of = async (id: string) => (await view()).accounts.find(({ account }) => account === id)
      const there = (named = {}) => ({
        options: { baseUrl: other.url, merchantId: other.merchantId, ...named },
        secrets: { secret: other.secret },
      })
      const MISSING = ["baseUrl", "merchantId", "secret", "statuses.paid"]
      const NAMED = {
        "statuses.paid": [OTHER_STATUSES.paid],
        "statuses.pending": [OTHER_STATUSES.open],
      }
      /** The first answer about anything is an error of this service's gateway. */
      const twice = async <Answer>(ask: () => Promise<Answer>) =>
        [await ask(), await ask()] as const
      const check = async () => await admin.post("/admin/payment-service/connection/check")

      const expectOrderBy = async (account: string, service: Pick<OtherService, "pay">) => {
        const collection = await shopper.collection((await shopper.cart()).id)
        await shopper.choose(collection, "sbp", undefined, { account })
        const payment = await shopper.openIn(collection, "", "sbp", undefined, { account })
        await service.pay(payment.data.transaction_id)
        const { cart_id } = await settledRow(store, payment.sessionId)
        await expectPaidOrder(store, cart_id ?? "")
      }

      it("lead from a file with two lines for the plugin to paid orders, by nothing but what the page asks for (promise 1)", async () => {
        const { regionId } = store.shop
        const providers = async (ids: string[]) =>
          await admin.post(`/admin/regions/${regionId}`, { payment_providers: ids })
        await providers(["pp_system_default"])
        const nothing = Object.keys(store.options).map((name) => [name, undefined] as const)
        await store.restartModule(Object.fromEntries(nothing))
        const PAGES = ["successUrl", "failureUrl"]
        const begun = shared(await view())
        expect(begun?.missing).toEqual(["backendUrl", ...MISSING, ...PAGES])
        const connection = async () => (await admin.get("/admin/payment-service/connection")).data
        expect(await connection()).toMatchObject({ callback_url: null })

        const pages = Object.fromEntries(PAGES.map((name) => [name, "http://shop.test/result"]))
        const { options, secrets } = there({ backendUrl: store.backendUrl, ...pages })
        await saved({ options, secrets })
        other.callbackUrl = String((await connection()).callback_url)
        other.add(OTHER_STATUSES.paid)
        const checks = (await twice(check)).map(({ data }) => data.checks)
        expect(checks[1]).toMatchObject([{ credentials: { outcome: "accepted" } }])
        expect(JSON.stringify(checks[1])).toContain(OTHER_STATUSES.paid)
        await saved({ options: { ...options, ...NAMED } })
        expect(shared(await view())).toMatchObject({ is_complete: true, missing: [] })
        await providers(["pp_system_default", "pp_sbp_main", "pp_crypto_main"])

        const payment = { region_id: regionId, provider_id: "pp_crypto_main", amount: 1_012.5 }
        const pay = async () => await admin.post(`${SETTINGS}/test-payment`, payment)
        const [, { data }] = await twice(pay)
        const row = await store.module.retrieveTransaction(String(data.transaction_row_id))
        await other.pay(row.transaction_id ?? "")
        const { cart_id } = await settledRow(store, row.session_id)
        await expectPaidOrder(store, cart_id ?? "")
        const { callback_tokens: tokens } = await connection()
        expect(tokens).toContainEqual(
          expect.objectContaining({ source: "generated", reached_at: expect.any(String) })
        )
        await expectOrderBy("main", other)
      })

      it("call a slow service eight times at once at most, and keep nobody waiting for one that hangs (promise 25)", async () => {
        await saved(there(NAMED))
        // The service's gateway refuses the first creation.
        await chooseOne()
        other.callbackUrl = null
        const payments: OpenPayment[] = []
        while (payments.length < 12) payments.push(await shopper.checkout())
        for (const { data } of payments) await other.pay(data.transaction_id)
        // Each answer comes after two that are of no use.
        setUntilTheTestEnds(TIMEOUTS, { readMs: PATIENCE_MS })
        setUntilTheTestEnds(other, { slow: () => sleep(1_000), mostOpen: 0 })
        await Promise.all(payments.map(({ cartId }) => shopper.complete(cartId)))
        for (const payment of payments) await expectOrderOf(store, payment)
        expect(other.mostOpen).toBeGreaterThan(1)
        expect(other.mostOpen).toBeLessThanOrEqual(8)

        await stopWatcher(store)
        const { sessionId } = await shopper.checkout()
        setUntilTheTestEnds(Queue, { longestWaitMs: 3_000 })
        const { passed } = gate()
        setUntilTheTestEnds(other, { slow: () => passed, mostOpen: 0 })
        const returns = Array.from({ length: 20 }, () => shopper.comeBack(sessionId))
        for (const { status, location } of await Promise.all(returns)) {
          expect([status, location]).toEqual([302, expect.stringMatching(/state=pending$/)])
        }
        // All are answered while the only call still waits.
        expect([other.open, other.mostOpen]).toEqual([1, 1])
      })

      it("let nobody pay with an account that is begun, and not with what all accounts share either", async () => {
        const { options, secrets } = there()
        expect(await saveFor("second", { options })).toMatchObject({ status: 200 })
        expect(await saveFor("", at(store.simulator))).toMatchObject({ status: 200 })
        expect(await of("second")).toMatchObject({ is_complete: false, missing: ["secret"] })
        const collection = await shopper.collection((await shopper.cart()).id)
        const account = "second"
        expect(
          (await shopper.choose(collection, "sbp", undefined, { account })).data
        ).toMatchObject({
          code: "not_set_up",
        })
        await expectOrderBy("main", store.simulator)
        expect(await saveFor("third", {})).toMatchObject({ data: { code: "no_such_account" } })
        // Nor is an account broken that takes payments by what all accounts share.
        expect(await saveFor("main", { options: { baseUrl: other.url } })).toMatchObject({
          status: 400,
        })
        expect(await saveFor("second", { options, secrets })).toMatchObject({ status: 200 })
        expect(await of("second")).toMatchObject({ is_complete: true })
        // Payments by one account do not tie another, by which nobody has paid, to the same merchant.
        for (const paid of ["", "main"]) {
          expect(await saveFor(paid, at(second, "DONE"))).toMatchObject({
            data: { code: "account_was_paid" },
          })
        }
      })

      it("are offered for a provider beside the accounts of the file", async () => {
        const { url: baseUrl, merchantId, secret } = store.simulator
        const statuses = { paid: ["CONFIRMED"] }
        await store.restartModule({ accounts: { main: { baseUrl, merchantId, secret, statuses } } })
        expect((await view()).accounts).toMatchObject([
          { account: "", is_complete: null, missing: [] },
          { account: "main", is_complete: true },
          { account: "second", is_complete: false, missing: MISSING },
        ])
        expect(await saveFor("second", there(NAMED))).toMatchObject({ status: 200 })
        await expectOrderBy("second", other)
      })
    })
  }
)
