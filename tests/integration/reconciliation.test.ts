import { randomUUID } from "node:crypto"

import type { IEventBusModuleService, IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { cancelOrderWorkflow } from "@medusajs/medusa/core-flows"

import { comparisonViews } from "../../src/api/admin/payment-service/comparisons/route"
import type { TransactionRow } from "../../src/modules/payment-service"
import type { SimulatedTransaction } from "../../simulator"
import { reconcile } from "../../src/reconciliation/reconcile"
import { adminOf } from "./admin"
import { diesAt } from "./at-labelled-points"
import { stopWatcher, withoutWatcher } from "./passes"
import { act, saying } from "./problems-of"
import { severalAccounts } from "./reconciliation/accounts"
import { goneInMedusa } from "./reconciliation/gone-in-medusa"
import { reconcileNow } from "./reconcile-now"
import {
  expectPaidOrder,
  findOrder,
  ordersOf,
  paidUnheard,
  payUntilSettled,
  rowOf,
  Shopper,
} from "./shopper"
import { describeStore, eventually, type TestStore } from "./store"
import { setUntilTheTestEnds } from "./until-the-test-ends"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const HANDLED = { resolution: "handled" as const, by: "user_1", note: "asked the service" }
const FOREIGN = { payload: "Canary-Payload", description: "Canary-Description" }

describeStore("reconciliation", {}, (store) => {
  const shopper = new Shopper(store)
  const admin = adminOf(store)

  it("settles what was paid there with every callback lost and no watcher (promise 3)", async () => {
    await stopWatcher(store)
    const payment = await paidUnheard(store, shopper)
    const run = await reconcileNow(store)
    expect(run).toMatchObject({ records: 1, matched: 1, differences: 1, settled: 1, error: null })
    expect(run.finished_at).not.toBeNull()
    const order = await expectPaidOrder(store, payment.cartId)
    const row = await rowOf(store, payment)
    expect(row).toMatchObject({ state: "paid", order_id: order.id })
    expect(row.settled_at).not.toBeNull()
    expect(await problems(store)).toEqual([])

    store.simulator.clearRequests()
    expect(await reconcileNow(store)).toMatchObject({ matched: 1, differences: 0, error: null })
    expect(store.simulator.requests({ on: "get" })).toEqual([])
  })

  it("finds a payment whose creation had no reply, binds nothing that does not answer with our reference, and places its order (promise 3)", async () => {
    await stopWatcher(store)
    const { row, stray } = await lostCreation(store)
    expect(await reconcileNow(store)).toMatchObject({ matched: 1, differences: 0 })
    await store.simulator.pay(stray.id, { callback: false })
    answerExport(store, [{ ...stray, status: "CONFIRMED" }])
    store.simulator.edit(stray.id, { payload: "another one" })
    expect(await reconcileNow(store)).toMatchObject({ differences: 1, settled: 0, error: null })
    expect(await store.module.retrieveTransaction(row.id)).toMatchObject({
      state: "unknown",
      transaction_id: null,
    })
    expect(await problems(store)).toMatchObject([
      { kind: "payment_not_here", transaction_row_id: row.id, amount: String(stray.amount) },
    ])
    store.simulator.edit(stray.id, { payload: row.id })
    expect(await reconcileNow(store)).toMatchObject({ differences: 1, settled: 1 })
    expect(await problems(store, "payment_not_here")).toMatchObject([{ resolution: "settled" }])
    expect(await store.module.retrieveTransaction(row.id)).toMatchObject({
      transaction_id: stray.id,
      state: "paid",
      exception: null,
    })
    await expectPaidOrder(store, row.cart_id ?? "")
    expect(await reconcileNow(store)).toMatchObject({ differences: 0 })
  })

  it("tells once of payments that are not of this store, with the first hundred ids, and without keeping their data (promise 13)", async () => {
    await shopper.checkout()
    const foreign: string[] = []
    const payOthers = async (count: number) => {
      for (let number = 0; number < count; number++) {
        const { id } = store.simulator.addTransaction({ amount: 10.1, ...FOREIGN })
        await store.simulator.pay(id, { callback: false })
        foreign.push(id)
      }
    }
    await payOthers(101)
    store.simulator.addTransaction({ amount: 7, ...FOREIGN })
    expect(await reconcileNow(store)).toMatchObject({ records: 103, matched: 1, differences: 0 })
    await reconcileNow(store)
    const [problem, ...others] = await problems(store)
    expect(others).toEqual([])
    expect(problem).toMatchObject({ kind: "payment_not_here", amount: null, closed_at: null })
    expect(problem?.message).toContain("101 payments of ₽1,020.10")
    // The one that is not paid has another status.
    expect(problem?.facts).toMatchObject({
      statuses: ["CONFIRMED"],
      count: 101,
      records: foreign.slice(0, 100),
    })

    expect((await act(admin, problem!, "handle", { note: "The other shop" })).status).toBe(200)
    await payOthers(2)
    await reconcileNow(store)
    expect(await problems(store)).toMatchObject([{ id: problem?.id, resolution: "handled" }])
    const events = await store.module.listEvents({}, { take: null })
    const said = JSON.stringify([store.log, await problems(store), events])
    expect(said).not.toContain("Canary")
  })

  it("tells of each payment with a reference like ours that no row has, until it is no longer paid (promise 13)", async () => {
    const { sessionId } = await shopper.checkout()
    const unknown = `pstx_${(await rowOf(store, { sessionId })).id.slice(5).split("").reverse().join("")}`
    const lost = store.simulator.addTransaction({ amount: 1500, payload: unknown })
    await store.simulator.pay(lost.id, { callback: false })
    expect(await reconcileNow(store)).toMatchObject({ differences: 1, settled: 0 })
    expect(await problems(store)).toMatchObject([
      {
        kind: "payment_not_here",
        cause: `record:${store.simulator.merchantId}:${lost.id}`,
        amount: "1500",
        currency: "RUB",
        closed_at: null,
      },
    ])
    await store.simulator.reverse(lost.id, { callback: false })
    await reconcileNow(store)
    expect(await problems(store)).toMatchObject([{ resolution: "settled" }])
  })

  it("tells of ten payments with references that no row has, and of all others in one problem", async () => {
    await shopper.checkout()
    const payAsAnotherShop = async (from: number, to: number) => {
      for (let number = from; number < to; number++) {
        const payload = `pstx_01AN0THERSH0P${String(number).padStart(13, "0")}`
        const { id } = store.simulator.addTransaction({ amount: 10.5, payload })
        await store.simulator.pay(id, { callback: false })
      }
    }
    const open = async () => await store.module.listProblems({ closed_at: null }, { take: null })
    const inOne = async () => {
      const causes = `records:${store.simulator.merchantId}@%`
      const [found] = await store.module.listProblems({ cause: { $like: causes } })
      return found ? saying(found).message : null
    }
    await payAsAnotherShop(0, 50)
    expect(await reconcileNow(store)).toMatchObject({ records: 51, differences: 10, error: null })
    expect(await open()).toHaveLength(11)
    expect(await inOne()).toContain("40 payments of ₽420.00")

    // However many more there are the next day, and in whatever order they are listed.
    await payAsAnotherShop(50, 60)
    await reconcileNow(store)
    expect(await open()).toHaveLength(11)
    expect(await inOne()).toContain("50 payments of ₽525.00")
    for (const { id } of store.simulator.transactions()) {
      store.simulator.edit(id, { createdAt: 0 })
    }
    await payAsAnotherShop(60, 65)
    expect(await reconcileNow(store)).toMatchObject({ records: 5, differences: 0 })
    expect(await open()).toHaveLength(11)
    expect(await inOne()).toContain("5 payments of ₽52.50")
  })

  it("asks alone for what the list has not, and tells only of what is not proven then (promise 13)", async () => {
    const [proven, gone, unpaid] = await paidLongAgo(store, shopper, 3)
    for (const { transaction_id } of [proven, gone, unpaid]) {
      store.simulator.edit(transaction_id ?? "", { createdAt: 0 })
    }
    await store.simulator.setStatus(unpaid.transaction_id ?? "", "PENDING", { callback: false })
    const unknown = { on: "get", kind: "status", status: 404, times: Infinity } as const
    store.simulator.fault({ ...unknown, transactionId: gone.transaction_id ?? "" })
    const run = await reconcileNow(store)
    expect(run).toMatchObject({ records: 0, differences: 3, settled: 2, error: null })
    const found = await problems(store)
    expect(found.map(({ kind }) => kind)).toEqual(["payment_not_there", "payment_not_there"])
    expect(found.map(({ transaction_row_id }) => transaction_row_id).sort()).toEqual(
      [gone.id, unpaid.id].sort()
    )

    // A problem that a person closed stays closed, and one whose payment is confirmed again closes by itself.
    const handled = found.find(({ transaction_row_id }) => transaction_row_id === gone.id)
    await store.module.problems.closeByPerson(handled?.id ?? "", HANDLED)
    store.simulator.edit(unpaid.transaction_id ?? "", {
      createdAt: store.simulator.now(),
      status: "CONFIRMED",
    })
    await reconcileNow(store)
    const after = await problems(store)
    expect(after.map(({ resolution }) => resolution).sort()).toEqual(["handled", "settled"])
  })

  it("finds what is missing, and what is not ours, in a list of which one record cannot be read", async () => {
    const [odd, gone] = await paidLongAgo(store, shopper, 2)
    store.simulator.edit(gone.transaction_id ?? "", { createdAt: 0 })
    const unknown = { on: "get", kind: "status", status: 404, times: Infinity } as const
    store.simulator.fault({ ...unknown, transactionId: gone.transaction_id ?? "" })
    const foreign = store.simulator.addTransaction({ amount: 5, ...FOREIGN })
    await store.simulator.pay(foreign.id, { callback: false })
    const { id } = store.simulator.addTransaction({ amount: 1, ...FOREIGN })
    store.simulator.edit(id, { currency: "" })
    const run = await reconcileNow(store)
    expect(run.error).toMatch(/^1 of the list's records could not be read: .*currencyCode/)
    expect(run.reasons).toMatchObject([{ code: "records_unreadable" }])
    const { comparisons } = await comparisonViews(store.module, { limit: 1, offset: 0 })
    expect(comparisons).toMatchObject([{ state: "records_unreadable" }])
    const found = await problems(store)
    expect(found.map(({ kind }) => kind).sort()).toEqual(["payment_not_here", "payment_not_there"])
    expect(found.map(({ transaction_row_id }) => transaction_row_id)).toContain(gone.id)
    expect(found.map(({ transaction_row_id }) => transaction_row_id)).not.toContain(odd.id)
  })

  it("opens with each difference that a person has to look at: both sides, a sentence, its problem (promise 13)", async () => {
    const opened = async () => {
      const { id } = await reconcileNow(store)
      const { status, data } = await admin.get(`/admin/payment-service/comparisons/${id}`)
      expect({ status, data }).toMatchObject({ status: 200, data: { comparison: { id } } })
      return data as { count: number; differences: { kind: string; problem_id: string }[] }
    }
    const [gone, kept] = await paidLongAgo(store, shopper, 2)
    store.simulator.edit(gone.transaction_id ?? "", { createdAt: 0 })
    const unknown = { on: "get", kind: "status", status: 404, times: Infinity } as const
    store.simulator.fault({ ...unknown, transactionId: gone.transaction_id ?? "" })
    const foreign = store.simulator.addTransaction({ amount: 5, ...FOREIGN })
    await store.simulator.pay(foreign.id, { callback: false })
    await withoutWatcher(store, async () => {
      const other = await shopper.checkout()
      store.simulator.edit(other.data.transaction_id, { amount: 2_000 })
      await store.simulator.pay(other.data.transaction_id, { callback: false })
      const { count, differences } = await opened()
      expect(count).toBe(3)
      const of = (kind: string) => differences.find((one) => one.kind === kind)
      const said = {
        problem_id: expect.stringMatching(/^psprob_/),
        messages: { en: expect.any(String), ru: expect.any(String) },
        closed_at: null,
      }
      const { id: rowId } = await rowOf(store, other)
      expect(of("amount_differs")).toMatchObject({
        ...said,
        service: {
          id: other.data.transaction_id,
          status: "CONFIRMED",
          sums: [{ amount: "2000", currency: "RUB" }],
        },
        shop: {
          row_id: rowId,
          standing: "waiting_for_person",
          sums: [{ amount: "2290.00", currency: "RUB" }],
        },
      })
      expect(of("payment_not_here")).toMatchObject({
        ...said,
        service: { id: null, status: "CONFIRMED", sums: [{ amount: "5", currency: "RUB" }] },
        shop: null,
      })
      expect(of("payment_not_there")).toMatchObject({
        ...said,
        service: null,
        shop: { row_id: gone.id, sums: [{ amount: "2290", currency: "RUB" }] },
        order_id: gone.order_id,
        order_number: expect.any(Number),
      })
      expect(JSON.stringify(differences)).not.toContain(kept.id)
      // The next one finds neither what a person took care of nor what both sides say of the other sum.
      const { problem_id: handled = "" } = of("payment_not_there") ?? {}
      await store.module.problems.closeByPerson(handled, HANDLED)
      const after = await opened()
      expect(after.differences.map(({ kind }) => kind)).toEqual(["payment_not_here"])
    })
  })

  it("does not miss what is too young to be listed, nor believe a list that is older than the payment", async () => {
    const unlisted = await shopper.checkout()
    const listed = await shopper.checkout()
    for (const payment of [unlisted, listed]) await payUntilSettled(store, payment)
    const pending = store.simulator.transaction(listed.data.transaction_id)
    answerExport(store, [{ ...pending, status: "PENDING" }])
    expect(await reconcileNow(store)).toMatchObject({ matched: 1, differences: 0, error: null })
  })

  it("believes the single answer, whatever the list says about money (promise 1)", async () => {
    const [sum, status] = await paidLongAgo(store, shopper, 2)
    await stopWatcher(store)
    const { data, sessionId } = await shopper.checkout()
    const listed = (id: string | null) => store.simulator.transaction(id ?? "")
    answerExport(store, [
      { ...listed(sum.transaction_id), amount: 1 },
      { ...listed(status.transaction_id), status: "CANCELED" },
      { ...listed(data.transaction_id), status: "CONFIRMED" },
    ])
    expect(await reconcileNow(store)).toMatchObject({ differences: 3, settled: 3, error: null })
    for (const { id, read_amount } of [sum, status]) {
      const row = await store.module.retrieveTransaction(id)
      expect(row).toMatchObject({ state: "paid", exception: null, read_amount })
    }
    const pending = await rowOf(store, { sessionId })
    expect(pending).toMatchObject({ state: "pending", paid_at: null })
    expect(await problems(store)).toEqual([])

    // The two may differ for an hour; after that a person is told, until the service confirms it (promise 13).
    const opened_at = new Date(Date.now() - 2 * 3_600_000)
    await store.module.updateTransactions({ id: pending.id, opened_at })
    answerExport(store, [{ ...listed(data.transaction_id), status: "CONFIRMED" }])
    await reconcileNow(store)
    expect(await problems(store)).toMatchObject([
      {
        kind: "payment_not_here",
        facts: { found: "listed_only" },
        transaction_row_id: pending.id,
        closed_at: null,
      },
    ])
    await store.simulator.pay(data.transaction_id, { callback: false })
    await reconcileNow(store)
    const [told] = await problems(store)
    expect(told?.closed_at).not.toBeNull()
  })

  it("finds that a payment was reversed long after anybody looked at it", async () => {
    const [row] = await paidLongAgo(store, shopper, 1)
    expect(row.watch_at).toBeNull()
    await store.simulator.reverse(row.transaction_id ?? "", { callback: false })
    expect(await reconcileNow(store)).toMatchObject({ differences: 1, settled: 1 })
    expect(await store.module.retrieveTransaction(row.id)).toMatchObject({
      state: "paid",
      exception: "reversed",
    })
    expect(await problems(store)).toMatchObject([{ kind: "reversed", closed_at: null }])
    expect(await reconcileNow(store)).toMatchObject({ differences: 0 })
  })

  it("goes by our reference where the record's id is not the transaction's", async () => {
    await stopWatcher(store)
    store.simulator.configure({ recordIds: "own" })
    const payment = await paidUnheard(store, shopper)
    expect(await reconcileNow(store)).toMatchObject({ matched: 1, settled: 1, error: null })
    await expectPaidOrder(store, payment.cartId)
    expect(await problems(store)).toEqual([])
  })

  it("tells of two paid records of one payment, in whatever order they come", async () => {
    const [row] = await paidLongAgo(store, shopper, 1)
    const own = store.simulator.transaction(row.transaction_id ?? "")
    const second = { ...own, id: randomUUID() }
    for (const list of [
      [own, second],
      [second, own],
    ]) {
      answerExport(store, list)
      expect(await reconcileNow(store)).toMatchObject({ records: list.length, error: null })
      const open = (await problems(store)).filter(({ closed_at }) => !closed_at)
      expect(open).toContainEqual(
        expect.objectContaining({
          kind: "payment_not_here",
          transaction_row_id: row.id,
          facts: expect.objectContaining({ found: "second_payment" }),
        })
      )
    }
  })

  it("keeps what was compared when the list is cut off, misses nothing by it, and tries again", async () => {
    const [missing] = await paidLongAgo(store, shopper, 1)
    store.simulator.edit(missing.transaction_id ?? "", { createdAt: 0 })
    await stopWatcher(store)
    const payment = await paidUnheard(store, shopper)
    for (let record = 0; record < 300; record++) {
      store.simulator.addTransaction({ amount: 1, ...FOREIGN })
    }
    store.simulator.fault({ kind: "truncate", on: "export", times: Infinity })
    const run = await reconcileNow(store)
    expect(run.error).not.toBeNull()
    expect(run.finished_at).not.toBeNull()
    expect(run.records).toBeGreaterThan(0)
    expect(await problems(store)).toEqual([])
    expect(await ordersOf(store, payment.cartId)).toHaveLength(1)

    store.simulator.clearFaults()
    store.simulator.clearRequests()
    await reconcile(store.container)
    expect(store.simulator.requests({ on: "export" })).toEqual([])
    // The hours pass by what is written down.
    const ended = new Date(Number(run.finished_at) - 3 * HOUR)
    await store.module.updateReconciliationRuns({ id: run.id, finished_at: ended })
    await reconcile(store.container)
    const again = await lastRun(store)
    expect(again).toMatchObject({ records: 301, error: null })
  })

  it("tells of what the list has as paid and the service answers with 500 alone, until it can be read", async () => {
    await paidLongAgo(store, shopper, 1)
    await stopWatcher(store)
    const payment = await paidUnheard(store, shopper)
    const transactionId = payment.data.transaction_id
    store.simulator.fault({ on: "get", kind: "status", status: 500, transactionId, times: 99 })
    const run = await reconcileNow(store)
    expect(run).toMatchObject({ differences: 1, settled: 0 })
    expect(run.error).toContain("1 differences could not be looked at")
    expect(await problems(store)).toMatchObject([
      { kind: "service_unreachable", transaction_id: transactionId, closed_at: null },
    ])
    store.simulator.clearFaults()
    expect(await reconcileNow(store)).toMatchObject({ settled: 1, error: null })
    await expectPaidOrder(store, payment.cartId)
    expect(await problems(store)).toMatchObject([{ resolution: "settled" }])
  })

  it("tells of what was opened at an address that is dead, once it is listed as paid (promise 26)", async () => {
    await stopWatcher(store)
    const { id } = await rowOf(store, await paidUnheard(store, shopper))
    await store.module.updateTransactions({ id, base_url: "http://127.0.0.1:9" })
    expect(await reconcileNow(store)).toMatchObject({ settled: 0, error: null })
    expect(await problems(store)).toMatchObject([
      { kind: "service_unreachable", transaction_row_id: id, closed_at: null },
    ])
  })

  it("takes an id that an admin enters where the record's id is not the transaction's, if the service confirms it", async () => {
    await stopWatcher(store)
    const { row, stray } = await lostCreation(store)
    const other = store.simulator.addTransaction({ amount: 5 })
    const identify = async (id: string) =>
      await admin.post(`/admin/payment-service/transactions/${row.id}/identify`, {
        transaction_id: id,
      })
    const settle = `/admin/payment-service/transactions/${row.id}/settle`
    expect((await admin.post(settle)).data).toMatchObject({ code: "id_unknown" })
    await store.simulator.pay(stray.id, { callback: false })
    store.simulator.configure({ recordIds: "own" })
    expect(await reconcileNow(store)).toMatchObject({ differences: 1, settled: 0 })
    const [missing] = await problems(store, "payment_not_here")
    expect(missing).toMatchObject({ transaction_row_id: row.id, closed_at: null })
    expect(missing?.message).toContain("Enter the transaction's ID")

    for (const id of [other.id, randomUUID(), "7", ""]) {
      expect((await identify(id)).status).toBe(400)
    }
    expect(await store.module.retrieveTransaction(row.id)).toMatchObject({
      state: "unknown",
      transaction_id: null,
    })
    // The settle's own read fails; what was entered holds, and a repetition goes on.
    store.simulator.fault({ on: "get", kind: "status", status: 500, skip: 1, times: Infinity })
    expect((await identify(stray.id)).data).toMatchObject({
      transaction: { transaction_id: stray.id, state: "pending" },
    })
    store.simulator.clearFaults()
    // JSON may write the same sum otherwise.
    store.simulator.edit(stray.id, { amount: Number(row.amount) + 0.0000000000005 })
    const answers = await Promise.all([identify(stray.id), identify(stray.id.toUpperCase())])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await identify(other.id)).data).toMatchObject({ code: "id_known" })
    expect(await store.module.retrieveTransaction(row.id)).toMatchObject({
      state: "paid",
      exception: null,
    })
    await expectPaidOrder(store, row.cart_id ?? "")
    expect(await reconcileNow(store)).toMatchObject({ differences: 0 })
    expect(await problems(store)).toMatchObject([
      { kind: "payment_not_here", resolution: "settled" },
    ])
  })

  it("looks for what became of a creation whose process was killed", async () => {
    const clock = store.module.clock
    await stopWatcher(store)
    const { row, stray } = await lostCreation(store)
    const opened = (ago: number) => ({
      id: row.id,
      state: "creating" as const,
      opened_at: new Date(clock.now().getTime() - ago),
    })
    await store.module.updateTransactions(opened(9 * 60_000))
    await store.module.openings.giveUpUnanswered()
    const early = await admin.post(`/admin/payment-service/transactions/${row.id}/identify`, {
      transaction_id: stray.id,
    })
    expect(early.data).toMatchObject({ code: "being_opened" })
    expect(await store.module.retrieveTransaction(row.id)).toMatchObject({ state: "creating" })
    await store.module.updateTransactions(opened(11 * 60_000))
    await store.module.openings.giveUpUnanswered()
    expect(await store.module.retrieveTransaction(row.id)).toMatchObject({ state: "unknown" })
    await store.simulator.pay(stray.id, { callback: false })
    expect(await reconcileNow(store)).toMatchObject({ settled: 1 })
  })

  it("is not kept from a lost payment by others that cannot be read, comparison after comparison (promise 13)", async () => {
    const [template] = await paidLongAgo(store, shopper, 1)
    await stopWatcher(store)
    const rows = await likeRows(store, template, 15)
    for (const { transaction_id } of rows) {
      const transactionId = transaction_id ?? ""
      await store.simulator.pay(transactionId, { callback: false })
      store.simulator.fault({ on: "get", kind: "status", status: 500, transactionId, times: 99 })
    }
    for (let comparison = 0; comparison < 3; comparison++) await reconcileNow(store)
    const told = await problems(store, "service_unreachable")
    expect(told.map(({ transaction_row_id }) => transaction_row_id).sort()).toEqual(
      rows.map(({ id }) => id).sort()
    )
  })

  it("tells that none has succeeded for two days, until one does (promise 13)", async () => {
    await payUntilSettled(store, await shopper.checkout())
    store.simulator.fault({ on: "export", kind: "body", body: "no list", times: Infinity })
    const day = async (number: number) => {
      const { clock } = store.module
      setUntilTheTestEnds(store.module, {
        clock: { now: () => new Date(clock.now().getTime() + number * DAY) },
      })
      await reconcile(store.container)
    }
    await day(0)
    await day(1)
    expect(await problems(store)).toEqual([])
    await day(1)
    expect((await problems(store)).map(saying)).toMatchObject([
      {
        kind: "service_unreachable",
        message: expect.stringMatching(/No daily comparison .* has come to its end since/),
        closed_at: null,
      },
    ])
    store.simulator.clearFaults()
    await day(1)
    expect(await problems(store)).toMatchObject([{ resolution: "settled" }])
  })

  it("asks once a day of UTC, for the last 35 days, in one place at a time, and never a fresh store's service", async () => {
    const now = new Date("2031-05-06T14:20:00.000Z")
    const exports = () => store.simulator.requests({ on: "export" })
    await reconcile(store.container)
    expect(exports()).toEqual([])

    await shopper.checkout()
    await atClock(store, now, async () => {
      await Promise.all([reconcile(store.container), reconcile(store.container)])
      await reconcile(store.container)
    })
    expect(exports()).toHaveLength(1)
    expect(JSON.parse(exports()[0]?.body ?? "")).toEqual({
      statuses: [],
      paymentMethods: [],
      from: "2031-04-01T14:20:00.000Z",
      to: "2031-05-06T14:20:00.000Z",
      timeZoneId: "UTC",
    })
    await atClock(store, new Date("2031-05-06T23:59:00.000Z"), () => reconcile(store.container))
    expect(exports()).toHaveLength(1)
    await atClock(store, new Date("2031-05-07T00:20:00.000Z"), () => reconcile(store.container))
    expect(exports()).toHaveLength(2)
    expect(await store.module.listReconciliationRuns()).toHaveLength(2)
  })

  it.each(["reconciliation:bound", "apply:order placed"] as const)(
    "comes to the same end when it was interrupted at %s (promise 11)",
    async (point) => {
      await stopWatcher(store)
      const { row, stray } = await lostCreation(store)
      const payment = await shopper.checkout()
      for (const id of [stray.id, payment.data.transaction_id]) {
        await store.simulator.pay(id, { callback: false })
      }
      const interrupted = await diesAt(point, () => reconcileNow(store))
      expect(interrupted.finished_at).not.toBeNull()
      expect(await reconcileNow(store)).toMatchObject({ records: 2, matched: 2, error: null })
      await expectPaidOrder(store, payment.cartId)
      expect(await rowOf(store, payment)).toMatchObject({ exception: null })
      expect(await store.module.retrieveTransaction(row.id)).toMatchObject({
        transaction_id: stray.id,
        state: "paid",
        exception: null,
      })
      await expectPaidOrder(store, row.cart_id ?? "")
      expect(await problems(store)).toEqual([])
    }
  )

  describe("Medusa's payments", () => {
    it("must have a transaction that the service confirms (promise 13)", async () => {
      const [unpaid, rowless] = await paidLongAgo(store, shopper, 2)
      await store.module.updateTransactions([
        { id: unpaid.id, state: "pending", settled_at: null, paid_at: null },
      ])
      await store.simulator.setStatus(unpaid.transaction_id ?? "", "PENDING", { callback: false })
      await store.module.deleteTransactions(rowless.id)
      store.simulator.edit(rowless.transaction_id ?? "", { createdAt: 0, status: "PENDING" })
      const payments = store.container.resolve<IPaymentModuleService>(Modules.PAYMENT)
      const all = await payments.listPayments({}, { select: ["id", "data", "amount"] })
      const paymentOf = (row: TransactionRow) =>
        all.find(({ data }) => data?.transaction_id === row.transaction_id)

      const run = await reconcileNow(store)
      expect(run.error).toBeNull()
      const found = await problems(store)
      const kinds = new Map(found.map(({ cause, kind }) => [cause, kind]))
      expect(kinds.get(`payment:${paymentOf(unpaid)?.id}`)).toBe("payment_not_there")
      expect(kinds.get(`payment:${paymentOf(rowless)?.id}`)).toBe("payment_not_there")

      await store.simulator.pay(unpaid.transaction_id ?? "", { callback: false })
      await reconcileNow(store)
      const closed = (await problems(store)).filter(({ closed_at }) => closed_at)
      expect(closed).toMatchObject([{ cause: `payment:${paymentOf(unpaid)?.id}` }])
      expect(await store.module.retrieveTransaction(unpaid.id)).toMatchObject({ state: "paid" })
    })

    it("of a canceled order are to be paid back (promise 9)", async () => {
      const [row] = await paidLongAgo(store, shopper, 1)
      await cancelUnheard(store, row.order_id ?? "")
      await reconcileNow(store)
      const [problem] = await problems(store)
      expect(problem).toMatchObject({
        kind: "refund_due",
        cause: `refund:${row.order_id}`,
        order_id: row.order_id,
        currency: "RUB",
        closed_at: null,
      })
      expect(Number(problem?.amount)).toBe(Number(row.amount))
      await eventually("the order shows the money as held", async () => {
        const order = await findOrder(store, row.order_id ?? "")
        return order.transactions.length === 1
      })
      const answer = await act(admin, problem!, "handle", { note: "paid back in cash" })
      expect(answer.status).toBe(200)
      await reconcileNow(store)
      expect(await problems(store)).toMatchObject([{ resolution: "handled" }])
    })
  })

  describe("a payment that Medusa had taken and has no more", () => {
    goneInMedusa(store)
  })

  describe("several accounts", () => {
    severalAccounts(store)
  })
})

