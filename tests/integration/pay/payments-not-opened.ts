import { Modules } from "@medusajs/framework/utils"

import { textOf } from "../../../src/problems/rules/problems"
import { TIMEOUTS } from "../../../src/service/client"
import type { Fault } from "../../../simulator"
import { type Admin, logIn } from "../admin"
import { takeOverPasses } from "../passes"
import { saying } from "../problems-of"
import { Shopper } from "../shopper"
import { eventually, type TestStore } from "../store"
import { setUntilTheTestEnds } from "../until-the-test-ends"

const MINUTE = 60_000
const NO_REQUISITES = { message: "no requisites for this sum" }
const QUOTED = `“${JSON.stringify(NO_REQUISITES)}”`

type Failure = Omit<Fault, "on" | "times">
const REFUSED: Failure = { kind: "body", status: 400, body: NO_REQUISITES }

export function paymentsNotOpened(store: TestStore): void {
  const shopper = new Shopper(store)
  let admin: Admin
  let collection: string

  beforeEach(async () => {
    admin = await logIn(store)
    collection = await shopper.collection((await shopper.cart()).id)
  })

  const fail = async (
    times: number,
    fault: Failure = REFUSED,
    method: "sbp" | "crypto" = "sbp"
  ) => {
    store.simulator.fault({ ...fault, on: "create", times: Infinity })
    for (let tried = 0; tried < times; tried++) {
      const { status } = await shopper.choose(collection, method)
      expect(status).toBeGreaterThanOrEqual(400)
    }
    store.simulator.clearFaults()
  }
  const found = async () => (await store.module.listProblems({})).map(saying)
  const open = async () => await store.module.listProblems({ closed_at: null })
  const shown = async <T>(path: string) =>
    (await admin.get(`/admin/payment-service/${path}`)).data as T

  it("is one problem at the fifth failure in a row, shown with the service's words, and closed by the next success", async () => {
    await fail(4)
    expect(await found()).toEqual([])
    await fail(1)
    const [problem] = await found()
    expect(problem).toMatchObject({ kind: "payments_not_opened", transaction_row_id: null })
    expect(problem?.message).toContain("Failed attempts in a row: 5.")
    expect(problem?.message).toContain(QUOTED)
    await fail(2)
    expect(await found()).toMatchObject([{ id: problem?.id, facts: { failures: 7 } }])

    const connection = await shown<{ accounts: unknown[] }>("connection")
    expect(connection.accounts).toMatchObject([
      {
        opening_problems: [
          { id: problem?.id, messages: { ru: expect.stringContaining("no requi") } },
        ],
      },
    ])
    expect((await shown<{ waiting: unknown }>("overview")).waiting).toMatchObject([
      { kind: "payments_not_opened", count: 1 },
    ])
    const notifications = store.container.resolve(Modules.NOTIFICATION)
    await eventually("the feed has it", async () => {
      const told = await notifications.listNotifications({ channel: "feed" })
      return told.length === 1 && JSON.stringify(told).includes("no requisites")
    })

    expect((await shopper.choose(collection, "sbp")).status).toBe(200)
    expect(await found()).toMatchObject([{ id: problem?.id, resolution: "settled" }])
    expect((await shown<typeof connection>("connection")).accounts).toMatchObject([
      { opening_problems: [] },
    ])
  })

  it.each<[string, Failure, string, string]>([
    ["a refusal", REFUSED, "refused", `(the service refuses the request: ${QUOTED})`],
    [
      "a success without `redirect`",
      { ...REFUSED, status: 200 },
      "unknown",
      `(the service's answer cannot be understood: ${QUOTED})`,
    ],
    [
      "words with 503",
      { ...REFUSED, status: 503 },
      "unknown",
      `(the service is out of order: ${QUOTED})`,
    ],
    ["no answer in time", { kind: "hang" }, "unknown", "(the service does not answer in time)"],
  ])(
    "is a problem after two minutes of %s, and each payment says why (promise 10)",
    async (_, fault, state, why) => {
      const passes = await takeOverPasses(store)
      if (fault.kind === "hang") setUntilTheTestEnds(TIMEOUTS, { createMs: 1_000 })
      await fail(1, fault)
      passes.advance(2 * MINUTE)
      // Nobody has tried meanwhile, so one failure is no outage yet.
      await passes.watch()
      expect(await open()).toEqual([])
      await fail(1, fault)
      expect(await open()).toMatchObject([{ kind: "payments_not_opened", facts: { failures: 2 } }])
      for (const row of await store.module.listTransactions({})) {
        const page = await shown<{ transaction: unknown; verdict: { messages: { en: string } } }>(
          `transactions/${row.id}`
        )
        expect(page.transaction).toMatchObject({ state, exception: null })
        expect(page.verdict.messages.en).toContain(why)
      }
    }
  )

  it("quotes the service without the account's secret and cards' numbers, and not at length (promise 22)", async () => {
    const { secret } = store.simulator
    const words = `${secret} of 4111 1111 1111 1111: ${"no requisites ".repeat(40)}`
    await fail(5, { kind: "body", status: 503, body: { message: words } })
    const [problem] = await open()
    const [row] = await store.module.listTransactions({ state: "unknown" })
    const { verdict } = await shown<{ verdict: { messages: { en: string } } }>(
      `transactions/${row?.id}`
    )
    for (const said of [textOf(problem!).en, verdict.messages.en]) {
      const [, quoted = ""] = /“(\{.*)”/.exec(said) ?? []
      expect(quoted).toMatch(/^\{"message":"\*\*\* of \*\*\*: no requisites/)
      expect(quoted).toHaveLength(200)
    }
    const kept = JSON.stringify([problem, row, await store.module.listEvents({}), store.log])
    expect(kept).not.toContain(secret)
    expect(kept).not.toContain("4111 1111")
  })

  it("begins anew with each success, and is told at the second failure, however rarely somebody pays", async () => {
    const passes = await takeOverPasses(store)
    await fail(4)
    expect((await shopper.choose(collection, "sbp")).status).toBe(200)
    collection = await shopper.collection((await shopper.cart()).id)
    await fail(1)
    expect(await found()).toEqual([])
    passes.advance(24 * 60 * MINUTE)
    await fail(1)
    expect(await open()).toMatchObject([{ facts: { failures: 2 } }])
  })

  it("is told of the method that is dead beside one that lives (promise 10)", async () => {
    await fail(4, REFUSED, "crypto")
    await shopper.checkout("sbp")
    await fail(1, REFUSED, "crypto")
    const [crypto, ...others] = await open()
    expect(others).toEqual([])
    expect(crypto).toMatchObject({ facts: { method: "crypto", failures: 5 } })
    expect(textOf(crypto!)).toEqual({
      en: expect.stringContaining("with the method “Crypto”"),
      ru: expect.stringContaining("способом «Криптовалюта»"),
    })

    // Two that are dead are two problems, and each ends with a success of its own.
    await fail(5)
    const { accounts } = await shown<{ accounts: { opening_problems: object[] }[] }>("connection")
    expect(accounts[0]?.opening_problems).toHaveLength(2)
    expect((await shopper.choose(collection, "crypto")).status).toBe(200)
    expect(await open()).toMatchObject([{ facts: { method: "sbp", failures: 5 } }])
  })

  it("is no matter of refused credentials, or of payments that this store refuses itself", async () => {
    await fail(5, { kind: "status", status: 401 })
    await store.restartModule({ currencies: ["USD"] })
    await fail(5)
    expect(await open()).toMatchObject([{ kind: "credentials_refused" }])
    await store.restartModule({ currencies: ["RUB"] })
    await fail(4)
    expect(await open()).toMatchObject([{ kind: "credentials_refused" }])
  })

  it("is one problem when several customers are refused at once", async () => {
    const collections: string[] = []
    while (collections.length < 5) {
      collections.push(await shopper.collection((await shopper.cart()).id))
    }
    store.simulator.fault({ ...REFUSED, on: "create", times: Infinity })
    await Promise.all(collections.map((each) => shopper.choose(each, "sbp")))
    expect(store.simulator.requests({ on: "create" })).toHaveLength(5)
    expect(await found()).toMatchObject([{ kind: "payments_not_opened", closed_at: null }])
    store.simulator.clearFaults()
    expect((await shopper.choose(collection, "sbp")).status).toBe(200)
    expect(await open()).toEqual([])
  })
}
