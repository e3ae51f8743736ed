import { describeStores, expectSettled, newEmail, warningsOfMemoryLocking } from "./stores"

describeStores("a store that was killed", {}, (stores, test) => {
  test("places the orders within a minute of being back, killed right after it answered a callback, and every later one lost (promise 3)", async () => {
    const before = await stores.start("the store")
    expect(warningsOfMemoryLocking(before)).toHaveLength(1)
    const shopper = stores.shopperAt(before)
    const answered = await shopper.checkout("sbp", { email: newEmail() })
    const lost = await shopper.checkout("sbp", { email: newEmail() })
    stores.simulator.setCallbackUrl(stores.callbackUrl(before))
    await before.killAt("callback:answered")
    await stores.simulator.pay(answered.data.transaction_id)
    await before.ended
    expect(stores.simulator.callbacks()).toMatchObject([{ status: 200 }])
    await stores.simulator.pay(lost.data.transaction_id, { callback: false })

    const store = await stores.start("the store")
    for (const payment of [answered, lost]) await expectSettled(store, payment)
  })
})
