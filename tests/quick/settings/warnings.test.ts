import { Accounts } from "../../../src/settings/accounts"
import { readFileOptions, resolveOptions } from "../../../src/settings/resolve-options"
import { warningsOf } from "../../../src/settings/accounts"

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
const sentencesOf = (changes: object, locking?: { defaultProviderId: string }) =>
  warningsOf(accountsWith(changes), locking).map(({ messages }) => messages.en)

const IN_MEMORY = { defaultProviderId: "in-memory" }
const UNFIT = { baseUrl: "http://localhost:4010", backendUrl: "http://store.test" }

describe("the warnings about a store", () => {
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
        /completed twice.*locking-redis or @medusajs\/medusa\/locking-postgres/
      ),
      expect.stringMatching(/http:\/\/localhost:4010, is this machine.*baseUrl/),
      expect.stringMatching(/http:\/\/store\.test, is not encrypted.*backendUrl/),
    ])
  })

  it.each(["http://127.0.0.1:4010", "https://localhost", "http://[::1]:4010"])(
    "name a service at %s once, whichever accounts are there",
    (baseUrl) => {
      const here = { merchantId: "1a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d", baseUrl }
      const accounts = { main: {}, second: here, third: here }
      expect(sentencesOf({ accounts })).toEqual([expect.stringContaining(baseUrl)])
    }
  )

  it.each([
    ["another locking provider", { defaultProviderId: "locking-postgres" }],
    ["no locking module", undefined],
  ])("are none with %s and addresses elsewhere by https", (_, locking) => {
    expect(sentencesOf({}, locking)).toEqual([])
  })

  it("are none outside production", () => {
    process.env.NODE_ENV = "development"
    expect(sentencesOf(UNFIT, IN_MEMORY)).toEqual([])
  })
})