async function problems(store: TestStore, kind?: string) {
  const found = await store.module.listProblems(kind ? { kind } : {}, {
    order: { opened_at: "ASC" },
  })
  return found.map(saying)
}

async function atClock(store: TestStore, now: Date, work: () => Promise<unknown>): Promise<void> {
  const clock = store.module.clock
  store.module.clock = { now: () => now }
  try {
    await work()
  } finally {
    store.module.clock = clock
  }
}

async function lastRun({ module }: TestStore) {
  const [merchant] = (await module.accounts()).merchantAccounts()
  return await module.reconciliation.lastRun(merchant!)
}

/** Orders that were paid, settled and forgotten two days ago. */
async function paidLongAgo(store: TestStore, shopper: Shopper, count: 1 | 2 | 3) {
  const then = new Date(Date.now() - 2 * DAY)
  const rows: TransactionRow[] = []
  for (let number = 0; number < count; number++) {
    const { id } = await payUntilSettled(store, await shopper.checkout())
    await store.module.updateTransactions({ id, opened_at: then, paid_at: then, watch_at: null })
    rows.push(await store.module.retrieveTransaction(id))
  }
  return rows as [TransactionRow, TransactionRow, TransactionRow]
}

/** The service made a transaction, and its reply was lost. */
async function lostCreation(store: TestStore) {
  const shopper = new Shopper(store)
  const cart = await shopper.cart()
  store.simulator.fault({ on: "create", kind: "drop_after" })
  const refused = await shopper.choose(await shopper.collection(cart.id), "sbp")
  expect(refused.status).toBe(500)
  const [row] = await store.module.listTransactions({ cart_id: cart.id })
  const stray = store.simulator.transactions().at(-1)
  if (!row || !stray) throw new Error("Nothing was opened")
  expect(row).toMatchObject({ state: "unknown", transaction_id: null })
  return { row, stray }
}

