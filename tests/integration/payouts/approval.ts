import { Modules } from "@medusajs/framework/utils"

import type { SimulatedPayout } from "../../../simulator"
import { type Admin, adminOf, logIn } from "../admin"
import { eventually, type TestStore, withOptions } from "../store"
import {
  CARDS,
  draft,
  invited,
  newAmount,
  NUMBER,
  payoutsWith,
  type PayoutUser,
  send,
  signedIn,
  typedDraft,
} from "./payouts-of"

const HOUR = 60 * 60_000

const approve = (user: PayoutUser, id: string, body: object = {}) =>
  user.post(`payouts/${id}/approve`, body)

/** With `payouts.approval` a second admin decides. */
export function describeApproval(
  store: TestStore,
  given: () => { anna: PayoutUser; ledger: () => SimulatedPayout[] }
): void {
  describe("with approval", () => {
    withOptions(store, () => payoutsWith({ approval: true }))
    let boris: PayoutUser
    let vera: PayoutUser
    beforeEach(async () => {
      boris = await signedIn(store, "Boris")
      vera = await signedIn(store, "Vera")
    })

    it("is sent only when another admin has approved it, as it is then (promise 16)", async () => {
      const { anna, ledger } = given()
      const payout = await draft(anna)
      expect(payout).toMatchObject({ state: "awaiting_approval", actions: ["edit", "discard"] })
      expect((await send(anna, payout)).data.code).toBe("awaiting_approval")
      expect((await approve(anna, payout.id)).data.code).toBe("own_payout")

      const approved = await approve(boris, payout.id)
      expect(approved.data.payout).toMatchObject({ state: "draft", approved_by: { name: "Boris" } })
      expect((await approve(boris, payout.id)).status).toBe(200)

      // An edit voids it, and its author cannot approve it either.
      const edited = await anna.post(`payouts/${payout.id}`, { amount: payout.amount + 500 })
      expect(edited.data.payout).toMatchObject({ state: "awaiting_approval", approved_by: null })
      expect((await send(boris, payout)).data.code).toBe("awaiting_approval")
      const stale = await approve(boris, payout.id, { revision: payout.revision })
      expect(stale.data.code).toBe("changed_since")
      const unseen = await boris.post(`payouts/${payout.id}`, { note: "Checked", revision: 1 })
      expect([unseen.status, unseen.data.code]).toEqual([400, "changed_since"])
      await boris.post(`payouts/${payout.id}`, { note: "Checked" })
      expect((await approve(boris, payout.id)).data.code).toBe("own_payout")
      expect((await approve(vera, payout.id)).data.payout.state).toBe("draft")
      expect((await send(anna, payout)).data.payout).toMatchObject({ state: "created" })
      expect(ledger()).toMatchObject([{ amountRub: payout.amount + 500 }])
    })

    it("is not approved when its maker changes it while it is being approved (promise 16)", async () => {
      const { anna } = given()
      const payout = await draft(anna)
      const { payouts } = store.module
      const change = payouts.change.bind(payouts)
      const changing = jest
        .spyOn(payouts, "change")
        .mockImplementationOnce(async (...approval: Parameters<typeof change>) => {
          await anna.post(`payouts/${payout.id}`, { amount: payout.amount + 40_000 })
          return await change(...approval)
        })
      const approved = await approve(boris, payout.id, { revision: payout.revision })
      changing.mockRestore()
      expect(approved.data.code).toBe("changed_since")
      expect((await anna.get(`payouts/${payout.id}`)).data.payout).toMatchObject({
        state: "awaiting_approval",
        amount: payout.amount + 40_000,
      })
    })

    it("of a typed number is typed by who made it, by who approves it, and once more to be sent (promise 16)", async () => {
      const { anna, ledger } = given()
      const other = "4000001234567881"
      const amount = newAmount()
      const make = (body: object) => anna.post("payouts", { amount, ...body })
      expect((await make({})).data.code).toBe("card_number_needed")
      expect((await make({ card_number: "4000" })).data.code).toBe("card_number_invalid")
      expect((await make({ card_id: CARDS[0], card_number: NUMBER })).data.code).toBe(
        "card_number_not_needed"
      )
      const payout = await typedDraft(anna, { card_number: "4000 0012 3456 7899" })
      expect(payout).toMatchObject({ state: "awaiting_approval", card_masked: "**** 7899" })
      expect((await approve(boris, payout.id)).data.code).toBe("card_number_needed")
      const differs = await approve(boris, payout.id, { card_number: other })
      expect(differs.data.code).toBe("other_card_number")
      expect((await anna.get(`payouts/${payout.id}`)).data.payout.state).toBe("awaiting_approval")
      await approve(boris, payout.id, { card_number: NUMBER })
      for (const user of [anna, boris]) {
        expect((await send(user, payout, { card_number: other })).data.code).toBe(
          "other_card_number"
        )
      }
      expect((await send(anna, payout)).data.code).toBe("card_number_needed")
      const sent = await send(anna, payout, { card_number: NUMBER })
      expect(sent.data.payout).toMatchObject({ state: "created", card_masked: "**** 7899" })
      expect(ledger()).toMatchObject([{ cardMasked: "************7899" }])
    })

    it("ends when another number is typed, and nobody approves a number that the maker has not typed", async () => {
      const { anna } = given()
      const payout = await typedDraft(anna, { card_number: NUMBER })
      await approve(boris, payout.id, { card_number: NUMBER })
      const path = `payouts/${payout.id}`
      // The same number again changes nothing.
      expect((await anna.post(path, { card_number: NUMBER })).data.payout).toMatchObject({
        state: "draft",
        revision: 1,
      })
      const other = { card_number: "4000001234567881" }
      expect((await vera.post(path, other)).data.payout).toMatchObject({
        state: "awaiting_approval",
        revision: 2,
        card_masked: "**** 7881",
      })
      expect((await approve(vera, payout.id, other)).data.code).toBe("own_payout")
      expect((await approve(boris, payout.id, other)).data.payout.state).toBe("draft")
      // With a saved card the number is forgotten.
      await anna.post(path, { card_id: CARDS[0] })
      expect((await approve(boris, payout.id, other)).data.code).toBe("card_number_not_needed")
      expect((await anna.post(path, { card_id: null })).data.code).toBe("card_number_needed")

      await store.restartModule(payoutsWith())
      const before = await typedDraft(anna)
      await store.restartModule(payoutsWith({ approval: true }))
      const untyped = await approve(boris, before.id, other)
      expect(untyped.data.code).toBe("number_not_typed")
      await anna.post(`payouts/${before.id}`, other)
      expect((await approve(boris, before.id, other)).data.payout.state).toBe("draft")
      expect((await send(anna, before, other)).data.payout.state).toBe("created")
    })

    it("compares five wrong numbers and no further one, however they are tried (promise 16)", async () => {
      const { anna, ledger } = given()
      const made = await typedDraft(anna, { card_number: NUMBER })
      const guesses = Array.from({ length: 12 }, (_, index) => `40000012345${10_000 + index}`)
      const tried = await Promise.all(
        guesses.map((card_number) => approve(boris, made.id, { card_number, revision: 1 }))
      )
      const codes = tried.map(({ data }) => data.code)
      expect(codes.filter((code) => code === "other_card_number")).toHaveLength(5)
      expect(codes.filter((code) => code === "too_many_numbers")).toHaveLength(7)
      const right = await approve(boris, made.id, { card_number: NUMBER })
      expect([right.status, right.data.code]).toEqual([400, "too_many_numbers"])
      expect((await send(anna, made, { card_number: NUMBER })).status).toBe(400)
      expect(ledger()).toEqual([])
      const { journal } = (await anna.get(`payouts/${made.id}`)).data
      const wrong = journal.filter(({ kind }) => kind === "wrong_number")
      expect(wrong.map(({ by }) => by?.name)).toEqual(Array(5).fill("Boris"))
      expect((await anna.delete(`payouts/${made.id}`)).data.payout.state).toBe("discarded")
    })

    it("is marked by somebody else than who sent it (promise 16)", async () => {
      const { anna } = given()
      const payout = await draft(anna)
      await approve(boris, payout.id)
      store.simulator.fault({ on: "payout", kind: "drop_before" })
      expect((await send(anna, payout)).data.payout.actions).toEqual(["send_again"])
      const mark = (user: PayoutUser, sent: boolean) =>
        user.post(`payouts/${payout.id}/mark`, { sent, note: "Looked" })
      expect((await mark(anna, false)).data.code).toBe("own_sending")
      expect((await mark(boris, false)).data.payout).toMatchObject({
        state: "marked_not_sent",
        marked_by: { name: "Boris" },
      })
      expect((await mark(boris, true)).data.code).toBe("marked")
    })
  })

  describe("with users", () => {
    withOptions(store, () => payoutsWith({ users: ["user_boris"] }))

    it("is for users who are named by id and are a day old, whoever else signs in (promise 16)", async () => {
      const { anna } = given()
      // An admin who invites a user chooses the e-mail address, and the options may name that user later.
      const impostor = await signedIn(store, "Vera")
      const byAddress = payoutsWith({ users: ["vera@shop.test"] })
      await expect(store.restartModule(byAddress)).rejects.toThrow("must be a user's id")
      expect((await impostor.post("payouts", { amount: 1_500 })).data.code).toBe("not_permitted")

      const young = await signedIn(store, "Galina", new Date(Date.now() - 23.9 * HOUR))
      await store.restartModule(payoutsWith())
      const payout = await draft(anna)
      for (const action of [
        () => young.post("payouts", { card_id: CARDS[0], amount: 1_500 }),
        () => young.post(`payouts/${payout.id}`, { amount: 1_500 }),
        () => young.post(`payouts/${payout.id}/approve`),
        () => send(young, payout),
        () => young.post(`payouts/${payout.id}/mark`, { sent: true, note: "Seen" }),
        () => young.delete(`payouts/${payout.id}`),
        () => young.post("payouts/stop", { stopped: true }),
      ]) {
        expect((await action()).data.code).toBe("user_too_new")
      }
      expect((await young.get(`payouts/${payout.id}`)).data.payout.actions).toEqual([])
      const { clock } = store.module
      store.module.clock = { now: () => new Date(Date.now() + HOUR) }
      expect((await send(young, payout)).data.payout.state).toBe("created")
      store.module.clock = clock
    })

    const asInvited = async (email: string): Promise<Admin> => {
      const chosen = { email, password: "a-password-that-they-chose" }
      await invited(store.http, adminOf(store), chosen)
      return await logIn(store, chosen)
    }

    it("is for nobody who was invited, whatever e-mail address they chose, nor for a deleted user (promise 16)", async () => {
      const { anna, ledger } = given()
      const boris = await signedIn(store, "Boris")
      await store.restartModule(payoutsWith({ approval: true, users: [anna.id, boris.id] }))
      const payout = await draft(anna)
      const address = "/admin/payment-service/payouts"
      const isRefused = async (user: Admin) => {
        for (const [path, body] of [
          [address, { card_id: CARDS[0], amount: 1_500 }],
          [`${address}/${payout.id}`, { amount: 1_500, revision: 1 }],
          [`${address}/${payout.id}/approve`, { revision: 1 }],
          [`${address}/${payout.id}/send`, { revision: 1 }],
          [`${address}/${payout.id}/mark`, { sent: true, note: "Seen", attempts: 1 }],
          [`${address}/stop`, { stopped: true }],
        ] as const) {
          const { status, data } = await user.post(path, body)
          expect([path, status, data.code]).toEqual([path, 400, "not_permitted"])
        }
      }
      await isRefused(await asInvited("ANNA@shop.test"))
      await isRefused(await asInvited("BORIS@shop.test"))
      expect((await boris.post(`payouts/${payout.id}/approve`)).status).toBe(200)

      // Her user is deleted, and somebody accepts an invite with her address.
      expect((await adminOf(store).delete(`/admin/users/${anna.id}`)).status).toBe(200)
      expect((await send(anna, payout)).data.code).toBe("not_signed_in")
      await isRefused(await asInvited("anna@shop.test"))
      expect(ledger()).toEqual([])
    })

    it("keeps each list of users with a notification, and tells the same list once", async () => {
      await store.restartModule(payoutsWith({ users: ["user_boris", "user_vera"] }))
      await store.restartModule(payoutsWith({ users: ["user_vera", "user_boris"] }))
      await store.restartModule(payoutsWith({ users: ["user_vera"], enabled: false }))
      await Promise.all(
        [1, 2].map(() => store.restartModule(payoutsWith({ users: ["user_vera", "user_anna"] })))
      )
      const entries = await store.module.listPayoutEntries(
        { kind: "users_changed" },
        { order: { at: "ASC" } }
      )
      expect(entries.slice(-3)).toMatchObject([
        { payout_id: null, by: null, facts: { added: ["user_vera"], removed: [] } },
        // A list is told, too, that names people while nothing is paid out: they could mark a payout.
        { facts: { added: [], removed: ["user_boris"] } },
        { facts: { added: ["user_anna"], removed: [] } },
      ])
      await eventually("the notification", async () => {
        const told = await store.container
          .resolve(Modules.NOTIFICATION)
          .listNotifications({ channel: "feed" }, { order: { created_at: "DESC" }, take: 10 })
        const words = "Added: user_anna. Removed: –."
        return told.some(({ data }) => String(data?.description).includes(words))
      })
    })
  })
}
