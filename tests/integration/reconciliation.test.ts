import { randomUUID } from "node:crypto"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

import type { IEventBusModuleService, IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { cancelOrderWorkflow } from "@medusajs/medusa/core-flows"

import { comparisonViews } from "../../src/api/admin/payment-service/comparisons/comparison-view"
import type { TransactionRow } from "../../src/modules/payment-service"
import type { Fault, SimulatedTransaction } from "../../simulator"
import { subjectOf } from "../../src/problems/statements/problems"
import { toDecimalText } from "../../src/values/amount"
import { problem } from "../../src/problems/rules/problems"
import { reconcile } from "../../src/reconciliation/reconcile"
import { adminOf } from "./admin"
import { atLabelledPoints } from "./at-labelled-points"
import { stopWatcher, withoutWatcher } from "./passes"
import { act, saying } from "./problems-of"
import { severalAccounts } from "./reconciliation/accounts"
import { goneInMedusa } from "./reconciliation/gone-in-medusa"
import { reconcileNow } from "./reconcile-now"
import { expectPaidOrder, findOrder, ordersOf, payUntilSettled, Shopper } from "./shopper"
import { describeStore, eventually, type TestStore } from "./store"
import { setUntilTheTestEnds } from "./until-the-test-ends"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const FOREIGN = { payload: "Canary-Payload", description: "Canary-Description" }

describeStore("reconciliation", {}, (store) => {
  const shopper = new Shopper(store)
  const admin = adminOf(store)

  beforeEach(() => forgetRecords(store))

  it("settles what was paid there with every callback lost and no watcher (promise 3)", async () => {
    await stopWatcher(store)
    const payment = await shopper.checkout()
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    const run = await reconcileNow(store)
    expect(run).toMatchObject({ records: 1, matched: 1, differences: 1, settled: 1, error: null })
    expect(run.finished_at).not.toBeNull()
    const order = await expectPaidOrder(store, payment.cartId)
    const row = await rowOf(store, payment.sessionId)
    expect(row).toMatchObject({ state: "paid", order_id: order.id })
    expect(row.settled_at).not.toBeNull()
    expect(await problems(store)).toEqual([])

    store.simulator.clearRequests()
    expect(await reconcileNow(store)).toMatchObject({ matched: 1, differences: 0, error: null })
    expect(store.simulator.requests({ on: "get" })).toEqual([])
  })

  it("finds a payment whose creation had no reply, and places its order", async () => {
    await stopWatcher(store)
    const { row, stray } = await lostCreation(store)
    await store.simulator.pay(stray.id, { callback: false })
    expect(await reconcileNow(store)).toMatchObject({ differences: 1, settled: 1, error: null })
    expect(await store.module.retrieveTransaction(row.id)).toMatchObject({
      transaction_id: stray.id,
      state: "paid",
      exception: null,
    })
    await expectPaidOrder(store, row.cart_id ?? "")
    expect(await reconcileNow(store)).toMatchObject({ differences: 0 })
    expect(await problems(store)).toEqual([])
  })

  it("binds nothing that does not answer with our reference, and leaves an unpaid creation alone", async () => {
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
  })

  it("tells once of payments that are not of this store, without keeping their data (promise 13)", async () => {
    await shopper.checkout()
    for (const amount of [100.1, 200.2]) {
      const { id } = store.simulator.addTransaction({ amount, ...FOREIGN })
      await store.simulator.pay(id, { callback: false })
    }
    store.simulator.addTransaction({ amount: 7, ...FOREIGN })
    expect(await reconcileNow(store)).toMatchObject({ records: 4, matched: 1, differences: 0 })
    await reconcileNow(store)
    const [problem, ...others] = await problems(store)
    expect(others).toEqual([])
    expect(problem).toMatchObject({ kind: "payment_not_here", amount: null, closed_at: null })
    expect(problem?.message).toContain("2 payments of 300.30 RUB")
    // The one that is not paid has another status.
    expect(problem?.facts).toMatchObject({ statuses: ["CONFIRMED"] })

    await store.module.problems.closeByPerson(problem?.id ?? "", {
      resolution: "handled",
      by: "user_1",
      note: "our other shop",
    })
    const { id } = store.simulator.addTransaction({ amount: 5, ...FOREIGN })
    await store.simulator.pay(id, { callback: false })
    await reconcileNow(store)
    expect(await problems(store)).toHaveLength(1)
    const events = await store.module.listEvents({}, { take: null })
    const said = JSON.stringify([store.log, await problems(store), events])
    expect(said).not.toContain("Canary")
  })

  it("leaves payments that are not of this store to a person, whatever later lists have", async () => {
    const { data } = await shopper.checkout()
    const paid = {
      ...store.simulator.transaction(data.transaction_id),
      payload: "",
      status: "CONFIRMED",
    }
    const foreign = Array.from({ length: 101 }, () => ({ ...paid, id: randomUUID() }))
    answerExport(store, foreign)
    await reconcileNow(store)
    for (const list of [[], foreign.map((one) => ({ ...one, status: "CANCELED" }))]) {
      answerExport(store, list)
      expect(await reconcileNow(store)).toMatchObject({ error: null })
      expect(await problems(store)).toMatchObject([{ facts: { count: 101 }, closed_at: null }])
    }
    const [{ facts } = { facts: {} }] = await problems(store)
    expect((facts as { records: string[] }).records).toHaveLength(100)
  })

  it("tells of each payment with a reference like ours that no row has, until it is no longer paid (promise 13)", async () => {
    const { sessionId } = await shopper.checkout()
    const unknown = `pstx_${(await rowOf(store, sessionId)).id.slice(5).split("").reverse().join("")}`
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
    expect(await inOne()).toContain("40 payments of 420 RUB")

    // However many more there are the next day, and in whatever order they are listed.
    await payAsAnotherShop(50, 60)
    await reconcileNow(store)
    expect(await open()).toHaveLength(11)
    expect(await inOne()).toContain("50 payments of 525 RUB")
    forgetRecords(store)
    await payAsAnotherShop(60, 65)
    expect(await reconcileNow(store)).toMatchObject({ records: 5, differences: 0 })
    expect(await open()).toHaveLength(11)
    expect(await inOne()).toContain("5 payments of 52.50 RUB")
  })

  it("tells of one with our reference beside a hundred payments of other software (promise 13)", async () => {
    await shopper.checkout()
    const pay = async (payload?: string) => {
      const { id } = store.simulator.addTransaction({ amount: 10.5, ...(payload && { payload }) })
      await store.simulator.pay(id, { callback: false })
    }
    for (let number = 0; number < 100; number++) await pay()
    await reconcileNow(store)
    const [all] = await store.module.listProblems({ kind: "payment_not_here" })
    expect(all).toMatchObject({ facts: { count: 100 } })
    await store.module.problems.closeByPerson(all!.id, {
      resolution: "handled",
      by: "user_1",
      note: "our other software",
    })
    const payload = "pstx_01AN0THERSH0PAAAAAAAAAAAAA"
    await pay(payload)
    await reconcileNow(store)
    expect(await store.module.listProblems({ closed_at: null })).toMatchObject([
      { facts: { found: "unknown_reference", reference: payload } },
    ])
  })

  it("tells singly of ten open ones: those that a person closed take no place, and stay closed", async () => {
    await shopper.checkout()
    const payload = (number: number) => `pstx_01AN0THERSH0P${String(number).padStart(13, "A")}`
    const pay = async (number: number) => {
      const { id } = store.simulator.addTransaction({ amount: 10.5, payload: payload(number) })
      await store.simulator.pay(id, { callback: false })
    }
    const handle = async () => {
      for (const { id } of await store.module.listProblems({ closed_at: null })) {
        await store.module.problems.closeByPerson(id, {
          resolution: "handled",
          by: "user_1",
          note: "our other shop",
        })
      }
    }
    const open = async () =>
      (await store.module.listProblems({ closed_at: null })).map(({ facts }) => facts.reference)
    for (let number = 0; number < 10; number++) await pay(number)
    await reconcileNow(store)
    expect(await open()).toHaveLength(10)
    await handle()
    await reconcileNow(store)
    expect(await open()).toEqual([])
    for (let number = 10; number < 20; number++) {
      await pay(number)
      await reconcileNow(store)
      expect(await open()).toContain(payload(number))
    }
    // The next is one of many.
    await pay(20)
    await reconcileNow(store)
    const inOne = await store.module.listProblems({ cause: { $like: "records:%" } })
    expect(inOne).toMatchObject([{ facts: { count: 1 }, closed_at: null }])
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
    const closed = { resolution: "handled" as const, by: "user_1", note: "asked the service" }
    await store.module.problems.closeByPerson(handled?.id ?? "", closed)
    store.simulator.edit(unpaid.transaction_id ?? "", {
      createdAt: store.simulator.now(),
      status: "CONFIRMED",
    })
    await reconcileNow(store)
    const after = await problems(store)
    expect(after.map(({ resolution }) => resolution).sort()).toEqual(["handled", "settled"])

    // It opens again when the service says something else, and once.
    const openAgain = async () =>
      (await problems(store)).filter((one) => one.cause === handled?.cause && !one.closed_at)
    store.simulator.clearFaults()
    await store.simulator.setStatus(gone.transaction_id ?? "", "PENDING", { callback: false })
    await reconcileNow(store)
    const [again] = await openAgain()
    expect(again).toMatchObject({ facts: { found: "unconfirmed", status: "PENDING" } })
    await store.module.problems.closeByPerson(again?.id ?? "", closed)
    await reconcileNow(store)
    expect(await openAgain()).toEqual([])
  })

  it("finds what is missing, and what is not ours, in a list of which one record cannot be read", async () => {
    const [odd, gone] = await paidLongAgo(store, new Shopper(store), 2)
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
    const [gone, kept] = await paidLongAgo(store, new Shopper(store), 2)
    store.simulator.edit(gone.transaction_id ?? "", { createdAt: 0 })
    const unknown = { on: "get", kind: "status", status: 404, times: Infinity } as const
    store.simulator.fault({ ...unknown, transactionId: gone.transaction_id ?? "" })
    const foreign = store.simulator.addTransaction({ amount: 5, ...FOREIGN })
    await store.simulator.pay(foreign.id, { callback: false })
    await withoutWatcher(store, async () => {
      const other = await new Shopper(store).checkout()
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
      const { id: rowId } = await rowOf(store, other.sessionId)
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
      await store.module.problems.closeByPerson(of("payment_not_there")?.problem_id ?? "", {
        resolution: "handled",
        by: "user_1",
        note: "asked the service",
      })
      const after = await opened()
      expect(after.differences.map(({ kind }) => kind)).toEqual(["payment_not_here"])
    })
  })

  it("does not miss what is too young to be listed, nor believe a list that is older than the payment", async () => {
    const unlisted = await shopper.checkout()
    const listed = await shopper.checkout()
    for (const { data, sessionId } of [unlisted, listed]) {
      await payUntilSettled(store, { data, sessionId })
    }
    const pending = store.simulator.transaction(listed.data.transaction_id)
    answerExport(store, [{ ...pending, status: "PENDING" }])
    expect(await reconcileNow(store)).toMatchObject({ matched: 1, differences: 0, error: null })
  })

  it("believes the single answer, whatever the list says about money (promise 1)", async () => {
    const [sum, status] = await paidLongAgo(store, new Shopper(store), 2)
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
    const pending = await rowOf(store, sessionId)
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
    const [row] = await paidLongAgo(store, new Shopper(store), 1)
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
    const payment = await shopper.checkout()
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    expect(await reconcileNow(store)).toMatchObject({ matched: 1, settled: 1, error: null })
    await expectPaidOrder(store, payment.cartId)
    expect(await problems(store)).toEqual([])

    const { row, stray } = await lostCreation(store)
    await store.simulator.pay(stray.id, { callback: false })
    await reconcileNow(store)
    expect(await store.module.retrieveTransaction(row.id)).toMatchObject({ state: "unknown" })
    expect(await problems(store)).toMatchObject([
      { kind: "payment_not_here", transaction_row_id: row.id },
    ])
  })

  it("tells of two paid records of one payment, in whatever order they come", async () => {
    const [row] = await paidLongAgo(store, new Shopper(store), 1)
    const own = store.simulator.transaction(row.transaction_id ?? "")
    const second = { ...own, id: randomUUID() }
    const others = Array.from({ length: 250 }, () => ({ ...own, id: randomUUID(), payload: "" }))
    // Together, and far apart.
    for (const list of [
      [own, second],
      [second, own],
      [second, ...others, own],
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

  it("tells nothing of a record that came twice", async () => {
    const [row] = await paidLongAgo(store, new Shopper(store), 1)
    const own = store.simulator.transaction(row.transaction_id ?? "")
    // In whatever case its id is written.
    answerExport(store, [own, { ...own, id: own.id.toUpperCase() }])
    expect(await reconcileNow(store)).toMatchObject({ records: 2, error: null })
    expect(await problems(store)).toEqual([])
  })

  it("goes by the record's id, in any case, where the list has no reference", async () => {
    await stopWatcher(store)
    const payment = await shopper.checkout()
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    const record = store.simulator.transaction(payment.data.transaction_id)
    answerExport(store, [{ ...record, id: record.id.toUpperCase(), payload: "" }])
    expect(await reconcileNow(store)).toMatchObject({ matched: 1, settled: 1, error: null })
    await expectPaidOrder(store, payment.cartId)
  })

  it.each([
    ["is cut off", { kind: "truncate" }],
    ["breaks off", { kind: "cut" }],
    ["answers 503", { kind: "status", status: 503 }],
  ] as const)(
    "when the export %s: keeps what was compared, misses nothing by it, and tries again",
    async (_, fault) => {
      const [missing] = await paidLongAgo(store, new Shopper(store), 1)
      store.simulator.edit(missing.transaction_id ?? "", { createdAt: 0 })
      await stopWatcher(store)
      const payment = await shopper.checkout()
      await store.simulator.pay(payment.data.transaction_id, { callback: false })
      for (let record = 0; record < 300; record++) {
        store.simulator.addTransaction({ amount: 1, ...FOREIGN })
      }
      store.simulator.fault({ ...fault, on: "export", times: Infinity })
      const run = await reconcileNow(store)
      expect(run.error).not.toBeNull()
      expect(run.finished_at).not.toBeNull()
      expect(await problems(store)).toEqual([])
      const placed = await ordersOf(store, payment.cartId)
      if (fault.kind === "truncate") {
        expect(placed).toHaveLength(1)
        expect(run.records).toBeGreaterThan(0)
      } else if (fault.kind !== "cut") {
        // A connection that ends may take along what it had brought before.
        expect(placed).toEqual([])
      }

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
      expect(await ordersOf(store, payment.cartId)).toHaveLength(1)
    }
  )

  it("leaves what could not be asked for as it is, and asks again later", async () => {
    const [row] = await paidLongAgo(store, new Shopper(store), 1)
    store.simulator.edit(row.transaction_id ?? "", { createdAt: 0 })
    store.simulator.fault({ on: "get", kind: "status", status: 500, times: Infinity })
    const run = await reconcileNow(store)
    expect(run).toMatchObject({ differences: 1, settled: 0 })
    expect(run.error).toContain("1 differences could not be looked at")
    expect(await problems(store)).toMatchObject([
      { kind: "service_unreachable", transaction_row_id: row.id, closed_at: null },
    ])
    store.simulator.clearFaults()
    expect(await reconcileNow(store)).toMatchObject({ settled: 1, error: null })
    expect(await problems(store)).toMatchObject([{ resolution: "settled" }])
  })

  it.each<[string, Pick<Fault, "kind" | "status">]>([
    ["500", { kind: "status", status: 500 }],
    ["400", { kind: "status", status: 400 }],
  ])(
    "tells of what the list has as paid and the service answers with %s alone, until it can be read",
    async (_, fault) => {
      await paidLongAgo(store, new Shopper(store), 1)
      await stopWatcher(store)
      const { cartId, data, sessionId } = await shopper.checkout()
      await store.simulator.pay(data.transaction_id, { callback: false })
      const transactionId = data.transaction_id
      store.simulator.fault({ ...fault, on: "get", transactionId, times: Infinity })
      const row = await rowOf(store, sessionId)
      const run = await reconcileNow(store)
      expect(run).toMatchObject({ differences: 1, settled: 0 })
      expect(run.error).toContain("1 differences could not be looked at")
      const [problem, ...others] = await problems(store)
      expect(others).toEqual([])
      expect(problem).toMatchObject({
        kind: "service_unreachable",
        cause: `unread:${row.id}`,
        transaction_row_id: row.id,
        closed_at: null,
      })
      expect(problem?.message).toContain("cannot be read there")

      store.simulator.clearFaults()
      expect(await reconcileNow(store)).toMatchObject({ settled: 1, error: null })
      await expectPaidOrder(store, cartId)
      expect(await problems(store)).toMatchObject([{ resolution: "settled" }])
    }
  )

  it("leaves closed what a person took care of because it cannot be read", async () => {
    await paidLongAgo(store, new Shopper(store), 1)
    await stopWatcher(store)
    const { data } = await shopper.checkout()
    const transactionId = data.transaction_id
    await store.simulator.pay(transactionId, { callback: false })
    store.simulator.fault({ on: "get", kind: "status", status: 500, transactionId, times: 99 })
    await reconcileNow(store)
    const [problem] = await problems(store)
    const closed = { resolution: "handled" as const, by: "user_1", note: "asked the service" }
    await store.module.problems.closeByPerson(problem?.id ?? "", closed)
    for (let days = 0; days < 3; days++) await reconcileNow(store)
    expect(await problems(store)).toMatchObject([{ resolution: "handled" }])
  })

  it("tells of what was opened at an address that is dead, once it is listed as paid (promise 26)", async () => {
    await stopWatcher(store)
    const { data, sessionId } = await shopper.checkout()
    await store.simulator.pay(data.transaction_id, { callback: false })
    const { id } = await rowOf(store, sessionId)
    await store.module.updateTransactions({ id, base_url: "http://127.0.0.1:9" })
    expect(await reconcileNow(store)).toMatchObject({ settled: 0, error: null })
    expect(await problems(store)).toMatchObject([
      { kind: "service_unreachable", transaction_row_id: id, closed_at: null },
    ])
  })

  it("tells of a paid creation without a reply that cannot be read by the record's id", async () => {
    await paidLongAgo(store, new Shopper(store), 1)
    await stopWatcher(store)
    const { row, stray } = await lostCreation(store)
    await store.simulator.pay(stray.id, { callback: false })
    store.simulator.fault({
      on: "get",
      kind: "status",
      status: 500,
      transactionId: stray.id,
      times: Infinity,
    })
    expect((await reconcileNow(store)).error).toContain("1 differences could not be looked at")
    expect(await problems(store)).toMatchObject([
      { kind: "payment_not_here", transaction_row_id: row.id, closed_at: null },
    ])
    store.simulator.clearFaults()
    expect(await reconcileNow(store)).toMatchObject({ settled: 1, error: null })
    expect(await problems(store, "payment_not_here")).toMatchObject([{ resolution: "settled" }])
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
    // The reply to the creation, or its failure, comes to a process that stood still until now.
    const identified = await store.module.retrieveTransaction(row.id)
    const late = {
      transactionId: stray.id,
      status: "PENDING",
      redirect: "https://late.test",
      usdtRate: null,
      expiresInSeconds: 60,
      merchantId: null,
      paymentMethod: null,
    }
    const kept = await store.module.openings.recordCreated(row, late)
    expect(kept).toMatchObject({ state: "paid", redirect: identified.redirect })
    await store.module.openings.recordFailed(row.id, "unknown", null)
    expect(await store.module.retrieveTransaction(row.id)).toEqual(identified)
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

  it("leaves alone what a person took care of, whoever enters its id later", async () => {
    await stopWatcher(store)
    const { row, stray } = await lostCreation(store)
    await store.simulator.pay(stray.id, { callback: false })
    store.simulator.configure({ recordIds: "own" })
    await reconcileNow(store)
    const [missing] = await problems(store, "payment_not_here")
    const said = { note: "Paid back by bank" }
    expect((await act(admin, missing!, "handle", said)).status).toBe(200)
    const identified = await admin.post(`/admin/payment-service/transactions/${row.id}/identify`, {
      transaction_id: stray.id,
    })
    expect(identified.data).toMatchObject({ verdict: { kind: "taken_care_of" } })
    await reconcileNow(store)
    expect(await problems(store)).toMatchObject([{ resolution: "handled" }])
    expect(await ordersOf(store, row.cart_id ?? "")).toEqual([])

    // Another sum than that person saw is asked about.
    store.simulator.edit(stray.id, { amount: 7 })
    await admin.post(`/admin/payment-service/transactions/${row.id}/settle`)
    expect(await problems(store, "changed_since_handled")).toMatchObject([{ closed_at: null }])
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

  it("asks no further where the service answers for none of ten in a row", async () => {
    const [template] = await paidLongAgo(store, new Shopper(store), 1)
    await stopWatcher(store)
    const rows = await likeRows(store, template, 30)
    for (const { transaction_id } of rows) {
      await store.simulator.pay(transaction_id ?? "", { callback: false })
    }
    store.simulator.fault({ on: "get", kind: "status", status: 500, times: Infinity })
    const run = await reconcileNow(store)
    expect(run).toMatchObject({ differences: 30, settled: 0 })
    expect(run.error).toMatch(/differences could not be looked at, and others were not tried/)
    expect((await problems(store, "service_unreachable")).length).toBeLessThan(20)
  })

  it("is not kept from a lost payment by others that cannot be read, comparison after comparison (promise 13)", async () => {
    const [template] = await paidLongAgo(store, new Shopper(store), 1)
    await stopWatcher(store)
    const rows = await likeRows(store, template, 30)
    for (const { transaction_id } of rows) {
      const transactionId = transaction_id ?? ""
      await store.simulator.pay(transactionId, { callback: false })
      store.simulator.fault({ on: "get", kind: "status", status: 500, transactionId, times: 99 })
    }
    for (let comparison = 0; comparison < 4; comparison++) await reconcileNow(store)
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

  it("tells of money on our side that the service's single answer is silent about", async () => {
    const [unlisted, held] = await paidLongAgo(store, new Shopper(store), 3)
    store.simulator.edit(unlisted.transaction_id ?? "", { createdAt: 0 })
    await store.simulator.setStatus(held.transaction_id ?? "", "PENDING", { callback: false })
    await store.module.updateTransactions({
      id: held.id,
      state: "pending",
      settled_at: null,
      paid_at: null,
    })
    for (const { transaction_id } of [unlisted, held]) {
      const transactionId = transaction_id ?? ""
      store.simulator.fault({ on: "get", kind: "status", status: 500, transactionId, times: 99 })
    }
    expect(await reconcileNow(store)).toMatchObject({ differences: 2, settled: 0 })
    expect(await problems(store, "service_unreachable")).toMatchObject([
      { transaction_row_id: unlisted.id },
    ])
    expect(await problems(store, "payment_not_there")).toMatchObject([
      { transaction_row_id: held.id },
    ])
  })

  it("takes more than a thousand records in its stride", async () => {
    const [template] = await paidLongAgo(store, new Shopper(store), 1)
    await likeRows(store, template, 650)
    for (let number = 0; number < 650; number++) {
      store.simulator.addTransaction({ amount: 10, ...FOREIGN })
    }
    store.simulator.clearRequests()
    const run = await reconcileNow(store)
    expect(run).toMatchObject({ records: 1_301, matched: 651, differences: 0, error: null })
    expect(store.simulator.requests({ on: "get" })).toEqual([])
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

  it("begins again when its process died", async () => {
    await shopper.checkout()
    const span = { from: new Date("2031-05-01T00:00:00Z"), to: new Date("2031-05-06T12:00:00Z") }
    const [place] = (await store.module.accounts()).merchantAccounts()
    await atClock(store, span.to, () => store.module.reconciliation.begin(place!, span))
    await atClock(store, new Date("2031-05-06T12:01:00Z"), () => reconcile(store.container))
    const run = await lastRun(store)
    expect(run).toMatchObject({ error: null })
    expect(run?.finished_at).not.toBeNull()
  })

  it.each(["reconciliation:listed", "reconciliation:bound", "read:recorded", "apply:order placed"])(
    "comes to the same end when it was interrupted at %s",
    async (point) => {
      await stopWatcher(store)
      const { row, stray } = await lostCreation(store)
      const payment = await shopper.checkout()
      for (const id of [stray.id, payment.data.transaction_id]) {
        await store.simulator.pay(id, { callback: false })
      }
      const interrupted = await interruptedAt(point, () => reconcileNow(store))
      expect(interrupted.finished_at).not.toBeNull()
      expect(await reconcileNow(store)).toMatchObject({ records: 2, matched: 2, error: null })
      await expectPaidOrder(store, payment.cartId)
      expect(await rowOf(store, payment.sessionId)).toMatchObject({ exception: null })
      expect(await store.module.retrieveTransaction(row.id)).toMatchObject({
        transaction_id: stray.id,
        state: "paid",
        exception: null,
      })
      await expectPaidOrder(store, row.cart_id ?? "")
      expect(await problems(store)).toEqual([])
    }
  )

  it("tells that its credentials are refused, until they are good again (promise 10)", async () => {
    await shopper.checkout()
    store.simulator.fault({ on: "export", kind: "status", status: 401 })
    expect((await reconcileNow(store)).error).not.toBeNull()
    expect(await problems(store)).toMatchObject([{ kind: "credentials_refused", closed_at: null }])
    expect((await reconcileNow(store)).error).toBeNull()
    expect(await problems(store)).toMatchObject([{ resolution: "settled" }])
  })

  it.each([401, 403, 404])(
    "takes the %i of a file's host for no refusal of the credentials",
    async (status) => {
      const payment = await shopper.checkout()
      await payUntilSettled(store, payment)
      const asked: IncomingHttpHeaders[] = []
      const files = createServer(({ headers }, response) => {
        asked.push(headers)
        response.writeHead(status).end()
      })
      await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve))
      try {
        const { port } = files.address() as AddressInfo
        const body = `http://127.0.0.1:${port}/canary-file.json`
        store.simulator.fault({ on: "export", kind: "body", body })
        const run = await reconcileNow(store)
        expect(run.error).toContain(`refused the file (${status})`)
        expect(run.error).not.toContain("canary")
        expect(await problems(store)).toEqual([])
        expect(asked).toHaveLength(1)
        expect(Object.keys(asked[0] ?? {})).not.toEqual(expect.arrayContaining(["x-secret"]))
        expect(JSON.stringify(asked)).not.toContain(store.simulator.secret)
      } finally {
        files.close()
      }
      expect((await reconcileNow(store)).error).toBeNull()
    }
  )

  describe("Medusa's payments", () => {
    it("must have a transaction that the service confirms (promise 13)", async () => {
      const [unpaid, rowless] = await paidLongAgo(store, new Shopper(store), 2)
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
      const [row] = await paidLongAgo(store, new Shopper(store), 1)
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

    it("of a canceled order are to be paid back whatever was closed before it was canceled", async () => {
      const [row] = await paidLongAgo(store, new Shopper(store), 1)
      const due = { amount: row.amount, currency: row.currency }
      await store.module.problems.report(
        problem("refund_due", { row: row.id, order: row.order_id ?? "", due, requests: [] }),
        { ...subjectOf(row), amount: toDecimalText(row.amount) }
      )
      const [before] = await problems(store)
      const closed = { resolution: "refunded_outside" as const, by: "user_1", note: "half of it" }
      await store.module.problems.closeByPerson(before?.id ?? "", closed)
      await cancelUnheard(store, row.order_id ?? "")
      expect((await findOrder(store, row.order_id ?? "")).transactions).toHaveLength(2)
      await reconcileNow(store)
      expect((await findOrder(store, row.order_id ?? "")).transactions).toHaveLength(1)
      expect(await problems(store)).toMatchObject([
        { resolution: "refunded_outside" },
        {
          kind: "refund_due",
          cause: `refund:${row.order_id}`,
          amount: before?.amount,
          closed_at: null,
        },
      ])
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

/** The simulator keeps its transactions from test to test; nobody asks for what is this old. */
function forgetRecords(store: TestStore): void {
  for (const { id } of store.simulator.transactions()) {
    store.simulator.edit(id, { createdAt: 0 })
  }
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

/** Runs `work`, which fails each time that it comes to a labelled point. */
async function interruptedAt<T>(point: string, work: () => Promise<T>): Promise<T> {
  const takeAway = atLabelledPoints((reached) => {
    if (reached === point) throw new Error(`Interrupted at ${point}`)
  })
  try {
    return await work()
  } finally {
    takeAway()
  }
}

async function lastRun({ module }: TestStore) {
  const [merchant] = (await module.accounts()).merchantAccounts()
  return await module.reconciliation.lastRun(merchant!)
}

async function rowOf(store: TestStore, sessionId: string): Promise<TransactionRow> {
  const row = await store.module.findBySession(sessionId)
  if (!row) throw new Error(`Session ${sessionId} has no row`)
  return row
}

/** Orders that were paid, settled and forgotten two days ago. */
async function paidLongAgo<Count extends 1 | 2 | 3 | 4>(
  store: TestStore,
  shopper: Shopper,
  count: Count
) {
  const then = new Date(Date.now() - 2 * DAY)
  const rows: TransactionRow[] = []
  for (let number = 0; number < count; number++) {
    const { data, sessionId } = await shopper.checkout()
    const { id } = await payUntilSettled(store, { data, sessionId })
    await store.module.updateTransactions({ id, opened_at: then, paid_at: then, watch_at: null })
    rows.push(await store.module.retrieveTransaction(id))
  }
  return rows as {
    1: [TransactionRow]
    2: [TransactionRow, TransactionRow]
    3: [TransactionRow, TransactionRow, TransactionRow]
    4: [TransactionRow, TransactionRow, TransactionRow, TransactionRow]
  }[Count]
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
