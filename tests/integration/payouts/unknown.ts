import { randomUUID } from "node:crypto"

import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import type { RecordedRequest, SimulatedPayout } from "../../../simulator"
import { eventually, type TestStore } from "../store"
import { draft, type Payout, payoutsWith, type PayoutUser, send, signedIn } from "./payouts-of"

interface Given {
  anna: PayoutUser
  ledger: () => SimulatedPayout[]
  requests: () => RecordedRequest[]
}

const MAY_HAVE_GONE = "the first request may have gone through"

/** The words and records of payouts that may have gone through, and of those that did not. */
export function describeUnknown(store: TestStore, given: () => Given): void {
  const lost = async (user: PayoutUser, kind: "drop_before" | "drop_after" = "drop_after") => {
    const payout = await draft(user)
    store.simulator.fault({ on: "payout", kind })
    expect((await send(user, payout)).data.payout.state).toBe("unknown")
    return payout
  }
  const answerWith = (body: object, status = 200) =>
    store.simulator.fault({ on: "payout", kind: "body", status, body })
  const shown = async (user: PayoutUser, { id }: Payout) =>
    (await user.get(`payouts/${id}`)).data.payout

  it("is not sent again where nothing leads to its merchant, and nobody is told to make a new one", async () => {
    const { anna, ledger } = given()
    const fresh = await draft(anna)
    const before = await lost(anna)
    const { baseUrl, signingSecret } = store.options
    await store.restartModule({ baseUrl: "http://localhost:9" })
    expect((await send(anna, fresh)).data).toMatchObject({ code: "account_gone" })
    const gone = (await send(anna, before, { again: true })).data
    expect(gone).toMatchObject({
      code: "account_gone",
      message: expect.stringContaining(MAY_HAVE_GONE),
    })
    expect(gone.message).not.toContain("Make a new one")
    expect(gone.messages.ru).toContain("первый мог пройти")
    expect(await shown(anna, before)).toMatchObject({ actions: ["mark"] })
    await store.restartModule({ baseUrl, signingSecret: undefined })
    expect((await send(anna, before, { again: true })).data.code).toBe("no_signing_secret")
    await store.restartModule({ signingSecret, ...payoutsWith({ enabled: false }) })
    const off = (await send(anna, before, { again: true })).data
    expect(off).toMatchObject({
      code: "payouts_off",
      message: expect.stringContaining(MAY_HAVE_GONE),
    })
    await store.restartModule(payoutsWith())
    expect(await shown(anna, before)).toMatchObject({ actions: ["send_again", "mark"] })
    expect(ledger()).toHaveLength(1)
  })

  it("is sent again only with the bytes of the first request, and only if there was one", async () => {
    const { anna, requests } = given()
    const fresh = await draft(anna)
    expect((await send(anna, fresh, { again: true })).data.code).toBe("never_sent")
    const typed = await send(anna, fresh, { card_number: "4000001234567899" })
    expect(typed.data.code).toBe("card_number_not_needed")
    const before = await lost(anna)
    await store.container
      .resolve(ContainerRegistrationKeys.PG_CONNECTION)
      .raw("update payment_service_payout set body_digest = 'another' where id = ?", [before.id])
    expect((await send(anna, before, { again: true })).data.code).toBe("other_request")
    expect(requests()).toHaveLength(1)
  })

  it("is marked for the requests that were seen, and for no later one", async () => {
    const { anna, ledger } = given()
    const boris = await signedIn(store, "Boris")
    const payout = await lost(anna, "drop_before")
    const { attempts } = await shown(anna, payout)
    expect(attempts).toBe(1)
    store.simulator.fault({ on: "payout", kind: "drop_after" })
    await send(boris, payout, { again: true })
    expect(ledger()).toHaveLength(1)
    const found = { sent: false, note: "It is not there" }
    const stale = await anna.post(`payouts/${payout.id}/mark`, { ...found, attempts })
    expect(stale).toMatchObject({ status: 400, data: { code: "changed_since" } })
    expect(await shown(anna, payout)).toMatchObject({ state: "unknown", attempts: 2 })
    const marked = await anna.post(`payouts/${payout.id}/mark`, {
      sent: true,
      note: "It is there",
      attempts: 2,
    })
    expect(marked.data.payout.state).toBe("marked_sent")
  })

  it("keeps the id that came with another status, also when later answers do not name it", async () => {
    const { anna, requests } = given()
    const payout = await draft(anna)
    const id = randomUUID()
    const told = { withdrawalRecordId: id, cardMasked: "**** 4242", amountUsdtDebited: 12.5 }
    answerWith({ ...told, status: "ACCEPTED" })
    const sent = (await send(anna, payout)).data.payout
    expect(sent).toMatchObject({
      state: "unknown",
      withdrawal_record_id: id,
      reason: { code: "other_status" },
    })
    answerWith({}, 404)
    const again = (await send(anna, payout, { again: true })).data.payout
    expect(again).toMatchObject({
      state: "unknown",
      withdrawal_record_id: id,
      reason: { code: "refused_again" },
    })
    const { data } = await anna.get(`payouts?q=${id}`)
    expect(data.payouts).toMatchObject([{ id: payout.id }])

    answerWith({ ...told, status: "CREATED" })
    expect((await send(anna, payout, { again: true })).data.payout).toMatchObject({
      state: "created",
      withdrawal_record_id: id,
      amount_usdt: "12.5",
    })
    expect(requests()).toHaveLength(3)
  })

  it("is unknown when the service says that its key was used, also to what seems the first request (promise 15)", async () => {
    const { anna, ledger } = given()
    const payout = await draft(anna)
    expect((await send(anna, payout)).data.payout.state).toBe("created")
    // As after a copy of the database from before was put back.
    await store.container.resolve(ContainerRegistrationKeys.PG_CONNECTION).raw(
      `update payment_service_payout set state = 'draft', attempts = 0, withdrawal_record_id = null,
         answered_at = null, sent_at = null where id = ?`,
      [payout.id]
    )
    answerWith({ message: "This idempotency key has already been used" }, 422)
    expect((await send(anna, payout)).data.payout).toMatchObject({
      state: "unknown",
      reason: { code: "conflict" },
      actions: ["send_again", "mark"],
    })
    expect((await send(anna, payout, { again: true })).data.payout.state).toBe("created")
    expect(ledger()).toHaveLength(1)
  })

  it("is told by events with its state (promise 14)", async () => {
    const { anna } = given()
    const rejected = await draft(anna)
    answerWith({}, 400)
    await send(anna, rejected)
    const unknown = await lost(anna)
    for (const [name, { id }, reason] of [
      ["payment_service.payout_rejected", rejected, "refused"],
      ["payment_service.payout_unknown", unknown, "connection_broken"],
    ] as const) {
      const told = () =>
        store.events.filter((event) => event.name === name && event.data.payout_id === id)
      await eventually(name, async () => told().length > 0)
      expect(told()).toMatchObject([
        { data: { state: name.split("_").at(-1), reason, card_masked: "**** 4242" } },
      ])
    }
  })
}
