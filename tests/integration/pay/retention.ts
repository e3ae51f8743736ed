import forgetOld from "../../../src/jobs/forget-old"
import type { TransactionRow } from "../../../src/modules/payment-service"
import erasePayer from "../../../src/scripts/erase-payer"
import { addRows } from "../add-rows"
import { logIn } from "../admin"
import { withoutWatcher } from "../passes"
import { upgrades } from "./upgrades"
import { registeredShopper, Shopper } from "../shopper"
import { eventually, settledRow, type TestStore, withOptions } from "../store"

const DAY = 86_400_000
const YEAR = 366 * DAY

/** The plugin keeps only this of payments, and only for so long. */
export function whatIsKept(store: TestStore): void {
  const ago = (ms: number) => new Date(store.module.clock.now().getTime() - ms)
  /** A payment that was paid and taken then, and is over. */
  const paid = (ageMs: number, more: Partial<TransactionRow> = {}) => ({
    opened_at: ago(ageMs),
    expires_at: ago(ageMs),
    paid_at: ago(ageMs),
    settled_at: ago(ageMs),
    read_at: ago(ageMs),
    state: "paid" as const,
    published_state: "paid" as const,
    watch_at: null,
    ...more,
  })
  const problem = (more: object) => ({
    kind: "refund_due",
    cause: JSON.stringify(more),
    facts: { row: "pstx_1", order: "order_1", due: { amount: "1", currency: "RUB" }, requests: [] },
    opened_at: ago(7 * YEAR),
    last_seen_at: ago(7 * YEAR),
    ...more,
  })
  const payout = (id: string, more: object) => ({
    id,
    account: "main",
    base_url: store.simulator.url,
    merchant_id: store.simulator.merchantId,
    amount: 1500,
    idempotency_key: id,
    limit_day: "2020-01-01",
    made_by: "user_1",
    made_by_name: "Anna",
    made_at: ago(7 * YEAR),
    state: "created" as const,
    ...more,
  })
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort()
  const payments = async () => idsOf(await store.module.listTransactions({}, { take: null }))

  describe("of money", () => {
    // The watcher would tell what is not told yet.
    it("is what is younger than five years, and whatever has something open or due (promise 3)", () =>
      withoutWatcher(store, async () => {
        const kept = {
          young: paid(4 * YEAR, { order_id: "order_young" }),
          of_young_order: paid(6 * YEAR, { order_id: "order_young" }),
          read_lately: paid(6 * YEAR, { read_at: ago(DAY) }),
          watched: paid(6 * YEAR, { settled_at: null, watch_at: ago(DAY) }),
          not_taken: paid(6 * YEAR, { settled_at: null }),
          not_told: paid(6 * YEAR, { published_state: "pending" }),
          being_completed: paid(6 * YEAR, {
            completion: { id: "c", at: "2020" } as unknown as TransactionRow["completion"],
          }),
          wrong: paid(6 * YEAR, { exception: "amount_less", exception_at: ago(6 * YEAR) }),
          with_problem: paid(6 * YEAR),
          of_order_with_problem: paid(6 * YEAR, { order_id: "order_problem" }),
          with_payout: paid(6 * YEAR),
          with_proof: paid(6 * YEAR),
          of_order_with_payout: paid(6 * YEAR, { order_id: "order_payout" }),
        }
        const gone = {
          old: paid(6 * YEAR, { order_id: "order_over" }),
          handled: paid(6 * YEAR, {
            settled_at: null,
            exception: "amount_less",
            exception_at: ago(6 * YEAR),
            handled_at: ago(6 * YEAR),
            published_state: "pending",
          }),
          never_paid: paid(6 * YEAR, {
            state: "expired",
            published_state: "expired",
            paid_at: null,
          }),
        }
        const all = Object.entries({ ...kept, ...gone })
        await addRows(
          store,
          all.map(([id, row]) => ({ id, ...row }))
        )
        await store.module.createProblems([
          problem({ transaction_row_id: "with_problem" }),
          problem({ order_id: "order_problem" }),
          problem({ id: "over", transaction_row_id: "old", closed_at: ago(6 * YEAR) }),
          problem({ id: "young", closed_at: ago(4 * YEAR) }),
          problem({ id: "of_kept", transaction_row_id: "young", closed_at: ago(6 * YEAR) }),
        ])
        await store.module.createPayouts([
          payout("payout_old", { transaction_row_id: "old", order_id: "order_over" }),
          payout("payout_unknown", { transaction_row_id: "with_payout", state: "unknown" }),
          payout("payout_draft", { order_id: "order_payout", state: "draft" }),
          payout("payout_of_kept", { transaction_row_id: "young" }),
          payout("payout_of_problem", { order_id: "order_problem" }),
          payout("payout_young", { marked_at: ago(YEAR), state: "marked_sent" }),
        ])
        await store.module.createPayoutEntries(
          ["payout_old", "payout_young"].map((id) => ({
            payout_id: id,
            at: ago(6 * YEAR),
            kind: "made",
            facts: {},
          }))
        )
        const line = { kind: "outside" as const, amount: "1", currency: "RUB", at: ago(6 * YEAR) }
        await store.module.createLedgerEntries([
          { id: "line_old", ...line, transaction_row_id: "old" },
          { id: "line_of_kept", ...line, transaction_row_id: "young" },
          { id: "line_to_book", ...line, transaction_row_id: "with_proof", to_book_at: ago(YEAR) },
          { id: "line_of_order", ...line, order_id: "order_problem" },
          { id: "line_of_payout", ...line, payout_id: "payout_young" },
        ])
        const file = { by: "user_1", source: "store" as const, format: "csv" as const, rows: 1 }
        await store.module.createExportRecords(
          [4, 6].map((years) => ({
            ...file,
            id: `export_${years}`,
            outcome: "complete" as const,
            at: ago(years * YEAR),
          }))
        )
        const journal = async () => {
          const entries = await store.module.listJournalEntries({}, { take: null })
          return [...new Set(entries.map(({ transaction_row_id }) => transaction_row_id))].sort()
        }
        expect(await journal()).toEqual(all.map(([id]) => id).sort())

        await forgetOld(store.container)
        expect(await payments()).toEqual(Object.keys(kept).sort())
        expect(await journal()).toEqual(Object.keys(kept).sort())
        const closed = await store.module.listProblems({ closed_at: { $ne: null } })
        expect(idsOf(closed)).toEqual(["of_kept", "young"])
        expect(idsOf(await store.module.listPayouts({}))).toEqual([
          ...["payout_draft", "payout_of_kept", "payout_of_problem"],
          ...["payout_unknown", "payout_young"],
        ])
        const entries = await store.module.listPayoutEntries({})
        expect(entries.map(({ payout_id }) => payout_id)).toEqual(["payout_young"])
        expect(idsOf(await store.module.listLedgerEntries({}))).toEqual([
          ...["line_of_kept", "line_of_order", "line_of_payout", "line_to_book"],
        ])
        expect(idsOf(await store.module.listExportRecords({}))).toEqual(["export_4"])
      }))
  })

  describe("of traces", () => {
    it("are addresses and look-ups of 90 days (promise 22)", async () => {
      const addresses = { address: "192.0.2.1", forwarded_address: "203.0.113.7" }
      const entry = { payout_id: "pspo_1", kind: "made", facts: {}, ...addresses }
      await store.module.createPayoutEntries(
        [89, 91].map((days) => ({ ...entry, id: `entry_${days}`, at: ago(days * DAY) }))
      )
      const found = { found_at: ago(YEAR) }
      await store.module.createSubscriptionLookups([
        { id: "known_89", ...found, named_at: ago(89 * DAY) },
        { id: "known_91", ...found, named_at: ago(91 * DAY) },
        { id: "due_91", ...found, named_at: ago(91 * DAY), due_at: ago(DAY) },
      ])
      await forgetOld(store.container)
      const entries = await store.module.listPayoutEntries({}, { order: { id: "ASC" } })
      expect(entries).toMatchObject([
        { id: "entry_89", ...addresses },
        { id: "entry_91", address: null, forwarded_address: null },
      ])
      expect(idsOf(await store.module.listSubscriptionLookups({}))).toEqual(["due_91", "known_89"])
    })

    it("are comparisons of 90 days, and the last of each merchant", async () => {
      const run = (id: string, days: number, merchant_id: string) => ({
        ...{ id, merchant_id, base_url: "https://pay.test" },
        ...{ from: ago(YEAR), to: ago(YEAR), started_at: ago(days * DAY), problems: null },
      })
      const [young, last] = [run("run_89", 89, "merchant"), run("run_last", 200, "another")]
      await store.module.createReconciliationRuns([run("run_91", 91, "merchant"), young, last])
      await forgetOld(store.container)
      const left = await store.module.listReconciliationRuns({})
      expect(idsOf(left)).toEqual(["run_89", "run_last"])
    })
  })

  it("of callbacks, and of what was told, is 30 days, and longer what is to be told (promise 12)", async () => {
    await store.module.createCallbacks(
      [29, 31].map((days) => ({
        transaction_ids: [`of ${days}`] as unknown as Record<string, unknown>,
        received_at: ago(days * DAY),
      }))
    )
    const event = (name: string, days: number, send_at: Date | null = null) => ({
      ...{ name, data: {}, written_at: ago(days * DAY), send_at },
    })
    await store.module.createEvents([
      event("sent 29", 29),
      event("sent 31", 31),
      event("waiting 31", 31, ago(-DAY)),
    ])
    await forgetOld(store.container)
    const kept = await store.module.listCallbacks({})
    expect(kept.map(({ transaction_ids }) => transaction_ids)).toEqual([["of 29"]])
    const told = await store.module.listEvents({})
    expect(told.map(({ name }) => name).sort()).toEqual(["sent 29", "waiting 31"])
  })

  describe("with other times", () => {
    withOptions(store, () => ({ retention: { years: 10, days: 7 } }))

    it("is what the option says", async () => {
      await addRows(store, [
        { id: "nine", ...paid(9 * YEAR) },
        { id: "eleven", ...paid(11 * YEAR) },
      ])
      await store.module.createPayoutEntries([
        { payout_id: "pspo_1", kind: "made", facts: {}, address: "192.0.2.1", at: ago(8 * DAY) },
      ])
      await forgetOld(store.container)
      expect(await payments()).toEqual(["nine"])
      const [entry] = await store.module.listPayoutEntries({})
      expect(entry?.address).toBeNull()
    })
  })

  describe("of a payer (promise 22)", () => {
    const whoPaid = async (id: string) => {
      const { customer_id, payer_id } = await store.module.retrieveTransaction(id)
      return { customer_id, payer_id }
    }
    const NOBODY = { customer_id: null, payer_id: null }
    const pay = async (shopper: Shopper, email?: string) => {
      const open = await shopper.checkout("sbp", email ? { email } : {})
      await store.simulator.pay(open.data.transaction_id)
      return await settledRow(store, open.sessionId)
    }

    it("whom Medusa has deleted is nothing in final payments, and in others once they are final", async () => {
      const { shopper, customerId } = await registeredShopper(store, "anna@shopper.test")
      const settled = await pay(shopper)
      const open = await shopper.checkout("sbp", { email: "anna@shopper.test" })
      const other = await pay(new Shopper(store))
      const waiting = await store.module.findBySession(open.sessionId)
      const theirs = { customer_id: customerId, payer_id: customerId }
      expect(await whoPaid(settled.id)).toEqual(theirs)
      const [closed] = await store.module.createProblems([
        problem({
          transaction_row_id: settled.id,
          customer_id: customerId,
          closed_at: ago(YEAR),
        }),
      ])

      const admin = await logIn(store)
      expect((await admin.delete(`/admin/customers/${customerId}`)).status).toBe(200)
      await eventually("the customer is erased", async () => {
        return (await whoPaid(settled.id)).customer_id === null
      })
      expect(await whoPaid(settled.id)).toEqual(NOBODY)
      expect((await store.module.retrieveProblem(closed!.id)).customer_id).toBeNull()
      expect(await whoPaid(waiting!.id)).toEqual(theirs)
      expect((await whoPaid(other.id)).payer_id).toMatch(/^guest_/)
      // The facts that the books need are still there.
      const { data } = await admin.get(`/admin/payment-service/transactions/${settled.id}`)
      expect(data.transaction).toMatchObject({ order_id: settled.order_id, amount: settled.amount })

      await forgetOld(store.container)
      expect(await whoPaid(waiting!.id)).toEqual(theirs)
      await store.module.updateTransactions({
        id: waiting!.id,
        state: "expired",
        published_state: "expired",
        watch_at: null,
      })
      await forgetOld(store.container)
      expect(await whoPaid(waiting!.id)).toEqual(NOBODY)
    })

    it("is erased by the command, which says of how many payments, and what is left", async () => {
      const [erased, kept] = [
        await pay(new Shopper(store), "boris@shopper.test"),
        await pay(new Shopper(store), "other@shopper.test"),
      ]
      const open = await new Shopper(store).checkout("sbp", { email: "boris@shopper.test" })
      const waiting = await store.module.findBySession(open.sessionId)
      // A customer's own digest is of no use where the customer is known by an id alone.
      const customer_id = erased.customer_id
      const [byCustomer] = await addRows(store, [paid(DAY, { customer_id, payer_id: "another" })])
      const event = (customer_email: string) => ({
        name: "payment_service.subscription_updated",
        data: { subscription: { customer_email } },
        written_at: ago(DAY),
        send_at: null,
      })
      await store.module.createEvents([event("Boris@shopper.test"), event("other@shopper.test")])

      const command = (...args: string[]) => erasePayer({ container: store.container, args })
      await command(" BORIS@shopper.test ")
      expect(store.log.join("\n")).toContain(
        "payments that no longer name this payer: 2; that still do, because something about them is open or due: 1. Run"
      )
      expect(await whoPaid(erased.id)).toEqual(NOBODY)
      expect(await whoPaid(byCustomer!.id)).toEqual(NOBODY)
      expect((await whoPaid(waiting!.id)).payer_id).toMatch(/^guest_/)
      expect((await whoPaid(kept.id)).payer_id).toMatch(/^guest_/)
      const told = await store.module.listEvents({ name: "payment_service.subscription_updated" })
      expect(told.map(({ data }) => data.subscription)).toEqual([
        { customer_email: "other@shopper.test" },
      ])
      expect(store.log.join("\n").toLowerCase()).not.toContain("boris@shopper.test")

      // A guest's digest can be compared only with the key that made it.
      const withKey = async <T>(work: () => Promise<T>) => {
        process.env.PAYMENT_SERVICE_ENCRYPTION_KEY = "k".repeat(32)
        return await work().finally(() => {
          delete process.env.PAYMENT_SERVICE_ENCRYPTION_KEY
        })
      }
      const [payer_id = ""] = await withKey(() => store.module.guestPayerIds("boris@shopper.test"))
      const [byKey] = await addRows(store, [paid(DAY, { payer_id })])
      await command("boris@shopper.test")
      expect((await whoPaid(byKey!.id)).payer_id).toBe(payer_id)
      await withKey(() => command("boris@shopper.test"))
      expect(await whoPaid(byKey!.id)).toEqual(NOBODY)

      for (const wrong of [[], ["boris"], ["a@b.test", "c@d.test"]]) {
        await expect(command(...wrong)).rejects.toThrow("Give the e-mail address of the payer")
      }
    })
  })

  describe("over an upgrade", () => {
    upgrades(store)
  })
}
