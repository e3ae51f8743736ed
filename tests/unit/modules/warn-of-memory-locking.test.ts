import { warnOfMemoryLocking } from "../../../src/modules/payment-service/warn-of-memory-locking"

describe("the warning of locks in memory", () => {
  const before = process.env.NODE_ENV
  const warn = jest.fn()

  beforeEach(() => {
    warn.mockClear()
    process.env.NODE_ENV = "production"
  })
  afterAll(() => {
    process.env.NODE_ENV = before
  })

  it("says once what can go wrong and what to configure", () => {
    warnOfMemoryLocking({ warn }, { defaultProviderId: "in-memory" })
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /completed twice.*locking-redis or @medusajs\/medusa\/locking-postgres/
        ),
      ],
    ])
  })

  it.each([
    ["another provider", { defaultProviderId: "locking-postgres" }],
    ["no locking module", undefined],
  ])("says nothing with %s", (_, locking) => {
    warnOfMemoryLocking({ warn }, locking)
    expect(warn).not.toHaveBeenCalled()
  })

  it("says nothing outside production", () => {
    process.env.NODE_ENV = "development"
    warnOfMemoryLocking({ warn }, { defaultProviderId: "in-memory" })
    expect(warn).not.toHaveBeenCalled()
  })
})
