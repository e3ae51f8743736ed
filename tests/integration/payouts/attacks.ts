import type { SimulatedPayout } from "../../../simulator"
import { eventually, type TestStore } from "../store"
import {
  CARDS,
  draft,
  newAmount,
  NUMBER,
  payoutsWith,
  type PayoutUser,
  send,
  signedIn,
} from "./payouts-of"

/** A saved card as the service lists it. */
const ACTIVE = { cardId: CARDS[1], status: "ACTIVE", last4: "1881", brand: "visa", label: "" }

const OWN_ADDRESS = expect.stringMatching(/^(127\.0\.0\.1|::1)$/) as string

/** Payouts under attack by other sites, and by slips of the hand. */
export function describeAttacks(
  store: TestStore,
  given: () => { anna: PayoutUser; ledger: () => SimulatedPayout[] }
): void {
  const two = async () => ({ ...given(), boris: await signedIn(store, "Boris") })

  it.each([
    ["cannot be read", [{ cardId: CARDS[0], status: "ACTIVE" }, ACTIVE]],
    ["is listed twice", ["4242", "6666"].map((last4) => ({ ...ACTIVE, cardId: CARDS[0], last4 }))],
  ])("goes to no card that %s, because nobody knows which one it pays", async (_, body) => {
    const { anna, ledger } = given()
    const payout = await draft(anna)
    store.simulator.fault({ on: "cards", kind: "body", status: 200, body, times: 2 })
    const made = await anna.post("payouts", { card_id: CARDS[0], amount: newAmount() })
    expect(made.data.code).toBe("card_unread")
    expect((await send(anna, payout)).data.code).toBe("card_unread")
    expect((await anna.get(`payouts/${payout.id}`)).data.payout).toEqual(payout)
    expect(ledger()).toEqual([])
  })

  it("goes to the digits that were seen and approved, whatever card the service gives their id to (promise 16)", async () => {
    const { anna, boris, ledger } = await two()
    await store.restartModule(payoutsWith({ approval: true }))
    const other = { ...ACTIVE, cardId: CARDS[0], last4: "6666" }
    const named = (times: number) =>
      store.simulator.fault({ on: "cards", kind: "body", status: 200, body: [other], times })
    const payout = await draft(anna)
    await boris.post(`payouts/${payout.id}/approve`)
    named(1)
    expect((await send(anna, payout)).data.code).toBe("changed_since")
    const shown = await anna.get(`payouts/${payout.id}`)
    expect(shown.data.payout).toMatchObject({
      state: "awaiting_approval",
      card_masked: "**** 6666",
      revision: 2,
      approved_by: null,
    })
    expect(shown.data.journal.at(-1)).toMatchObject({ kind: "edited", by: null })
    // The maker cannot approve the other digits alone.
    expect((await anna.post(`payouts/${payout.id}/approve`)).data.code).toBe("own_payout")
    // By now the service says 4242 again.
    await boris.post(`payouts/${payout.id}/approve`)
    expect((await send(anna, payout)).data.code).toBe("changed_since")
    await boris.post(`payouts/${payout.id}/approve`)
    store.simulator.fault({ on: "cards", kind: "status", status: 503, times: 3 })
    expect((await send(anna, payout)).data.code).toBe("service_down")
    store.simulator.clearFaults()
    store.simulator.fault({ on: "payout", kind: "drop_before" })
    expect((await send(anna, payout)).data.payout.state).toBe("unknown")

    // Nobody knows whether the first request went to that card, so nothing of the payout changes.
    named(1)
    const again = await send(anna, payout, { again: true })
    expect(again.data).toMatchObject({
      code: "changed_since",
      message: expect.stringContaining("the first request may have gone through"),
    })
    store.simulator.clearFaults()
    expect(ledger()).toEqual([])
    expect((await send(anna, payout, { again: true })).data.payout).toMatchObject({
      state: "created",
      card_masked: "**** 4242",
    })
  })

  it("is not changed by the form of another site, which cannot send JSON", async () => {
    const { anna, ledger } = given()
    const payout = await draft(anna)
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      for (const [path, body] of [
        ["payouts", { amount: 1_500 }],
        [`payouts/${payout.id}`, { amount: 1_500 }],
        [`payouts/${payout.id}/approve`, {}],
        [`payouts/${payout.id}/send`, {}],
        [`payouts/${payout.id}/mark`, { sent: false, note: "a=b" }],
      ] as const) {
        const bytes = Buffer.from(JSON.stringify(body))
        const answer = await anna.post(path, bytes, { "content-type": type })
        expect([path, answer.status, answer.data.code]).toEqual([path, 400, "invalid_request"])
        expect(answer.data.message).toContain("Content-Type: application/json")
      }
    }
    expect((await anna.get(`payouts/${payout.id}`)).data.payout).toEqual(payout)
    expect(ledger()).toEqual([])
  })

  it("is edited, approved, sent and marked only with what was seen of it (promise 16)", async () => {
    const { anna, boris, ledger } = await two()
    const payout = await draft(anna)
    for (const [path, body] of [
      [`payouts/${payout.id}`, { amount: newAmount(), revision: undefined }],
      [`payouts/${payout.id}/approve`, { revision: undefined }],
      [`payouts/${payout.id}/approve`, { revision: null }],
      [`payouts/${payout.id}/send`, { revision: undefined }],
      [`payouts/${payout.id}/send`, { revision: "1" }],
      [`payouts/${payout.id}/mark`, { sent: false, note: "Looked", attempts: undefined }],
    ] as const) {
      const answer = await anna.post(path, body)
      expect([path, answer.status, answer.data.code]).toEqual([path, 400, "invalid_request"])
      expect(answer.data.message).toContain("seen")
    }
    await boris.post(`payouts/${payout.id}`, { amount: newAmount() })
    for (const path of [`payouts/${payout.id}`, `payouts/${payout.id}/send`]) {
      const stale = await anna.post(path, { revision: payout.revision })
      expect([path, stale.data.code]).toEqual([path, "changed_since"])
    }
    expect(ledger()).toEqual([])
  })

  it("keeps the connection's address beside the one that the request names (promise 16)", async () => {
    const { anna } = given()
    const payout = await draft(anna)
    // Anything may stand in that header, a card number for example.
    await anna.post(`payouts/${payout.id}`, { note: "Seen" }, { "x-forwarded-for": NUMBER })
    const headers = { "x-forwarded-for": "203.0.113.7" }
    await anna.post(`payouts/${payout.id}/send`, {}, headers)
    const { journal } = (await anna.get(`payouts/${payout.id}`)).data
    expect(journal).toMatchObject([
      { address: OWN_ADDRESS, forwarded_address: null },
      { kind: "edited", address: OWN_ADDRESS, forwarded_address: null },
      { kind: "sending", address: OWN_ADDRESS, forwarded_address: "203.0.113.7" },
      { kind: "answered", address: null },
    ])
  })

  it("is sent as it was read, or not at all, when it changes meanwhile (promise 16)", async () => {
    const { anna, ledger } = given()
    const payout = await draft(anna, { amount: 30_000 })
    store.simulator.fault({ on: "cards", kind: "slow", delayMs: 1_500 })
    store.simulator.clearRequests()
    // The day's limit would count the smaller sum, and the request has the larger one.
    const slow = send(anna, payout, { revision: payout.revision + 1 })
    await eventually("its card is asked for", () =>
      Promise.resolve(store.simulator.requests({ on: "cards" }).length)
    )
    const smaller = await anna.post(`payouts/${payout.id}`, { amount: 1_000 })
    expect(smaller.data.payout).toMatchObject({ amount: 1_000, revision: payout.revision + 1 })
    expect((await slow).data.code).toBe("changed_since")
    expect(ledger()).toEqual([])
  })
}
