import { describeStores, expectSettled, warningsOfMemoryLocking } from "./stores"

describeStores("a store that was killed", {}, (stores, test) => {
  test("places the order within a minute of being back, killed right after it answered a callback", async () => {
    const before = await stores.start("the store")
    expect(warningsOfMemoryLocking(before)).toHaveLength(1)
    const payment = await stores.shopperAt(before).checkout()
    stores.simulator.setCallbackUrl(stores.callbackUrl(before))
    await before.killAt("callback:answered")
    await stores.simulator.pay(payment.data.transaction_id)
    await before.ended
    expect(stores.simulator.callbacks()).toMatchObject([{ status: 200 }])

    const store = await stores.start("the store")
    await expectSettled(store, payment)
  })

  test("places the order within a minute of being back, every callback lost", async () => {
    const before = await stores.start("the store")
    const payment = await stores.shopperAt(before).checkout()
    await before.kill()
    await stores.simulator.pay(payment.data.transaction_id, { callback: false })

    const store = await stores.start("the store")
    await expectSettled(store, payment)
  })
})

// With `npm run test:deep`: the locks of a dead process last half a minute. Elsewhere time is let pass.
if (process.env.DEEP) {
  describeStores(
    "a store with locks in Postgres that was killed",
    { environment: { LOCKING: "postgres" } },
    (stores, test) => {
      test("places the order within a minute of being back, killed while it was placing it", async () => {
        const before = await stores.start("the store")
        const payment = await stores.shopperAt(before).checkout()
        stores.simulator.setCallbackUrl(stores.callbackUrl(before))
        await before.killAt("core:order linked")
        await stores.simulator.pay(payment.data.transaction_id)
        await before.ended
        const store = await stores.start("the store")
        await expectSettled(store, payment)
      })
    }
  )
}
