import { methods } from "../../../src/exports/texts.en.json"
import storeTexts from "../../../src/refusals/texts.en.json"
import {
  createReader,
  methodOf,
  openSession,
  paymentTexts,
  refusalText,
  startPayment,
  StoreError,
} from "../../../storefront/index.js"
import { LINK, ScriptedStore } from "./shop"

it("knows the method of the plugin's providers and of no others", () => {
  expect(
    [
      "pp_sbp_main",
      "pp_crypto_other",
      "pp_sbp",
      "pp_sbpx_main",
      "pp_stripe_stripe",
      "",
      null,
      undefined,
    ].map(methodOf)
  ).toEqual(["sbp", "crypto", "sbp", null, null, null, null, null])
})

it("knows every method of the plugin", () => {
  const names = Object.keys(methods)
  expect(names.map((name) => methodOf(`pp_${name}_main`))).toEqual(names)
})

describe("the open session", () => {
  const session = (id: string, status = "pending", provider_id = "pp_sbp_main") => ({
    id,
    status,
    provider_id,
  })

  it("is found in a cart, an order and a payment collection", () => {
    const payment_sessions = [
      session("a", "canceled"),
      session("b"),
      session("c", "pending", "pp_stripe_stripe"),
    ]
    expect(openSession({ payment_collection: { payment_sessions } })?.id).toBe("b")
    expect(openSession({ payment_sessions })?.id).toBe("b")
    const order = {
      payment_collections: [
        { payment_sessions },
        { payment_sessions: [session("d", "pending_authorization")] },
      ],
    }
    expect(openSession(order)?.id).toBe("d")
  })
})

describe("a payment that is begun", () => {
  const answered = (...sessions: [string, string][]) => ({
    payment_collection: {
      id: LINK,
      payment_sessions: sessions.map(([id, provider_id]) => ({
        id,
        provider_id,
        status: "pending",
      })),
    },
  })

  it("is begun once, however often it is asked for at the same time", async () => {
    const store = new ScriptedStore()
    const first = startPayment(store, { collectionId: LINK }, "pp_sbp_main")
    const second = startPayment(store, { collectionId: LINK }, "pp_sbp_main")
    await store.last.answer(answered(["payses_01", "pp_sbp_main"]))
    expect(await Promise.all([first, second])).toEqual(["payses_01", "payses_01"])
    expect(store.questions).toHaveLength(1)
    const later = startPayment(store, { collectionId: LINK }, "pp_sbp_main")
    await store.last.answer(answered(["payses_02", "pp_sbp_main"]))
    expect(await later).toBe("payses_02")
  })

  it("is refused in the store's words, and can then be tried again", async () => {
    const store = new ScriptedStore()
    const begin = () => startPayment(store, { collectionId: LINK }, "pp_sbp_main")
    const refused = expect(begin()).rejects.toThrow("This order is paid already.")
    await store.last.refuse(400, "This order is paid already.")
    await refused
    const without = expect(begin()).rejects.toThrow("no payment session for pp_sbp_main")
    await store.last.answer(answered(["payses_02", "pp_stripe_stripe"]))
    await without
  })
})

describe("a reader of its own", () => {
  const realFetch = globalThis.fetch
  const asked: { url: string; init: RequestInit }[] = []
  let answer: { ok: boolean; status: number; statusText?: string; json: () => Promise<unknown> }
  beforeEach(() => {
    asked.length = 0
    globalThis.fetch = (async (url: string, init: RequestInit) => {
      asked.push({ url, init })
      return answer
    }) as typeof fetch
  })
  afterAll(() => {
    globalThis.fetch = realFetch
  })
  const reader = createReader({ baseUrl: "https://shop.test/", publishableKey: "pk_1" })

  it("sends the publishable key and JSON, and gives the answer", async () => {
    answer = { ok: true, status: 200, json: async () => ({ a: 1 }) }
    expect(await reader.client.fetch("/store/x", { method: "POST", body: { b: 2 } })).toEqual({
      a: 1,
    })
    expect(asked[0]).toMatchObject({
      url: "https://shop.test/store/x",
      init: {
        method: "POST",
        body: '{"b":2}',
        headers: { "x-publishable-api-key": "pk_1", "content-type": "application/json" },
      },
    })
    expect(asked[0]?.init.credentials).toBeUndefined()
  })

  it("throws the store's sentence, status and code", async () => {
    answer = {
      ok: false,
      status: 404,
      json: async () => ({ code: "no_such_payment", message: "There is no such payment." }),
    }
    const error: unknown = await reader.client.fetch("/store/x").catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StoreError)
    const code = "no_such_payment"
    expect(error).toMatchObject({ message: "There is no such payment.", status: 404, code })
    answer = {
      ok: false,
      status: 502,
      statusText: "Bad Gateway",
      json: () => Promise.reject(new SyntaxError("no JSON")),
    }
    await expect(reader.client.fetch("/store/x")).rejects.toThrow("Bad Gateway")
  })
})

it("says the same in both languages, with the same things filled in (promise 21)", () => {
  const [{ refusals: said, ...en }, { refusals, ...ru }] = [paymentTexts.en, paymentTexts.ru]
  expect(Object.keys(ru)).toEqual(Object.keys(en))
  expect(Object.keys(refusals)).toEqual(Object.keys(said))
  const filled = (text: string) => [...text.matchAll(/\{[a-z]+\}/g)].map(([name]) => name).sort()
  for (const key of Object.keys(en) as (keyof typeof en)[]) {
    expect({ key, filled: filled(ru[key]) }).toEqual({ key, filled: filled(en[key]) })
    expect({ key, isRussian: /[а-яё]/i.test(ru[key]) }).toEqual({ key, isRussian: true })
  }

  // The store's sentences are the plugin's own. Of those with facts in them the part has words without.
  const ofStore: Record<string, string> = storeTexts.refusedPayments
  for (const [code, sentence] of Object.entries(said)) {
    const its = ofStore[code] ?? "none"
    expect({ code, sentence }).toEqual({ code, sentence: its.includes("{{") ? sentence : its })
  }
})

describe("a refusal", () => {
  const refused = (code: string | null, message = "No.") => new StoreError(message, 400, code)

  it("is said in the shopper's language, by its code, or by the store's sentence where a client drops the code", () => {
    const { perCart } = storeTexts.refusedPayments
    for (const refusal of [refused("perCart"), new Error(perCart), perCart]) {
      expect(refusalText(refusal, "ru")).toMatch(/^Для этой корзины начато слишком много оплат/)
      expect(refusalText(refusal, "en")).toBe(perCart)
    }
    expect(refusalText(refused("more_than_owed"), "ru")).toContain("осталось заплатить меньше")
  })
})
