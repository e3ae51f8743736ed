import type { SimulatedPayout } from "../../../simulator"
import { setClock } from "../passes"
import { type TestStore, withOptions } from "../store"
import { CARDS, type Payout, payoutsWith, type PayoutUser, send, signedIn } from "./payouts-of"

const HOUR = 60 * 60_000

/** Limits hold for what is sent, however many are sent at once. */
export function describeLimits(
  store: TestStore,
  given: () => { anna: PayoutUser; ledger: () => SimulatedPayout[] }
): void {
  describe("with limits", () => {
    withOptions(store, () =>
      payoutsWith({ perPayout: 30_000, perDay: 50_000, timeZone: "Asia/Vladivostok" })
    )
    // Noon in Vladivostok.
    let now = new Date("2026-11-23T02:00:00Z").getTime()
    const noon = now
    beforeEach(() => {
      now = noon
      setClock(store, () => now)
    })
    const make = (user: PayoutUser, amount: number) =>
      user.post("payouts", { card_id: CARDS[0], amount })
    const made = async (user: PayoutUser, amount: number): Promise<Payout> => {
      const answer = await make(user, amount)
      expect(answer.data).toMatchObject({ payout: { amount } })
      return answer.data.payout
    }
    const left = async (user: PayoutUser) => (await user.get("payout-settings")).data.limits

    it("are kept, and given back by what is rejected or was not sent", async () => {
      const { anna, ledger } = given()
      const boris = await signedIn(store, "Boris")
      expect((await make(anna, 30_001)).data.code).toBe("above_per_payout")
      const first = await made(anna, 25_000)
      const change = { amount: 30_001 }
      expect((await anna.post(`payouts/${first.id}`, change)).data.code).toBe("above_per_payout")
      expect(await left(boris)).toMatchObject({ used_today: 0, left_today: 50_000 })
      expect((await send(anna, first)).data.payout.state).toBe("created")
      expect(await left(boris)).toMatchObject({
        used_today: 25_000,
        left_today: 25_000,
        per_day: 50_000,
      })
      const second = await made(boris, 30_000)
      expect((await send(boris, second)).data).toMatchObject({
        code: "above_per_day",
        message: expect.stringContaining("₽25,000.00"),
      })
      expect((await anna.get(`payouts/${second.id}`)).data.payout.state).toBe("draft")

      const refused = await made(anna, 20_000)
      store.simulator.fault({ on: "payout", kind: "status", status: 400 })
      expect((await send(anna, refused)).data.payout.state).toBe("rejected")
      expect(await left(anna)).toMatchObject({ left_today: 25_000 })

      // An unknown payout counts until a person says that it was not sent.
      const third = await made(anna, 15_000)
      store.simulator.fault({ on: "payout", kind: "drop_before" })
      await send(anna, third)
      expect(await left(anna)).toMatchObject({ left_today: 10_000 })
      await anna.post(`payouts/${third.id}/mark`, { sent: false, note: "Not there" })
      expect(await left(anna)).toMatchObject({ left_today: 25_000 })

      // One that a person has found as sent counts on.
      const found = await made(anna, 5_000)
      store.simulator.fault({ on: "payout", kind: "drop_before" })
      await send(anna, found)
      await anna.post(`payouts/${found.id}/mark`, { sent: true, note: "In the list" })
      expect(await left(anna)).toMatchObject({ left_today: 20_000 })
      expect(ledger()).toHaveLength(1)
    })

    it("hold for what is sent again on another day (promise 16)", async () => {
      const { anna, ledger } = given()
      const lost = await made(anna, 30_000)
      store.simulator.fault({ on: "payout", kind: "drop_before" })
      await send(anna, lost)
      now += 24 * HOUR
      const today = await made(anna, 30_000)
      expect((await send(anna, today)).data.payout.state).toBe("created")
      expect((await send(anna, lost, { again: true })).data.code).toBe("above_per_day")
      now += 24 * HOUR
      expect((await send(anna, lost, { again: true })).data.payout.state).toBe("created")
      expect(await left(anna)).toMatchObject({ used_today: 30_000 })
      expect(ledger()).toHaveLength(2)
    })

    it("begin anew at midnight of their time zone, for a draft, too", async () => {
      const { anna, ledger } = given()
      const boris = await signedIn(store, "Boris")
      // 23:50
      now = noon + 11 * HOUR + 50 * 60_000
      const before = await made(anna, 30_000)
      const other = await made(boris, 20_000)
      expect((await send(boris, other)).data.payout.state).toBe("created")
      expect(await left(anna)).toMatchObject({ left_today: 30_000 })
      // 00:10
      now += 20 * 60_000
      expect(await left(anna)).toMatchObject({ used_today: 0, left_today: 50_000 })
      const today = await made(boris, 30_000)
      expect((await send(boris, today)).data.payout.state).toBe("created")
      // It would be the payout of today, of which too little is left.
      expect((await send(anna, before)).data.code).toBe("above_per_day")
      await anna.post(`payouts/${before.id}`, { amount: 20_000 })
      expect((await send(anna, before)).data.payout.state).toBe("created")
      expect(await left(anna)).toMatchObject({ used_today: 50_000 })
      expect(ledger()).toHaveLength(3)
    })
  })
}
