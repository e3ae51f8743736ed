import { MedusaError } from "@medusajs/framework/utils"

import { TIMEOUTS } from "../../../src/service/client"
import { Accounts } from "../../../src/settings/accounts"
import type { AccountOptions, StoreOptions } from "../../../src/settings/options"
import { readFileOptions, resolveOptions } from "../../../src/settings/resolve-options"

const MERCHANT = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"
const OTHER_MERCHANT = "1a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"

const PAGE = "https://a.test"

/** Required options and nothing else. */
const required = {
  baseUrl: "https://pay.test",
  merchantId: MERCHANT,
  secret: "s3cret",
  statuses: { paid: ["Done"] },
  successUrl: "https://shop.test/ok",
  failureUrl: "https://shop.test/no",
  backendUrl: "https://store.test",
}

const EVERY_LIST = {
  paid: ["Done", "done"],
  canceled: ["CANCELED", "No"],
  pending: ["PENDING", "New"],
  expired: ["Late"],
  reversed: ["Back"],
}

const resolve = (raw: unknown) => resolveOptions(readFileOptions(raw))
const accountsOf = (raw: unknown) => new Accounts(resolve(raw))

/** The options of an account and its store. */
function accept(
  patch: Record<string, unknown> = {},
  account = "main"
): AccountOptions & StoreOptions {
  const accounts = accountsOf({ ...required, ...patch })
  return { ...accounts.store, ...accounts.get(account) }
}

function refusalOf(work: () => unknown): MedusaError {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(MedusaError)
    return error as MedusaError
  }
  throw new Error("was accepted")
}

/** The sentence after the plugin's name. */
function sentenceOf(raw: unknown): string {
  const { type, message } = refusalOf(() => resolve(raw))
  expect(type).toBe(MedusaError.Types.INVALID_DATA)
  const [plugin, sentence] = message.split(/: (.*)/s)
  expect(plugin).toBe("medusa-payment-sbp-crypto")
  return sentence ?? ""
}

