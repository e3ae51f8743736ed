import { recordLostPayouts, reportUnknownPayouts } from "../../src/payouts/send-payout"
import { settlePortsOf } from "../../src/payments/ports"
import { TIMEOUTS } from "../../src/service/client"
import { atLabelledPoints, standStillAt } from "./at-labelled-points"
import { setClockAhead } from "./passes"
import { describeAttacks } from "./payouts/attacks"
import { describeApproval } from "./payouts/approval"
import { describeLimits } from "./payouts/limits"
import { describeLists } from "./payouts/lists"
import { describeTypedNumbers } from "./payouts/typed-numbers"
import { describeUnknown } from "./payouts/unknown"
import {
  apiKey,
  CARDS,
  draft,
  newAmount,
  payoutsWith,
  type PayoutUser,
  send,
  signedIn,
  type WaitingShortly,
} from "./payouts/payouts-of"
import { describeStore, eventually } from "./store"

const SIGNING_SECRET = "signing-secret-of-the-tests"
const PAYOUT_MS = TIMEOUTS.payoutMs

describeStore(
  "payouts",
  {
    simulator: { signingSecret: SIGNING_SECRET },
    env: { PAYMENT_SERVICE_SIGNING_SECRET: SIGNING_SECRET },
    configure: ({ modules }) => {
      Object.assign(modules.payment_service?.options ?? {}, payoutsWith())
    },
  },
  (store) => {
    let anna: PayoutUser
    let before: number
    beforeEach(async () => {
      anna = await signedIn(store, "Anna")
      store.simulator.configure({
        usdtBalance: 10_000,
        signingSecret: SIGNING_SECRET,
        payoutsEnabled: true,
        repeatedKey: "same",
      })
      before = store.simulator.payouts().length
    })
    /** The service's payouts since the test began. */
    const ledger = () => store.simulator.payouts().slice(before)
    const requests = () => store.simulator.requests({ on: "payout" })
    /** Where the service hangs, its answer is not waited for as long as elsewhere. */
    const waitingShortly: WaitingShortly = async ({ kind }, work) => {
      if (kind === "hang") Object.assign(TIMEOUTS, { payoutMs: 700 })
      const answer = await work()
      Object.assign(TIMEOUTS, { payoutMs: PAYOUT_MS })
      return answer
    }

    it("is written down first, sent once, and told with its journal and event", async () => {
      const payout = await draft(anna, { note: "For Ivan" })
      expect(payout).toMatchObject({
        state: "draft",
        recipient: "saved_card",
        card_masked: "**** 4242",
        card_brand: "MIR",
        currency: "RUB",
        made_by: { id: anna.id, name: "Anna" },
        needs_card_number: false,
        actions: ["edit", "send", "discard"],
        reason: null,
        idempotency_key: null,
      })
      expect(requests()).toEqual([])

      const sent = await send(anna, payout)
      expect(sent.status).toBe(200)
      expect(sent.headers["cache-control"]).toBe("no-store")
      const [paid] = ledger()
      expect(sent.data.payout).toMatchObject({
        state: "created",
        withdrawal_record_id: paid?.id,
        actions: [],
        reason: null,
        amount_usdt: String(paid?.amountUsdtDebited),
        sent_by: { name: "Anna" },
      })
      expect(ledger()).toMatchObject([{ amountRub: payout.amount, cardId: CARDS[0] }])
      expect(requests()).toMatchObject([
        { headers: { "idempotency-key": sent.data.payout.idempotency_key } },
      ])

      const { data } = await anna.get(`payouts/${payout.id}`)
      expect(data.journal).toMatchObject([
        { kind: "made", by: { name: "Anna" }, address: "127.0.0.1", forwarded_address: null },
        { kind: "sending", by: { name: "Anna" }, facts: { attempt: 1, card: "**** 4242" } },
        { kind: "answered", by: null, facts: { state: "created", http_status: 200, late: false } },
      ])
      await eventually("the event", async () =>
        store.events.some(
          ({ name, data: told }) =>
            name === "payment_service.payout_created" &&
            told.payout_id === payout.id &&
            told.card_masked === "**** 4242"
        )
      )
      // A click that comes late changes nothing.
      expect((await send(anna, payout)).data.payout).toMatchObject({ state: "created" })
      expect((await send(anna, payout, { again: true })).status).toBe(200)
      expect((await anna.post(`payouts/${payout.id}`, { amount: 2_000 })).data.code).toBe(
        "sent_already"
      )
      expect(ledger()).toHaveLength(1)
    })

    it("is rejected when the first request is refused, and nothing is paid (promise 15)", async () => {
      const payout = await draft(anna)
      const error = { message: "The USDT balance is too low." }
      store.simulator.fault({ on: "payout", kind: "body", status: 400, body: { error } })
      const { data } = await send(anna, payout)
      const reason = { code: "balance_too_low", ru: expect.stringContaining(error.message) }
      expect(data.payout).toMatchObject({ state: "rejected", reason, actions: [] })
      expect(ledger()).toEqual([])
      await send(anna, payout, { again: true })
      expect(requests()).toHaveLength(1)
    })

    it.each([
      ["a time-out after it was applied", { kind: "hang", applied: true }, "no_answer", 1],
      ["a reset before", { kind: "drop_before" }, "connection_broken", 0],
      ["an unreadable reply", { kind: "truncate" }, "unreadable", 1],
      ["302", { kind: "status", status: 302, applied: true }, "unexpected", 1],
      ["500", { kind: "status", status: 500, applied: true }, "service_down", 1],
    ] as const)(
      "is unknown after %s, and found by sending it again (promise 15)",
      async (_what, fault, code, paid) => {
        const payout = await draft(anna)
        store.simulator.fault({ on: "payout", ...fault })
        const { data } = await waitingShortly(fault, () => send(anna, payout))
        expect(data.payout).toMatchObject({
          state: "unknown",
          reason: { code },
          actions: ["send_again", "mark"],
        })
        expect(ledger()).toHaveLength(paid)
        // Nothing is repeated but at somebody's word.
        expect((await send(anna, payout)).data.payout.state).toBe("unknown")
        expect(requests()).toHaveLength(1)

        const again = await send(anna, payout, { again: true })
        expect(again.data.payout.state).toBe("created")
        expect(ledger()).toMatchObject([{ id: again.data.payout.withdrawal_record_id }])
        const [first, second] = requests()
        expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"])
        expect(second?.body).toBe(first?.body)
      }
    )

    it("stays unknown when the service refuses the repetition, whatever the status", async () => {
      const payout = await draft(anna)
      store.simulator.fault({ on: "payout", kind: "drop_after" })
      await send(anna, payout)
      store.simulator.configure({ repeatedKey: "reject" })
      const { data } = await send(anna, payout, { again: true })
      expect(data.payout).toMatchObject({ state: "unknown", reason: { code: "conflict" } })
      store.simulator.fault({ on: "payout", kind: "status", status: 401 })
      const refused = await send(anna, payout, { again: true })
      expect(refused.data.payout).toMatchObject({
        state: "unknown",
        reason: { code: "refused_again" },
      })
      expect(ledger()).toHaveLength(1)

      // A person looks in the account area.
      expect((await anna.post(`payouts/${payout.id}/mark`, { sent: true })).status).toBe(400)
      const note = "In the list, 12:30"
      const marked = await anna.post(`payouts/${payout.id}/mark`, { sent: true, note })
      expect(marked.data.payout).toMatchObject({
        state: "marked_sent",
        mark_note: note,
        marked_by: { name: "Anna" },
        actions: [],
      })
      expect((await send(anna, payout, { again: true })).data.code).toBe("marked")
      const other = await anna.post(`payouts/${payout.id}/mark`, { sent: false, note })
      expect(other.data.code).toBe("marked")
      expect(ledger()).toHaveLength(1)
    })

    it("is neither made nor sent while payouts are switched off", async () => {
      const payout = await draft(anna)
      await store.restartModule(payoutsWith({ enabled: false }))
      const refused = await send(anna, payout)
      expect(refused).toMatchObject({ status: 400, data: { code: "payouts_off" } })
      expect(refused.data.messages.ru).toContain("отключены")
      expect(requests()).toEqual([])
      const { data } = await anna.get(`payouts/${payout.id}`)
      expect(data.payout).toMatchObject({
        state: "draft",
        sent_at: null,
        actions: ["edit", "discard"],
      })
      expect((await anna.post("payouts", { amount: 1_500 })).data.code).toBe("payouts_off")
      await store.restartModule(payoutsWith())
      expect((await send(anna, payout)).data.payout.state).toBe("created")
      expect(ledger()).toHaveLength(1)
    })

    it("is made by nobody where only the signing secret is set, as Connection says (promise 16)", async () => {
      const connection = async () => (await anna.get("connection")).data
      expect((await connection()).payouts).toMatchObject({ enabled: true, approval: false })
      const payout = await draft(anna)
      await store.restartModule({ payouts: undefined })
      const { accounts, payouts } = await connection()
      expect(accounts).toMatchObject([{ has_signing_secret: true }])
      expect(payouts).toEqual({ enabled: false, approval: false, per_day: null, users: [] })
      expect((await anna.get("cards")).data.cards).toHaveLength(2)
      expect((await anna.get("payout-settings")).data).toMatchObject({
        enabled: false,
        me: { id: anna.id },
        may: { create: false, approve: false },
      })
      const made = await anna.post("payouts", { card_id: CARDS[0], amount: newAmount() })
      expect([made.status, made.data.code]).toEqual([400, "not_permitted"])
      expect((await send(anna, payout)).data.code).toBe("not_permitted")
      expect(requests()).toEqual([])
    })

    it("is not sent while payouts are stopped, wherever the stop meets it (promise 16)", async () => {
      const [payout, lost] = [await draft(anna), await draft(anna)]
      store.simulator.fault({ on: "payout", kind: "drop_after" })
      await send(anna, lost)
      const stop = (stopped: boolean) => anna.post("payouts/stop", { stopped })
      expect((await stop(true)).data.stopped).toMatchObject({ by: { id: anna.id, name: "Anna" } })
      await stop(true)
      expect((await anna.get("payout-settings")).data.stopped).toMatchObject({
        by: { id: anna.id },
      })
      expect((await send(anna, payout)).data.code).toBe("payouts_stopped")
      // It is refused before it is claimed.
      expect((await anna.get(`payouts/${payout.id}`)).data.journal).toHaveLength(1)
      const again = await send(anna, lost, { again: true })
      expect(again.data).toMatchObject({
        code: "payouts_stopped",
        message: expect.stringContaining("the first request may have gone through"),
      })
      expect((await anna.get(`payouts/${lost.id}`)).data.payout.attempts).toBe(1)
      expect((await stop(false)).data.stopped).toBeNull()

      // Between the claim and its request.
      const letGo = atLabelledPoints(async (point) => {
        if (point === "payout:committed") await stop(true)
      })
      const reason = { code: "payouts_stopped", en: expect.stringContaining("it was not made") }
      expect((await send(anna, payout)).data.payout).toMatchObject({ state: "rejected", reason })
      await stop(false)
      const stopped = await send(anna, lost, { again: true })
      expect(stopped.data.payout).toMatchObject({ state: "unknown", attempts: 2, reason })
      letGo()
      await stop(false)
      expect(requests()).toHaveLength(1)
      expect((await anna.get(`payouts/${lost.id}`)).data.journal.at(-1)).toMatchObject({
        kind: "not_sent",
        facts: { attempt: 2, reason: "payouts_stopped" },
      })
      expect((await send(anna, lost, { again: true })).data.payout.state).toBe("created")
      expect(ledger()).toHaveLength(1)
      const entries = await store.module.listPayoutEntries({ payout_id: null })
      const kinds = entries.map(({ kind }) => kind).filter((kind) => kind !== "users_changed")
      expect(kinds.sort()).toEqual([
        ...["resumed", "resumed", "resumed", "stopped", "stopped", "stopped", "stopped"],
      ])
    })

    it("is not sent by a process that stood still, and stays unknown until somebody sends it again (promise 15)", async () => {
      const payout = await draft(anna)
      const ports = settlePortsOf(store.container)
      const openProblems = () =>
        store.module.listProblems({ kind: "payout_unknown", closed_at: null })
      atLabelledPoints(async (point) => {
        if (point !== "payout:committed") return
        setClockAhead(store, 20 * 60_000)
        await recordLostPayouts(ports)
        await reportUnknownPayouts(ports)
        expect(await openProblems()).toHaveLength(1)
      })
      const slow = await send(anna, payout)
      expect(slow.data.payout).toMatchObject({ state: "rejected", reason: { code: "too_slow" } })
      expect(requests()).toEqual([])
      expect(await openProblems()).toEqual([])
    })

    it("of a process that is gone is unknown, and an answer that comes late holds", async () => {
      const payout = await draft(anna)
      const { standing, goOn } = standStillAt("payout:answered")
      const sending = send(anna, payout)
      await standing
      expect((await anna.get(`payouts/${payout.id}`)).data.payout).toMatchObject({
        state: "sending",
        actions: [],
      })
      setClockAhead(store, PAYOUT_MS + 31_000)
      await eventually("the background work finds it", async () => {
        const { state } = await store.module.payouts.get(payout.id)
        return state === "unknown"
      })
      expect((await anna.get("payouts?state=unknown")).data.payouts).toMatchObject([
        { id: payout.id, reason: { code: "process_lost" } },
      ])
      // A person looks too early; the answer proves more than their word.
      const marked = await anna.post(`payouts/${payout.id}/mark`, {
        sent: false,
        note: "Not there",
      })
      expect(marked.data.payout.state).toBe("marked_not_sent")
      goOn()
      expect((await sending).data.payout).toMatchObject({ state: "created" })
      const { data } = await anna.get(`payouts/${payout.id}`)
      expect(data.journal.map(({ kind }) => kind)).toEqual([
        ...["made", "sending", "lost", "marked", "answered"],
      ])
      expect(data.journal.at(-1)?.facts).toMatchObject({ late: true })
      expect(ledger()).toHaveLength(1)
    })

    it("is for people only: an API key reads (promise 16)", async () => {
      const payout = await draft(anna)
      const script = await apiKey(store, anna)
      for (const [path, body] of [
        ["payouts", { card_id: CARDS[0], amount: newAmount() }],
        [`payouts/${payout.id}`, { note: "From a script" }],
        [`payouts/${payout.id}/send`, {}],
        [`payouts/${payout.id}/approve`, {}],
        [`payouts/${payout.id}/mark`, { sent: true, note: "yes" }],
        ["payouts/stop", { stopped: true }],
      ] as const) {
        expect(await script.post(path, body)).toMatchObject({
          status: 400,
          data: { code: "not_signed_in", message: expect.any(String) },
        })
      }
      expect((await script.delete(`payouts/${payout.id}`)).data.code).toBe("not_signed_in")
      expect((await script.get("payouts")).data.payouts).toMatchObject([{ actions: [] }])
      expect((await anna.delete(`payouts/${payout.id}`)).data.payout.state).toBe("discarded")
      expect((await send(anna, payout)).data.code).toBe("discarded")
      expect(requests()).toEqual([])
    })

    it("goes only to an active card, and is whole rubles within the service's limits", async () => {
      const amount = newAmount()
      const make = (body: object) => anna.post("payouts", { amount, ...body })
      expect((await make({ card_id: CARDS[2] })).data.code).toBe("card_not_active")
      expect((await make({ card_id: CARDS[3] })).data.code).toBe("card_not_active")
      const unknown = "c0a8e5d2-3f41-4b6c-9e07-000000000099"
      expect((await make({ card_id: unknown })).data.code).toBe("card_gone")
      for (const wrong of [999, 87_501, 1_500.5, -1]) {
        expect((await make({ card_id: CARDS[0], amount: wrong })).data.code).toBe("amount_range")
      }
      expect((await make({ card_id: CARDS[0], amount: "many" })).status).toBe(400)
      // The dashboard asks about a second one, not the server, to which a script may confirm it all the same.
      expect((await make({ card_id: CARDS[0] })).status).toBe(200)
      const confirmed = { confirm_similar: true }
      const second = await make({ card_id: CARDS[0], ...confirmed })
      expect(second.status).toBe(200)
      expect((await send(anna, second.data.payout, confirmed)).data.payout.state).toBe("created")
      expect(ledger()).toHaveLength(1)
    })

    describeUnknown(store, () => ({ anna, ledger, requests }))
    describeAttacks(store, () => ({ anna, ledger }))
    describeTypedNumbers(store, () => ({
      anna,
      ledger,
      requests,
      waitingShortly,
      signingSecret: SIGNING_SECRET,
    }))
    describeApproval(store, () => ({ anna, ledger }))
    describeLimits(store, () => ({ anna, ledger }))
    describeLists(store, () => ({ anna }))
  }
)
