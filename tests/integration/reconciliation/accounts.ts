import { randomUUID } from "node:crypto"

import { stopWatcher } from "../passes"
import { reconcileNow } from "../reconcile-now"
import { Shopper } from "../shopper"
import { type TestStore, withOptions } from "../store"

/** Two accounts that are one merchant at the service, and a third that nobody has paid with yet. */
function sharedAccounts() {
  const codes = { methodCodes: { SBP: "2" }, statusCodes: { Paid: "2" } }
  return {
    accounts: {
      main: { export: { statusCodes: { Paid: "2", Canceled: "3" }, methodCodes: { SBP: "2" } } },
      second: { export: codes },
      third: { merchantId: randomUUID(), export: codes },
    },
  }
}

export function severalAccounts(store: TestStore): void {
  withOptions(store, sharedAccounts)

  it("asks for each merchant once, with the codes of its first account (promise 13)", async () => {
    await stopWatcher(store)
    const payment = await new Shopper(store).checkout()
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    const foreign = store.simulator.addTransaction({ amount: 5 })
    await store.simulator.pay(foreign.id, { callback: false })
    const run = await reconcileNow(store)
    expect(run).toMatchObject({ records: 2, settled: 1, error: null })
    const requests = store.simulator.requests({ on: "export" })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.headers["x-merchantid"]).toBe(store.simulator.merchantId)
    expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({
      statuses: ["2", "3"],
      paymentMethods: ["2"],
    })
    // Its page asks for the same list.
    expect(await store.module.listProblems({ kind: "payment_not_here" })).toMatchObject([
      { facts: { found: "foreign_payments", count: 1, methods: ["SBP"] } },
    ])
  })
}