const startingWith = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`)

const refuse = (patch: Record<string, unknown>) => sentenceOf({ ...required, ...patch })

describe("defaults", () => {
  it("fill in everything but what is required", () => {
    expect(accept()).toEqual({
      ...required,
      statuses: {
        paid: ["Done"],
        canceled: ["CANCELED"],
        pending: ["PENDING"],
        expired: [],
        reversed: [],
      },
      currencies: ["RUB"],
      storefronts: {},
      description: "{store}: {items}",
      payer: { userId: "required", name: false, ip: "off" },
      orderPlacement: "after_payment",
      export: { statusCodes: {}, methodCodes: {}, linkHosts: [] },
      subscriptions: { callbacks: false, statusCodes: {}, intervalCodes: {} },
      watcher: { readsPerSecond: 5 },
      creationLimits: { perCart: 10 },
      payouts: { enabled: false, approval: false, perPayout: 87_500, timeZone: "UTC", users: [] },
      language: "en",
      retention: { years: 5, days: 90 },
      signatureScheme: "SVC-HMAC",
    })
  })

  it("keep a shopper waiting for 10 s at the most (promise 10)", () => {
    expect(Math.max(TIMEOUTS.createMs, TIMEOUTS.readMs)).toBeLessThanOrEqual(10_000)
  })
})

describe("accepted", () => {
  it.each<[string, unknown, string, unknown]>([
    ["baseUrl", "https://pay.test/", "baseUrl", "https://pay.test"],
    ["baseUrl", "HTTPS://Pay.Test:443/API", "baseUrl", "https://pay.test/API"],
    ["baseUrl", "http://localhost:4010", "baseUrl", "http://localhost:4010"],
    // Containers of one composition, and machines of one network, outside production.
    ["baseUrl", "http://simulator:4010", "baseUrl", "http://simulator:4010"],
    ["baseUrl", "http://192.168.0.7", "baseUrl", "http://192.168.0.7"],
    ["baseUrl", "http://[fd00::1]", "baseUrl", "http://[fd00::1]"],
    ["currencies", ["rub", "UsD"], "currencies", ["RUB", "USD"]],
    ["callbackToken", "abcDEF_-01234567", "callbackToken", "abcDEF_-01234567"],
  ])("%s: %p", (option, value, field, result) => {
    expect(accept({ [option]: value })).toHaveProperty(field, result)
  })

  it.each<[string, Record<string, unknown>]>([
    ["payer id optional", { payer: { userId: "optional", name: true, ip: "x-real-ip" } }],
    ["every list of statuses", { statuses: EVERY_LIST }],
  ])("%s", (_, patch) => {
    expect(accept(patch)).toMatchObject(patch)
  })
})

describe("required", () => {
  it.each(Object.keys(required))("%s, here or on the page Settings", (option) => {
    const { [option as keyof typeof required]: _, ...rest } = required
    // A secret of the file is sent to an address of the file alone.
    const missing =
      option === "baseUrl"
        ? ["baseUrl", "secret"]
        : [option === "statuses" ? "statuses.paid" : option]
    for (const raw of [
      rest,
      { ...required, [option]: null },
      { ...required, [option]: undefined },
    ]) {
      expect(resolve(raw).accounts).toMatchObject([{ id: null, options: null, missing }])
    }
  })

  it.each(["options", 5])("refuses %p instead of options", (raw) => {
    expect(sentenceOf(raw)).toBe("options must be given to the plugin in medusa-config.ts")
  })
})

describe("refused, in a sentence that names the option", () => {
  it.each<[Record<string, unknown>, string]>([
    [{ baseUrl: "pay.test" }, "baseUrl must be the https address"],
    [{ merchantId: "shop" }, "merchantId must be the merchant id, a UUID"],
    [{ secret: "pasted\n" }, "secret must be the merchant secret, without blanks"],
    [{ statuses: { paid: [] } }, "statuses.paid must name at least one status"],
    [{ statuses: { paid: ["Done", 5] } }, "statuses.paid.1 must be "],
    [{ statuses: { paid: ["Done"], canceled: "CANCELED" } }, "statuses.canceled must be a list"],
    [{ currencies: ["RUB", "RUBLE"] }, "currencies.1 must be currency codes"],
    [{ currencies: ["JPY"] }, "currencies.0 must be a currency with two decimals"],
    [{ currencies: ["RUB", "kwd"] }, "currencies.1 must be a currency with two"],
    [{ subscriptions: { callbacks: "yes" } }, "subscriptions.callbacks must be true or false"],
    [
      { subscriptions: { statusCodes: { On: "x" } } },
      "subscriptions.statusCodes.On must be a nume",
    ],
    [{ export: { linkHosts: [5] } }, "export.linkHosts.0 must be a host name"],
    ...[
      ...["", "https://a.test", "//a.test", "a.test/", "a.test:443", "user@a.test", "a.test?x"],
      ...["*.a.test", ".a.test", "a.test.", "a b.test", "a_b/../c", "a..test/", "[::1]", "-"],
    ].map((host): [Record<string, unknown>, string] => [
      { export: { linkHosts: ["a.test", host] } },
      "export.linkHosts.1 must be a host name",
    ]),
    [{ successUrl: "/thanks" }, "successUrl must be a full address"],
    [{ successUrl: "javascript:alert(1)" }, "successUrl must be a full address"],
    [{ storefronts: { sc_01: { successUrl: PAGE } } }, "storefronts.sc_01.failureUrl must be"],
    [
      { storefronts: { sc_01: { successUrl: "/a", failureUrl: PAGE } } },
      "storefronts.sc_01.successUrl must be a full address",
    ],
    [
      { storefronts: { sc_01: { successUrl: PAGE, failureUrl: PAGE, x: 1 } } },
      "storefronts.sc_01.x is not an option",
    ],
    [{ backendUrl: "store.test" }, "backendUrl must be the public address"],
    [{ payer: { userId: "never" } }, 'payer.userId must be "required" or "optional"'],
    [{ payer: { ip: true } }, 'payer.ip must be "off", "request" or the name'],
    [{ callbackToken: "short" }, "callbackToken must be 16 to 128"],
    [{ callbackToken: "0123456789abcdef\n" }, "callbackToken must be 16 to 128"],
    [{ signatureScheme: "A\r\nB: c" }, "signatureScheme must be a scheme"],
  ])("%j: %s", (patch, sentence) => {
    // One mistake may break two rules, but no other option is blamed for it.
    const blamed = refuse(patch).split("; ")
    expect(blamed[0]).toMatch(startingWith(sentence))
    const [option = ""] = sentence.split(" ")
    for (const each of blamed) expect(each).toMatch(startingWith(option))
  })

  const HTTP_REFUSED =
    "baseUrl must be an https address (http only on this machine, and in a private network outside production)"

  it.each([
    "http://pay.test",
    "http://localhost.pay.test",
    "http://127.0.0.1.pay.test",
    "http://[2001:db8::1]",
  ])("baseUrl %s: http only on this machine and in private networks", (baseUrl) => {
    expect(refuse({ baseUrl })).toBe(HTTP_REFUSED)
  })

  describe("in production", () => {
    const before = process.env.NODE_ENV
    beforeEach(() => {
      process.env.NODE_ENV = "production"
    })
    afterEach(() => {
      process.env.NODE_ENV = before
    })

    it.each([
      "http://notlocalhost",
      "http://simulator:4010",
      "http://192.168.0.1",
      "http://localhost.pay.test",
      "http://127.0.0.1.pay.test",
      "http://[::2]",
    ])("baseUrl %s: http only on this machine", (baseUrl) => {
      expect(refuse({ baseUrl })).toBe(HTTP_REFUSED)
    })
  })

  it.each(["PENDING", "CANCELED"])("%s is not paid, whatever else the lists say", (status) => {
    const meant = status === "PENDING" ? "pending" : "canceled"
    for (const statuses of [
      { paid: [status] },
      { paid: ["Done", status] },
      { paid: ["Done", status], [meant]: [] },
      { paid: [status], [meant]: ["Other"] },
    ]) {
      expect(refuse({ statuses })).toContain(
        `statuses.paid must not contain ${status}, which the specification gives another meaning`
      )
    }
  })

  it("a status in two lists, for each pair of lists", () => {
    const lists = ["paid", "canceled", "pending", "expired", "reversed"]
    for (const one of lists) {
      for (const other of lists.filter((list) => list > one)) {
        const statuses = { paid: ["Done"], [one]: ["Odd"], [other]: ["Odd"] }
        const sentence = refuse({ statuses })
        expect(sentence).toContain('must not name "Odd" again')
        expect(sentence).toContain(`statuses.${one}`)
        expect(sentence).toContain(`statuses.${other}`)
      }
    }
    // A default list counts, too.
    expect(refuse({ statuses: { paid: ["Done"], expired: ["CANCELED"] } })).toBe(
      'statuses.expired must not name "CANCELED" again, it is in statuses.canceled'
    )
  })
})

describe("accounts", () => {
  const { merchantId, secret, ...shared } = required
  const two = {
    ...shared,
    description: "shared",
    accounts: {
      main: { merchantId, secret },
      second: {
        merchantId: OTHER_MERCHANT,
        secret: "other",
        description: "own",
        statuses: { paid: ["OK"] },
      },
    },
  }

  it("have their own options before the shared ones", () => {
    const accounts = accountsOf(two)
    expect(accounts.find("third")).toBeNull()
    expect(accounts.get("main")).toMatchObject({
      baseUrl: "https://pay.test",
      merchantId: MERCHANT,
      secret: "s3cret",
      description: "shared",
      statuses: { paid: ["Done"] },
    })
    expect(accounts.get("second")).toMatchObject({
      baseUrl: "https://pay.test",
      merchantId: OTHER_MERCHANT,
      secret: "other",
      description: "own",
      statuses: { paid: ["OK"], canceled: ["CANCELED"] },
    })
    expect(resolve(two).accounts).toMatchObject([
      { id: "main", options: accounts.get("main") },
      { id: "second", options: accounts.get("second") },
    ])
    expect(accounts.get("main")).not.toHaveProperty("accounts")
    // Option by option, also within a section, in the file and with what admins have set beside it.
    const merged = { ...two, statuses: { canceled: ["VOID"] } }
    expect(accountsOf(merged).get("second").statuses).toMatchObject({
      paid: ["OK"],
      canceled: ["VOID"],
    })
    const options = { "statuses.paid": ["Shown"], "statuses.canceled": ["Other"] }
    const stored = [{ account: "main", options, secrets: {} }]
    const [main] = resolveOptions(readFileOptions(merged), stored).accounts
    expect(main?.options?.statuses).toMatchObject({ paid: ["Shown"], canceled: ["VOID"] })
    const overlapping = { ...two, statuses: { canceled: ["OK"] } }
    expect(sentenceOf(overlapping)).toContain('must not name "OK" again')
  })

  it.each(["third", "", "Main", "main ", "constructor", "__proto__", "toString"])(
    "refuse an id that is not configured: %p",
    (account) => {
      const { type, message } = refusalOf(() => accountsOf(two).get(account))
      expect(type).toBe(MedusaError.Types.NOT_ALLOWED)
      expect(message).toContain("This way to pay is not set up in this shop yet")
    }
  )

  it("name the account of a wrong, a missing and an unknown option", () => {
    const wrong = { ...two, accounts: { ...two.accounts, third: { merchantId: "x", secret } } }
    expect(sentenceOf(wrong)).toBe("accounts.third.merchantId must be the merchant id, a UUID")
    expect(resolve({ ...shared, accounts: { a: { merchantId } } }).accounts).toMatchObject([
      { id: "a", options: null, missing: ["secret"], connection: null },
    ])
    expect(sentenceOf({ ...shared, accounts: { a: { merchantId, secret, key: 1 } } })).toBe(
      "accounts.a.key is not an option of this plugin"
    )
    expect(
      sentenceOf({ ...shared, accounts: { a: { merchantId, secret, payer: { key: 1 } } } })
    ).toBe("accounts.a.payer.key is not an option of this plugin")
    const below = { merchantId, secret, "statuses.paid.x": 1 }
    expect(sentenceOf({ ...shared, accounts: { a: below } })).toContain(
      "accounts.a.statuses.paid must be a list of status names"
    )
  })
})

it("what only the file may give, or does not fit any more, counts for nothing where it is stored (promise 16)", () => {
  const options = {
    "payouts.enabled": true,
    callbackToken: "a-token-that-was-planted",
    "watcher.readsPerSecond": 0,
    description: "{items}",
  }
  const stored = [{ account: "", options, secrets: {} }]
  const accounts = new Accounts(resolveOptions(readFileOptions(required), stored))
  expect(accounts.store.payouts.enabled).toBe(false)
  expect(accounts.store.callbackToken).toBeUndefined()
  expect(accounts.get("main")).toMatchObject({ description: "{items}" })
})

describe("the store's own options", () => {
  const { merchantId, secret, backendUrl } = required
  const main = { merchantId, secret }
  const second = { merchantId: OTHER_MERCHANT, secret: "other" }

  it("are given beside the accounts", () => {
    const options = { ...required, watcher: { readsPerSecond: 50 } }
    expect(resolve({ ...options, accounts: { main, second } }).store).toEqual({
      backendUrl,
      callbackToken: undefined,
      watcher: { readsPerSecond: 50 },
      creationLimits: accept().creationLimits,
      payouts: accept().payouts,
      language: "en",
      retention: accept().retention,
    })
  })

  it.each<[string, unknown]>([
    ["backendUrl", "https://one.test"],
    ["callbackToken", "a-token-of-the-first"],
    ["watcher", { readsPerSecond: 1 }],
    ["payouts", { approval: true }],
  ])("stop the start where an account has one: %s", (option, value) => {
    const sentence = `${option} belongs to the whole store: give it once, beside accounts`
    const misplaced = { main, second: { ...second, [option]: value } }
    expect(sentenceOf({ ...required, accounts: misplaced })).toBe(sentence)
  })
})

describe("an error about options (promise 22)", () => {
  const CANARY = "CANARY-9f3c1d7e5b2a4860"
  const wrong: Record<string, unknown>[] = [
    { statuses: { paid: ["PENDING"] } },
    { secret: [CANARY] },
    { secret: { [CANARY]: 1 } },
    { signingSecret: [CANARY] },
    { callbackToken: `${CANARY} with a blank` },
    { merchantId: CANARY },
    { baseUrl: `http://user:${CANARY}@pay.test` },
    { successUrl: CANARY },
    { signatureScheme: `${CANARY} ${CANARY}` },
    { sekret: CANARY },
  ]
  const secrets = { secret: CANARY, signingSecret: CANARY, callbackToken: CANARY }

  it.each(wrong)("never shows a secret: %j", (patch) => {
    const flat = { ...required, ...secrets, ...patch }
    const several = { ...required, accounts: { a: { ...secrets, ...patch } } }
    for (const raw of [flat, several]) {
      const error = refusalOf(() => resolve(raw))
      const everything = [
        error.message,
        error.stack,
        String(error.cause),
        JSON.stringify(error),
        JSON.stringify(Object.getOwnPropertyDescriptors(error)),
      ]
      expect(everything.join("\n")).not.toContain(CANARY)
    }
  })
})

