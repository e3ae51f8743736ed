import { randomUUID } from "node:crypto"

import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import forgetOld from "../../../src/jobs/forget-old"
import type { Opener } from "../../../src/payments/statements/creation-limits"
import { Shopper } from "../shopper"
import { settledRow, type TestStore, withOptions } from "../store"
import { setClockAhead } from "../passes"

const LIMITS = { perCart: 2, perPayer: 2, perAddress: 2, perStore: 20 }
const MINUTE = 60_000

export function creationLimits(store: TestStore): void {
  const shopper = new Shopper(store)

  withOptions(store, () => ({ payer: { ip: "x-payer" }, creationLimits: LIMITS }))

  /** Counts a payment; the refusal, or null. */
  const count = async (opener: Opener) => {
    const { creationLimits } = (await store.module.accounts()).store
    return await store.module.creationCounts.countCreation(opener, creationLimits)
  }
  const created = () => store.simulator.requests({ on: "create" }).length
  const logged = (limit: string) =>
    store.log.filter((line) => line.includes(`creationLimits.${limit} is reached`))
  /** Payments in carts of their own, that are asked for when the test says so. */
  async function carts(count: number, emails: (cart: number) => string) {
    const open: ((address?: string, method?: "crypto") => ReturnType<Shopper["choose"]>)[] = []
    for (let cart = 0; cart < count; cart++) {
      const { id } = await shopper.cart()
      await shopper.raw("post", `/store/carts/${id}`, { email: emails(cart) })
      const collectionId = await shopper.collection(id)
      open.push(async (address = "", method) => {
        const headers = { "x-payer": address }
        return await shopper.choose(collectionId, method ?? "sbp", {}, { headers })
      })
    }
    return open
  }

  it("limits a guest, whatever carts they fill, and says so in the log", async () => {
    const emails = ["eager@shopper.test", "EAGER@shopper.test", "eager@shopper.test"]
    const all = await carts(3, (cart) => emails[cart] ?? "")
    for (const first of all) expect((await first()).status).toBe(200)
    const third = all[2]
    for (let times = 0; times < 2; times++) {
      expect(await third?.("", "crypto")).toMatchObject({
        status: 400,
        data: { code: "perPayer", message: expect.stringContaining("started too many") },
      })
    }
    expect(created()).toBe(3)
    expect(logged("perPayer")).toHaveLength(2)
    expect(logged("perPayer").join()).not.toMatch(/eager/i)

    setClockAhead(store, 10 * MINUTE)
    expect((await third?.("", "crypto"))?.status).toBe(200)
  })

  it("never refuses a cart's first payment for what others did (promise 6)", async () => {
    await store.restartModule({
      creationLimits: { perCart: 2, perPayer: 1, perAddress: 1, perStore: 1 },
    })
    const all = await carts(3, () => "stranger@shopper.test")
    for (const first of all) expect((await first("203.0.113.9")).status).toBe(200)
    expect(created()).toBe(3)
    expect((await all[0]?.("203.0.113.9", "crypto"))?.status).toBe(400)
  })

  it("counts no creation that the service refuses, or does not answer (promise 6)", async () => {
    const [cart] = await carts(1, newEmail)
    for (const status of [400, 400, 429, 500, 503]) {
      store.simulator.fault({ on: "create", kind: "status", status })
      expect((await cart?.())?.status).toBeGreaterThanOrEqual(400)
    }
    store.simulator.fault({ on: "create", kind: "drop_after" })
    expect((await cart?.())?.status).toBeGreaterThanOrEqual(400)
    for (let times = 0; times < LIMITS.perCart; times++) {
      expect((await cart?.())?.status).toBe(200)
    }
    expect(await cart?.()).toMatchObject({ status: 400, data: { code: "perCart" } })
  })

  it("limits an address, and keeps no address", async () => {
    const [first, second, third] = await carts(3, newEmail)
    for (const [cart, address] of [
      [first, "2001:db8:77:1::1"],
      [second, "2001:db8:77:1::2"],
      [third, "2001:db8:77:1::3"],
    ] as const) {
      expect((await cart?.(address))?.status).toBe(200)
    }
    expect(await third?.("2001:db8:77:1::4", "crypto")).toMatchObject({
      status: 400,
      data: { code: "perAddress", message: expect.stringContaining("from here") },
    })
    expect((await third?.("203.0.113.9", "crypto"))?.status).toBe(200)
    expect(logged("perAddress")).toHaveLength(1)
    expect(store.log.join()).not.toMatch(/2001:db8|203\.0\.113/)
    const tables = ["payment_service_creation_count", "payment_service_transaction"]
    for (const table of tables) {
      const rows: unknown[] = await store.container
        .resolve(ContainerRegistrationKeys.PG_CONNECTION)(table)
        .select()
      expect(rows.length).toBeGreaterThanOrEqual(3)
      expect(JSON.stringify(rows)).not.toMatch(/2001:db8|203\.0\.113/)
    }
  })

  it("counts a payment that is chosen again, although the service is not asked for another", async () => {
    const payment = await shopper.checkout()
    for (let times = 1; times < LIMITS.perCart; times++) {
      const again = await shopper.open(payment.cartId)
      expect(again.data.transaction_id).toBe(payment.data.transaction_id)
    }
    expect(await shopper.choose(payment.collectionId, "sbp")).toMatchObject({ status: 400 })
    expect(logged("perCart")).toHaveLength(1)
    expect(created()).toBe(1)
    // The open payment is still the cart's.
    await store.simulator.pay(payment.data.transaction_id)
    expect((await settledRow(store, payment.sessionId)).order_id).not.toBeNull()
  })

  it("limits the store, to the last one, however many come at once", async () => {
    const { collectionId: collection } = await shopper.checkout()
    const next = (): Opener => ({ collection, payer: randomUUID(), address: randomUUID() })
    const answers = await Promise.all(Array.from({ length: 50 }, () => count(next())))
    // The store has counted the first one, too.
    expect(answers.filter((refusal) => refusal === null)).toHaveLength(LIMITS.perStore - 1)
    const refused = answers.filter((refusal) => refusal !== null)
    expect(new Set(refused)).toEqual(new Set(["perStore"]))

    const [one] = await carts(1, newEmail)
    expect((await one?.())?.status).toBe(200)
    expect(await one?.("", "crypto")).toMatchObject({
      status: 400,
      data: { code: "perStore", message: expect.stringContaining("in this shop right now") },
    })
    expect(created()).toBe(2)
  })

  it("does not let one payer's refusals use up what others may open", async () => {
    const { collectionId: collection } = await shopper.checkout()
    const opener = (payer: string): Opener => ({ collection, payer, address: null })
    const answers = await Promise.all(Array.from({ length: 40 }, () => count(opener("cus_greedy"))))
    expect(answers.filter((refusal) => refusal === null)).toHaveLength(LIMITS.perPayer)
    // The store has counted the payer's ones, and the one before them.
    for (let other = LIMITS.perPayer + 1; other < LIMITS.perStore; other++) {
      expect(await count(opener(randomUUID()))).toBeNull()
    }
    // Nor do refusals by the store use up what a payer may open.
    for (let times = 0; times <= LIMITS.perPayer; times++) {
      expect(await count(opener("cus_patient"))).toBe("perStore")
    }
  })

  it("forgets counters whose time is over", async () => {
    const one = { collection: "pay_col_old", payer: null, address: null }
    expect(await count(one)).toBeNull()
    await forgetOld(store.container)
    const left = async () => (await store.module.listCreationCounts({})).map(({ id }) => id)
    expect((await left()).sort()).toEqual(["store"])
    setClockAhead(store, 11 * MINUTE)
    await forgetOld(store.container)
    expect(await left()).toEqual([])
  })
}

function newEmail(): string {
  return `${randomUUID()}@shopper.test`
}
