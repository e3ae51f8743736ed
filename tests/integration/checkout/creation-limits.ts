import { randomUUID } from "node:crypto"

import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import type { Opener } from "../../../src/payments/statements/creation-limits"
import { Shopper } from "../shopper"
import { type TestStore, withOptions } from "../store"
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

  it("limits a guest and an address, whatever carts they fill, says so in the log, and keeps no address (promise 12)", async () => {
    const emails = ["eager@shopper.test", "EAGER@shopper.test", "eager@shopper.test"]
    const all = await carts(3, (cart) => emails[cart] ?? "")
    for (const first of all) expect((await first()).status).toBe(200)
    const again = () => all[2]!("", "crypto")
    expect(await again()).toMatchObject({
      status: 400,
      data: { code: "perPayer", message: expect.stringContaining("started too many") },
    })
    expect(created()).toBe(3)
    expect(logged("perPayer")).toHaveLength(1)
    expect(logged("perPayer").join()).not.toMatch(/eager/i)
    setClockAhead(store, 10 * MINUTE)
    expect((await again()).status).toBe(200)

    // One network, and shoppers who have nothing else in common.
    const others = await carts(3, newEmail)
    for (const [number, cart] of others.entries()) {
      expect((await cart(`2001:db8:77:1::${number}`)).status).toBe(200)
    }
    expect(await others[2]!("2001:db8:77:1::4", "crypto")).toMatchObject({
      status: 400,
      data: { code: "perAddress", message: expect.stringContaining("from here") },
    })
    expect(logged("perAddress")).toHaveLength(1)
    expect(store.log.join()).not.toMatch(/2001:db8/)
    for (const table of ["payment_service_creation_count", "payment_service_transaction"]) {
      const rows: unknown[] = await store.container
        .resolve(ContainerRegistrationKeys.PG_CONNECTION)(table)
        .select()
      expect(rows.length).toBeGreaterThanOrEqual(3)
      expect(JSON.stringify(rows)).not.toMatch(/2001:db8/)
    }
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
}

function newEmail(): string {
  return `${randomUUID()}@shopper.test`
}
