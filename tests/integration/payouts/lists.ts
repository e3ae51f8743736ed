import { Shopper } from "../shopper"
import type { TestStore } from "../store"
import {
  CARDS,
  draft,
  newAmount,
  NUMBER,
  type PayoutUser,
  send,
  signedIn,
  typedDraft,
} from "./payouts-of"

/** The lists of payouts that admins see. */
export function describeLists(store: TestStore, given: () => { anna: PayoutUser }): void {
  it("is found by whatever is known of it (promise 19)", async () => {
    const { anna } = given()
    const boris = await signedIn(store, "Boris")
    const one = await draft(anna, { note: "Возврат Ивану за заказ", card_id: CARDS[1] })
    const two = await typedDraft(boris, { amount: 5_432 })
    const sent = await send(boris, two, { card_number: NUMBER })
    await store.module.payouts.change(two.id, async (payout) => {
      await payout.update({ order_id: "order_of_another_time" })
    })
    const ids = async (query: string) => {
      const { status, data } = await anna.get(`payouts?${query}`)
      expect(status).toBe(200)
      return data.payouts.map(({ id }) => id)
    }
    for (const query of [
      ...["q=7899", `q=${NUMBER}`, "q=**** 7899", "q=5432", "q=5 432", "q=boris", `q=${two.id}`],
      `q=${sent.data.payout.withdrawal_record_id ?? ""}`,
      ...["state=created", `made_by=${boris.id}`, "order_id=order_of_another_time"],
    ]) {
      expect([query, await ids(query)]).toEqual([query, [two.id]])
    }
    for (const query of ["q=ивану", "q=возврат иван", "q=1881", "state=draft"]) {
      expect([query, await ids(query)]).toEqual([query, [one.id]])
    }
    for (const query of [
      "q=nobody",
      "q='",
      "q=%26%7C!",
      "account=second",
      "created_at[lt]=2020-01-01T00:00:00Z",
    ]) {
      expect([query, await ids(query)]).toEqual([query, []])
    }
    // A payout is found by parts of the buyer's address and name, too.
    const payment = await new Shopper(store).checkout("sbp", { email: "masha@mail.test" })
    const row = await store.module.findBySession(payment.sessionId)
    await store.module.payouts.change(one.id, async (payout) => {
      await payout.update({ transaction_row_id: row?.id ?? "" })
    })
    for (const query of ["q=masha@", "q=canary", "q=МАША"]) {
      expect([query, await ids(query)]).toEqual([query, query === "q=МАША" ? [] : [one.id]])
    }
    expect(await ids("order=amount")).toEqual([one.id, two.id])
    expect(await ids("limit=1&created_at[gte]=2020-01-01T00:00:00Z")).toEqual([two.id])
    expect((await anna.get("payouts?limit=1000")).status).toBe(400)
    expect((await anna.get("payouts/pspo_none")).status).toBe(404)
  })

  it("shows the cards and the rules (promise 16)", async () => {
    const { anna } = given()
    const active = await anna.get("cards")
    expect(active.data.cards).toMatchObject([
      { card_id: CARDS[0], masked: "**** 4242", last4: "4242", status: "ACTIVE", account: "main" },
      { card_id: CARDS[1] },
    ])
    expect((await anna.get("cards?only_active=false")).data.cards).toHaveLength(4)
    store.simulator.fault({ on: "cards", kind: "status", status: 503, times: 3 })
    expect((await anna.get("cards")).data.code).toBe("service_down")
    // No browser and no proxy keeps what is said of payouts.
    for (const path of ["payouts", "payouts/pspo_none", "cards", "exports/payouts.csv?x=1"]) {
      expect((await anna.get(path)).headers["cache-control"]).toBe("no-store")
    }
    const { data } = await anna.get("payout-settings")
    expect(data).toMatchObject({
      enabled: true,
      approval: false,
      smallest: 1_000,
      largest: 87_500,
      accounts: [{ account: "main", has_signing_secret: true }],
      limits: { per_payout: 87_500, per_day: 10_000_000, left_today: 10_000_000 },
      may: { create: true, approve: true },
      me: { id: anna.id, name: "Anna" },
      stopped: null,
    })
    await store.restartModule({ signingSecret: undefined })
    const settings = await anna.get("payout-settings")
    const made = await anna.post("payouts", { card_id: CARDS[0], amount: newAmount() })
    const cards = await anna.get("cards")
    expect(settings.data.accounts).toMatchObject([{ has_signing_secret: false }])
    expect(made.data.code).toBe("no_signing_secret")
    expect(cards.data.code).toBe("no_signing_secret")
  })
}
