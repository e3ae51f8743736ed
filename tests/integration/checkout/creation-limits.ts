import { randomUUID } from "node:crypto"

import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import type { Opener } from "../../../src/modules/payment-service/creation-limits"
import { sql, type Sql } from "../../../src/modules/payment-service/sql"
import { Shopper } from "../shopper"
import { type TestStore, withOptions } from "../store"

const LIMITS = { perCart: 2, perPayer: 2, perAddress: 2, perStore: 20 }
const MINUTE = 60_000

export function creationLimits(store: TestStore): void {
  withOptions(store, () => ({ payer: { ip: "x-payer" }, creationLimits: LIMITS }))
  let clock: TestStore["module"]["clock"]
  beforeEach(() => {
    clock = store.module.clock
  })
  afterEach(() => {
    store.module.clock = clock
  })

  /** Counts a creation without its row; the refusal, or null. */
  const countOne = async (opener: Opener) => {
    const { creationLimits } = (await store.module.accounts()).store
    const insert = (from: Sql) => sql`select from ${from}`
    return (await store.module.creationCounts.countOne(opener, creationLimits, insert)).refusal
  }
  const created = () => store.simulator.requests({ on: "create" }).length
  const logged = (limit: string) =>
    store.log.filter((line) => line.includes(`creationLimits.${limit} is reached`))
  /** Payments in carts of their own, that are asked for when the test says so. */
  async function carts(count: number, emails: (cart: number) => string) {
    const shopper = new Shopper(store)
    const open: ((address?: string) => ReturnType<Shopper["choose"]>)[] = []
    for (let cart = 0; cart < count; cart++) {
      const { id } = await shopper.cart()
      await shopper.raw("post", `/store/carts/${id}`, { email: emails(cart) })
      const collectionId = await shopper.collection(id)
      open.push(async (address = "") => {
        return await shopper.choose(collectionId, "sbp", {}, { headers: { "x-payer": address } })
      })
    }
    return open
  }

  it("limits a guest, whatever carts they fill, and says so in the log", async () => {
    const emails = ["eager@shopper.test", "EAGER@shopper.test", "eager@shopper.test"]
    const [first, second, third] = await carts(3, (cart) => emails[cart] ?? "")
    expect((await first?.())?.status).toBe(200)
    expect((await second?.())?.status).toBe(200)
    for (let times = 0; times < 2; times++) {
      expect(await third?.()).toMatchObject({
        status: 400,
        data: { type: "not_allowed", message: expect.stringContaining("started too many") },
      })
    }
    expect(created()).toBe(LIMITS.perPayer)
    expect(logged("perPayer")).toHaveLength(2)
    expect(logged("perPayer").join()).not.toMatch(/eager/i)

    const later = store.module.clock.now().getTime() + 10 * MINUTE
    store.module.clock = { now: () => new Date(later) }
    expect((await third?.())?.status).toBe(200)
  })

  it("limits an address, and keeps no address", async () => {
    const [first, second, third] = await carts(3, newEmail)
    expect((await first?.("2001:db8:77:1::1"))?.status).toBe(200)
    expect((await second?.("2001:db8:77:1::2"))?.status).toBe(200)
    expect(await third?.("2001:db8:77:1::3")).toMatchObject({
      status: 400,
      data: { message: expect.stringContaining("from here") },
    })
    expect((await third?.("203.0.113.9"))?.status).toBe(200)
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

  it("does not count payments that are resumed", async () => {
    const shopper = new Shopper(store)
    const payment = await shopper.checkout()
    for (let times = 0; times < LIMITS.perCart + LIMITS.perPayer; times++) {
      const again = await shopper.open(payment.cartId)
      expect(again.data.transaction_id).toBe(payment.data.transaction_id)
    }
    expect(created()).toBe(1)
  })

  it("limits the store, to the last one, however many come at once", async () => {
    const openers = Array.from({ length: 50 }, (): Opener => ({
      cart: randomUUID(),
      payer: randomUUID(),
      address: randomUUID(),
    }))
    const answers = await Promise.all(openers.map(countOne))
    expect(answers.filter((refusal) => refusal === null)).toHaveLength(LIMITS.perStore)
    const refused = answers.filter((refusal) => refusal !== null)
    expect(new Set(refused)).toEqual(new Set(["perStore"]))

    const [one] = await carts(1, newEmail)
    expect(await one?.()).toMatchObject({
      status: 400,
      data: { message: expect.stringContaining("in this shop right now") },
    })
    expect(created()).toBe(0)
  })

  it("does not let one payer's refusals use up what others may open", async () => {
    const opener = () => ({ cart: randomUUID(), payer: "cus_greedy", address: null })
    const answers = await Promise.all(Array.from({ length: 40 }, () => countOne(opener())))
    expect(answers.filter((refusal) => refusal === null)).toHaveLength(LIMITS.perPayer)
    for (let other = LIMITS.perPayer; other < LIMITS.perStore; other++) {
      const someone = { cart: randomUUID(), payer: randomUUID(), address: null }
      expect(await countOne(someone)).toBeNull()
    }
    // Nor do refusals by the store use up what a payer may open.
    const refused = opener()
    const patient = { ...refused, payer: "cus_patient" }
    for (let times = 0; times <= LIMITS.perPayer; times++) {
      expect(await countOne(patient)).toBe("perStore")
    }
  })

  it("forgets counters whose time is over", async () => {
    const one = { cart: "cart_old", payer: null, address: null }
    expect(await countOne(one)).toBeNull()
    await store.module.creationCounts.forgetOld()
    const left = async () => (await store.module.listCreationCounts({})).map(({ id }) => id)
    expect((await left()).sort()).toEqual(["cart:cart_old", "store"])
    const later = store.module.clock.now().getTime() + 11 * MINUTE
    store.module.clock = { now: () => new Date(later) }
    await store.module.creationCounts.forgetOld()
    expect(await left()).toEqual([])
  })
}

function newEmail(): string {
  return `${randomUUID()}@shopper.test`
}
