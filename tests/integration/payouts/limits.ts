import type { SimulatedPayout } from "../../../src/simulator"
import { type TestStore, withOptions } from "../store"
import { CARDS, type Payout, type PayoutUser, send, signedIn } from "./payouts-of"

const HOUR = 60 * 60_000

/** Limits hold for all together, and for each admin. */
export function describeLimits(
  store: TestStore,
  given: () => { anna: PayoutUser; ledger: () => SimulatedPayout[] }
): void {
  describe("with limits", () => {
    withOptions(store, () => ({
      payouts: {
        ...{ perPayout: 30_000, perDay: 50_000, perUserPerDay: 40_000 },
        timeZone: "Asia/Vladivostok",
      },
    }))
    // Noon in Vladivostok.
    let now = new Date("2026-11-23T02:00:00Z").getTime()
    const noon = now
    let clock: TestStore["module"]["clock"]
    beforeEach(() => {
      now = noon
      clock = store.module.clock
      store.module.clock = { now: () => new Date(now) }
    })
    afterEach(() => {
      store.module.clock = clock
    })
    const setLimits = (limits: object) =>
      store.restartModule({ payouts: { ...(store.options.payouts as object), ...limits } })
    const make = (user: PayoutUser, amount: number) =>
      user.post("payouts", { card_id: CARDS[0], amount, confirm_similar: true })
    const made = async (user: PayoutUser, amount: number): Promise<Payout> => {
      const answer = await make(user, amount)
      expect(answer.data).toMatchObject({ payout: { amount } })
      return answer.data.payout
    }
    const left = async (user: PayoutUser) => (await user.get("payout-settings")).data.limits

    it("are kept, and given back by what is rejected, discarded or was not sent", async () => {
      const { anna, ledger } = given()
      const boris = await signedIn(store, "Boris")
      expect((await make(anna, 30_001)).data.code).toBe("above_per_payout")
      const first = await made(anna, 25_000)
      expect((await make(anna, 15_001)).data).toMatchObject({
        ...{ code: "above_per_user_per_day", message: expect.stringContaining("15,000 RUB") },
      })
      const second = await made(boris, 25_000)
      expect((await make(boris, 1_000)).data.code).toBe("above_per_day")
      expect(await left(boris)).toMatchObject({
        ...{ used_today: 50_000, left_today: 0, left_today_for_me: 0, per_day: 50_000 },
      })

      await boris.delete(`payouts/${second.id}`)
      expect(await left(boris)).toMatchObject({ left_today: 25_000, left_today_for_me: 25_000 })
      store.simulator.fault({ on: "payout", kind: "status", status: 400 })
      expect((await send(anna, first)).data.payout.state).toBe("rejected")
      expect(await left(anna)).toMatchObject({ left_today: 50_000, left_today_for_me: 40_000 })

      // An unknown payout counts until a person says that it was not sent.
      const third = await made(anna, 30_000)
      store.simulator.fault({ on: "payout", kind: "drop_before" })
      await send(anna, third)
      expect(await left(anna)).toMatchObject({ left_today: 20_000 })
      await anna.post(`payouts/${third.id}/mark`, { sent: false, note: "Not there" })
      expect(await left(anna)).toMatchObject({ left_today: 50_000 })
      expect(ledger()).toEqual([])
    })

    it("are right when many make payouts at once", async () => {
      const { anna } = given()
      const boris = await signedIn(store, "Boris")
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) => make(index % 2 ? anna : boris, 10_000))
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
      expect(await left(anna)).toMatchObject({ used_today: 50_000 })
    })

    it("of one admin are right when they make and send many at once", async () => {
      const { anna, ledger } = given()
      await setLimits({ perDay: 1_000_000 })
      const answers = await Promise.all(Array.from({ length: 10 }, () => make(anna, 8_000)))
      const drafts = answers.flatMap(({ status, data }) => (status === 200 ? [data.payout] : []))
      expect(drafts).toHaveLength(5)
      for (const { status, data } of answers) {
        if (status !== 200) expect(data.code).toBe("above_per_user_per_day")
      }
      expect(await left(anna)).toMatchObject({ left_today_for_me: 0 })
      // Drafts that lay for an hour take their part anew, whoever sends them.
      now += HOUR + 1
      const boris = await signedIn(store, "Boris")
      await setLimits({ perUserPerDay: 24_000 })
      const sent = await Promise.all(
        drafts.map((payout, index) =>
          send(index % 2 ? anna : boris, payout, { confirm_similar: true })
        )
      )
      expect(sent.filter(({ status }) => status === 200)).toHaveLength(3)
      expect(ledger()).toHaveLength(3)
    })

    it("are taken anew by a draft that lay for an hour, and right when many are sent at once", async () => {
      const { anna, ledger } = given()
      const boris = await signedIn(store, "Boris")
      const old = [await made(anna, 20_000), await made(anna, 20_000)]
      now += HOUR + 1
      const newer = [await made(boris, 20_000), await made(boris, 20_000)]
      const sent = await Promise.all([
        ...old.map((payout) => send(anna, payout)),
        ...newer.map((payout) => send(boris, payout)),
      ])
      expect(
        sent.map(({ status, data }) => (status === 200 ? data.payout.state : data.code))
      ).toEqual([...["above_per_day", "above_per_day"], ...["created", "created"]])
      expect(ledger()).toHaveLength(2)
    })

    it("that were lowered hold for drafts, too", async () => {
      const { anna, ledger } = given()
      const payout = await made(anna, 20_000)
      await setLimits({ perPayout: 19_999 })
      expect((await send(anna, payout)).data.code).toBe("above_per_payout")
      await setLimits({ perPayout: 20_000, perDay: 19_000 })
      expect((await send(anna, payout)).data.code).toBe("above_per_day")
      expect(ledger()).toEqual([])
    })

    it("begin anew at midnight of their time zone, for a draft, too", async () => {
      const { anna, ledger } = given()
      const boris = await signedIn(store, "Boris")
      // 23:50
      now = noon + 11 * HOUR + 50 * 60_000
      const before = await made(anna, 30_000)
      const other = await made(boris, 20_000)
      expect((await send(boris, other)).data.payout.state).toBe("created")
      expect(await left(anna)).toMatchObject({ left_today: 0 })
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
      const { data } = await anna.get("payouts?with_totals=true&state=created")
      expect(data.totals).toEqual([
        expect.objectContaining({ day: "2026-11-24", state: "created", count: 2, amount: 50_000 }),
        expect.objectContaining({ day: "2026-11-23", state: "created", count: 1, amount: 20_000 }),
      ])
    })
  })
}
