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

/** Payouts under attack by other sites, and by slips of the hand. */
export function describeAttacks(
  store: TestStore,
  given: () => { anna: PayoutUser; ledger: () => SimulatedPayout[] }
): void {
  it("keeps no number that stands in a card's label, and refuses texts that cannot be kept", async () => {
    const { anna } = given()
    const label = "Ivan 4000 0012 3456 7899"
    const body = [{ cardId: CARDS[0], status: "ACTIVE", last4: "4242", brand: "MIR", label }]
    store.simulator.fault({ on: "cards", kind: "body", status: 200, body, times: 2 })
    expect((await anna.get("cards")).data.cards).toMatchObject([{ label: "Ivan **** 7899" }])
    expect((await draft(anna)).card_label).toBe("Ivan **** 7899")
    for (const note of ["a\0b", "a\ud800b"]) {
      const made = await anna.post("payouts", { card_id: CARDS[0], amount: newAmount(), note })
      expect(made).toMatchObject({ status: 400, data: { code: "invalid_request" } })
    }
  })

  it("shows the cards that can be read, and says of none that it is gone while others cannot be", async () => {
    const { anna, ledger } = given()
    const good = { cardId: CARDS[1], status: "ACTIVE", last4: "1881", brand: "visa", label: "" }
    const body = [{ cardId: "4000001234567899", status: "ACTIVE" }, good, { ...good, status: null }]
    store.simulator.fault({ on: "cards", kind: "body", status: 200, body, times: 3 })
    expect((await anna.get("cards")).data.cards).toMatchObject([{ card_id: CARDS[1] }])
    const said = store.log.filter((line) => line.includes("saved cards are left out"))
    expect(said).toEqual([expect.stringMatching(/^warn: Payment Service: 2 saved cards/)])
    const made = await anna.post("payouts", { card_id: CARDS[0], amount: newAmount() })
    expect(made.data.code).toBe("card_unread")
    store.simulator.clearFaults()
    const payout = await draft(anna)
    store.simulator.fault({ on: "cards", kind: "body", status: 200, body, times: 2 })
    expect((await send(anna, payout)).data.code).toBe("card_unread")
    expect(ledger()).toEqual([])
  })

  it("goes to no card of which the service says no digits", async () => {
    const { anna, ledger } = given()
    const payout = await draft(anna)
    const nameless = { cardId: CARDS[0], status: "ACTIVE", brand: "MIR", label: "" }
    store.simulator.fault({ on: "cards", kind: "body", status: 200, body: [nameless], times: 2 })
    expect((await send(anna, payout)).data.code).toBe("card_unread")
    const answer = await anna.post("payouts", { card_id: CARDS[0], amount: 1_500 })
    expect(answer.data.code).toBe("card_unread")
    expect(ledger()).toEqual([])
  })

  it("goes to no card whose id the service lists twice, because nobody knows which one it pays", async () => {
    const { anna, ledger } = given()
    const payout = await draft(anna)
    const listed = ["4242", "6666"].map((last4) => {
      return { cardId: CARDS[0], status: "ACTIVE", last4, brand: "MIR", label: "" }
    })
    const made = { card_id: CARDS[0], amount: newAmount() }
    for (const body of [listed, listed.reverse()]) {
      store.simulator.fault({ on: "cards", kind: "body", status: 200, body, times: 2 })
      expect((await send(anna, payout)).data.code).toBe("card_unread")
      expect((await anna.post("payouts", made)).data.code).toBe("card_unread")
    }
    expect((await anna.get(`payouts/${payout.id}`)).data.payout).toEqual(payout)
    expect(ledger()).toEqual([])
  })

  it("goes to the digits that were seen and approved, whatever card the service gives their id to", async () => {
    const { anna, ledger } = given()
    const boris = await signedIn(store, "Boris")
    await store.restartModule(payoutsWith({ approval: true }))
    const other = { cardId: CARDS[0], status: "ACTIVE", last4: "6666", brand: "MIR", label: "" }
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
    // Who met the other digits does not approve them alone.
    expect((await anna.post(`payouts/${payout.id}/approve`)).data.code).toBe("own_payout")
    const met = await draft(anna)
    await boris.post(`payouts/${met.id}/approve`)
    named(1)
    expect((await send(boris, met)).data.code).toBe("changed_since")
    expect((await boris.post(`payouts/${met.id}/approve`)).data.code).toBe("own_payout")
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
    store.simulator.fault({ on: "cards", kind: "status", status: 503, times: 3 })
    const unread = await send(anna, payout, { again: true })
    expect(unread.data).toMatchObject({
      code: "service_down",
      message: expect.stringContaining("the first request may have gone through"),
    })
    store.simulator.clearFaults()
    expect(ledger()).toEqual([])
    expect((await send(anna, payout, { again: true })).data.payout).toMatchObject({
      state: "created",
      card_masked: "**** 4242",
    })
  })

  it("that was discarded stays so, whatever its card is called meanwhile", async () => {
    const { anna, ledger } = given()
    const payout = await draft(anna)
    await store.module.payouts.change(payout.id, async (locked) => {
      await locked.update({ card_last4: "6666" })
    })
    store.simulator.fault({ on: "cards", kind: "slow", delayMs: 1_500 })
    store.simulator.clearRequests()
    const slow = send(anna, payout)
    await eventually("its card is asked for", () =>
      Promise.resolve(store.simulator.requests({ on: "cards" }).length)
    )
    expect((await anna.delete(`payouts/${payout.id}`)).status).toBe(200)
    expect((await slow).data.code).toBe("changed_since")
    expect((await anna.get(`payouts/${payout.id}`)).data.payout.state).toBe("discarded")
    expect(ledger()).toEqual([])
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

  it("is approved, sent and marked only with what was seen of it", async () => {
    const { anna, ledger } = given()
    const payout = await draft(anna)
    for (const [path, body] of [
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
    const boris = await signedIn(store, "Boris")
    await boris.post(`payouts/${payout.id}`, { amount: newAmount() })
    const stale = await send(anna, payout, { revision: payout.revision })
    expect(stale.data.code).toBe("changed_since")
    expect(ledger()).toEqual([])
  })

  it("keeps the connection's address beside the one that the request names", async () => {
    const { anna } = given()
    const payout = await draft(anna)
    // Anything may stand in that header, a card number for example.
    await anna.post(`payouts/${payout.id}`, { note: "Seen" }, { "x-forwarded-for": NUMBER })
    const headers = { "x-forwarded-for": "203.0.113.7" }
    await anna.post(`payouts/${payout.id}/send`, {}, headers)
    const { journal } = (await anna.get(`payouts/${payout.id}`)).data
    expect(journal).toMatchObject([
      { address: "127.0.0.1", forwarded_address: null },
      { kind: "edited", address: "127.0.0.1", forwarded_address: null },
      { kind: "sending", address: "127.0.0.1", forwarded_address: "203.0.113.7" },
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

  it("changes what was seen, and nothing that somebody else has made of it meanwhile", async () => {
    const { anna } = given()
    const payout = await draft(anna)
    const boris = await signedIn(store, "Boris")
    // Long enough for another admin's change on a busy machine.
    store.simulator.fault({ on: "cards", kind: "slow", delayMs: 1_500 })
    store.simulator.clearRequests()
    const slow = anna.post(`payouts/${payout.id}`, { card_id: CARDS[1] })
    await eventually("its card is asked for", () =>
      Promise.resolve(store.simulator.requests({ on: "cards" }).length)
    )
    const amount = newAmount()
    expect((await boris.post(`payouts/${payout.id}`, { amount })).status).toBe(200)
    expect((await slow).data.code).toBe("changed_since")
  })
}
