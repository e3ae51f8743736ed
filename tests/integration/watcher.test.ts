import { adminOf } from "./admin"
import { paidUnheard, Shopper } from "./shopper"
import { halfMadeOrders } from "./watcher/half-made-orders"
import { placesOfTheQueue } from "./watcher/places"
import { rulesInSql } from "./watcher/rules-in-sql"
import { workThatHangs } from "./watcher/hanging"
import { watcherInTrouble } from "./watcher/in-trouble"
import { describeStore, eventually, settledRow } from "./store"

describeStore("the watcher", {}, (store) => {
  const shopper = new Shopper(store)
  const admin = adminOf(store)

  it("tells administrators when it last looked, and since when the service is silent (promise 10)", async () => {
    const address = "/admin/payment-service/watcher"
    expect((await store.http.get(address)).status).toBe(401)
    const shown = async () =>
      (await admin.get(address)).data as { looked_at: string; silences: unknown[] }
    const before = await shown()
    expect(before).toMatchObject({ silences: [] })
    const payment = await paidUnheard(store, shopper)
    store.simulator.fault({ on: "get", kind: "status", status: 503, times: Infinity })
    await eventually("the silence is seen", async () => (await shown()).silences[0])
    store.simulator.clearFaults()
    await settledRow(store, payment.sessionId)
    const after = await shown()
    expect(after).toMatchObject({ waiting_since: null, silences: [] })
    expect(after.looked_at > before.looked_at).toBe(true)
  })

  rulesInSql(store)
  describe("work that hangs", () => {
    workThatHangs(store)
  })
  describe("the queue's places", () => {
    placesOfTheQueue(store)
  })

  describe("an order that core made and did not finish", () => {
    halfMadeOrders(store)
  })
  describe("in trouble", () => {
    watcherInTrouble(store)
  })
})