/** The next export has these records. */
function answerExport(store: TestStore, transactions: SimulatedTransaction[]): void {
  store.simulator.fault({
    on: "export",
    kind: "body",
    body: transactions.map(({ id, amount, currency, status, payload }) => ({
      recordId: id,
      createdAt: "2026-01-01 00:00:00",
      amount,
      currencyCode: currency,
      status,
      paymentMethod: "SBPQR",
      description: "",
      payload,
    })),
  })
}

/** The bus lost the event, as one in memory does when the process ends. */
async function cancelUnheard(store: TestStore, orderId: string): Promise<void> {
  const bus = store.container.resolve<IEventBusModuleService>(Modules.EVENT_BUS)
  const deaf = jest.spyOn(bus, "emit").mockResolvedValue()
  try {
    await cancelOrderWorkflow(store.container).run({ input: { order_id: orderId } })
  } finally {
    deaf.mockRestore()
  }
}

/** Open payments with rows like this one, which the service lists. */
async function likeRows(store: TestStore, template: TransactionRow, count: number) {
  const rows = Array.from({ length: count }, (): Partial<TransactionRow> => {
    const { id } = store.simulator.addTransaction({ amount: 10, ...FOREIGN })
    return {
      ...template,
      id: undefined,
      transaction_id: id,
      amount: "10.00",
      state: "pending",
      status: "PENDING",
      watch_at: null,
    }
  })
  const created = await store.module.createTransactions(rows as object[])
  for (const { id, transaction_id } of created) {
    store.simulator.edit(transaction_id ?? "", { payload: id })
  }
  return created
}
