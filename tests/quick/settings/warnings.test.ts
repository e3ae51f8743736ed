import { Accounts } from "../../../src/settings/accounts"
import { readFileOptions, resolveOptions } from "../../../src/settings/resolve-options"
import { type StoreFacts, warningsOf } from "../../../src/settings/warnings"

const accountsWith = (changes: object) =>
  new Accounts(
    resolveOptions(
      readFileOptions({
        baseUrl: "https://pay.test",
        backendUrl: "https://store.test",
        merchantId: "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
        secret: "s3cret",
        statuses: { paid: ["Done"] },
        successUrl: "https://shop.test/ok",
        failureUrl: "https://shop.test/no",
        ...changes,
      })
    )
  )
/** A store in which somebody can pay. */
const WIRED: StoreFacts = {
  providers: [{ id: "pp_sbp_main", method: "sbp", account: "main" }],
  storefrontUrl: "https://shop.test",
  locking: undefined,
}
const sentencesOf = (changes: object, facts: Partial<StoreFacts> = {}) =>
  warningsOf(accountsWith(changes), { ...WIRED, ...facts }).map(({ messages }) => messages.en)

const IN_MEMORY = { locking: "in-memory" }
const UNFIT = { baseUrl: "http://localhost:4010", backendUrl: "http://store.test" }

describe("the warnings about a store (promises 2 and 22)", () => {
  const before = process.env.NODE_ENV
  beforeEach(() => {
    process.env.NODE_ENV = "production"
  })
  afterAll(() => {
    process.env.NODE_ENV = before
  })

  it("say once what can go wrong and what to configure", () => {
    expect(sentencesOf(UNFIT, IN_MEMORY)).toEqual([
      expect.stringMatching(
        /locks carts in the memory of this process .*completed twice.*locking-redis or @medusajs\/medusa\/locking-postgres/
      ),
      expect.stringMatching(/http:\/\/localhost:4010, is this machine.*baseUrl/),
      expect.stringMatching(/http:\/\/store\.test, is not encrypted.*backendUrl/),
    ])
  })

  it.each([
    ["another locking provider", { locking: "locking-postgres" }],
    ["no locking module", {}],
  ])("are none with %s and addresses elsewhere by https", (_, facts) => {
    expect(sentencesOf({}, facts)).toEqual([])
  })

  describe("outside production, too, say with what words it can be mended", () => {
    const main = { merchantId: "1a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d" }
    beforeEach(() => {
      process.env.NODE_ENV = "development"
    })

    const and = (method: "sbp" | "crypto", account: string) => ({
      providers: [...WIRED.providers, { id: `pp_${method}_${account}`, method, account }],
    })
    const lacking = { secret: undefined, statuses: undefined }
    const RESOLVE = /resolve: "medusa-payment-sbp-crypto\/providers\/payment-service", id: "main"/
    const NO_ACCOUNT = /pp_sbp_other has no account.*accounts\.other.*Settings/
    const MISSING = /missing in Settings.*: secret, statuses\.paid\.$/

    it.each<[string, object, Partial<StoreFacts>, RegExp[]]>([
      ["a plugin without a payment provider", {}, { providers: [] }, [RESOLVE]],
      ["a provider without its account", { accounts: { main } }, and("sbp", "other"), [NO_ACCOUNT]],
      ["what an account lacks, once for both methods", lacking, and("crypto", "main"), [MISSING]],
      ["no address for links", {}, { storefrontUrl: undefined }, [/admin\.storefrontUrl/]],
      ["nothing of a provider with any id where there is one account", {}, {}, []],
    ])("%s", (_, changes, facts, sentences) => {
      expect(sentencesOf(changes, facts)).toEqual(
        sentences.map((sentence) => expect.stringMatching(sentence))
      )
    })
  })
})