describe("payouts", () => {
  const on = { enabled: true, perDay: 300_000 }
  const SHOWN = "the page Payouts shows each admin their own id"

  it("are off, and where they are on, for named users and up to a sum of the day (promise 16)", () => {
    expect(accept({ payouts: {} }).payouts.enabled).toBe(false)
    expect(accept({ payouts: { ...on, users: [" user_1", "user_1"] } }).payouts).toEqual({
      enabled: true,
      approval: false,
      perPayout: 87_500,
      perDay: 300_000,
      timeZone: "UTC",
      users: ["user_1"],
    })
  })

  it.each<[object, string]>([
    [{ enabled: 1 }, "payouts.enabled must be true or false"],
    [{ perDay: 1_500.5 }, "payouts.perDay must be a whole number of rubles"],
    [{ perPayout: 999 }, "payouts.perPayout must be at least 1000 rubles"],
    [{ perPayout: 87_501 }, "payouts.perPayout must be at most 87500 rubles"],
    [{ timeZone: "+03:00" }, "payouts.timeZone must be a time zone such as Europe/Moscow"],
    [
      { enabled: true, users: ["u_1"] },
      "payouts.perDay must be given where payouts.enabled is true",
    ],
    [on, `payouts.users must name who may pay out: ${SHOWN}`],
    [
      { ...on, approval: true, users: ["u_1", "u_1"] },
      `payouts.users must name two users at least: ${SHOWN}`,
    ],
    [{ users: ["anna@shop.ru"] }, `payouts.users.0 must be a user's id: ${SHOWN}`],
    [{ users: ["u_1,u_2"] }, `payouts.users.0 must be a user's id: ${SHOWN}`],
    [{ perWeek: 1 }, "payouts.perWeek is not an option of this plugin"],
  ])("refuse %j", (payouts, sentence) => {
    expect(sentenceOf({ ...required, payouts })).toBe(sentence)
  })
})
