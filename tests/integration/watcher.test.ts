import { settleDue, WATCHER_LEASE } from "../../src/workflows/settle/watch-transactions"
import { ordersOf, Shopper } from "./shopper"
import { describeStore, eventually, settledRow } from "./store"

describeStore("the watcher", {}, (store) => {
  it("places the order with every callback lost, nobody polling and nobody coming back", async () => {
    const payment = await new Shopper(store).checkout()
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    const row = await settledRow(store, payment.sessionId, 20_000)
    expect(await ordersOf(store, payment.cartId)).toEqual([row.order_id])
    const run = await store.module.lastWatcherRun()
    expect(run?.settled).toBeGreaterThanOrEqual(0)
    expect(run?.finished_at.getTime()).toBeGreaterThan(Date.now() - 20_000)
  })

  it("reads each open transaction once, and no more of them in a pass than it may", async () => {
    const shopper = new Shopper(store)
    // The store's own watcher waits meanwhile.
    await store.module.withLease(WATCHER_LEASE, { ttlMs: 30_000, waitMs: 30_000 }, async () => {
      const rows: { id: string; watch_at: Date }[] = []
      for (let payment = 0; payment < 3; payment++) {
        const { sessionId } = await shopper.checkout()
        const row = await store.module.findBySession(sessionId)
        rows.push({ id: row?.id ?? "", watch_at: new Date(Date.now() - 1_000) })
      }
      await store.module.updateTransactions(rows)
      store.simulator.clearRequests()
      const reads = () => store.simulator.requests({ on: "get" }).length
      expect(await settleDue(store.container, 2, 4)).toEqual({ settled: 2, failed: 0 })
      expect(reads()).toBe(2)
      expect(await settleDue(store.container, 2, 4)).toEqual({ settled: 1, failed: 0 })
      expect(await settleDue(store.container, 2, 4)).toEqual({ settled: 0, failed: 0 })
      expect(reads()).toBe(3)
    })
  })

  it("pauses as a whole while the service is down, and settles after it is back", async () => {
    const payment = await new Shopper(store).checkout()
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    store.simulator.fault({ on: "get", kind: "status", status: 503, times: Infinity })
    const run = await eventually(
      "the watcher pauses",
      async () => {
        const last = await store.module.lastWatcherRun()
        return last?.paused_until ? last : null
      },
      20_000
    )
    expect(run.failed).toBe(1)
    store.simulator.clearFaults()
    await settledRow(store, payment.sessionId, 30_000)
  })

  it("leaves alone what was created at an address that is no longer configured", async () => {
    const payment = await new Shopper(store).checkout()
    const row = await store.module.findBySession(payment.sessionId)
    await store.module.updateTransactions({
      id: row?.id ?? "",
      base_url: "https://elsewhere.test",
      watch_at: new Date(Date.now() - 1_000),
    })
    expect(await store.module.claimDueTransactions(10)).toEqual([])
  })
})
