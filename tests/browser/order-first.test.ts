import { describeDemo, NARROW, WIDE } from "./demo-shop"

const orderFirst = {
  settings: { PAYMENT_SERVICE_ORDER_PLACEMENT: "before_payment", DISABLE_DASHBOARD: "true" },
  isPrepared: true,
}

describeDemo("the demo shop with the order placed before its payment", orderFirst, (demo) => {
  it("has the order while the payer still has to pay, and the same one afterwards", async () => {
    const page = await demo.open(WIDE, "ru")
    await demo.toPayment(page, "sbp")
    const waiting = (await demo.orders()).sort((a, b) => a.display_id - b.display_id).at(-1)
    expect(waiting?.payment_status).not.toBe("captured")
    await page.goto(demo.payerPage((await demo.transactions()).at(-1)))
    await page.click("#pay")
    const number = await demo.orderNumber(page)
    expect(number).toContain(String(waiting?.display_id))
    await demo.expectCapturedOrder(number)
  })

  it("lets a shopper pay the same order again after a decline, on a narrow screen", async () => {
    const page = await demo.open(NARROW, "en")
    await demo.toPayment(page, "crypto")
    const before = await demo.orders()
    await page.goto(demo.payerPage((await demo.transactions()).at(-1)))
    await page.click("#decline")
    await page.getByTestId("pay-again").click()
    await page.getByTestId("countdown").waitFor()
    await page.goto(demo.payerPage((await demo.transactions()).at(-1)))
    await page.click("#pay")
    await demo.expectCapturedOrder(await demo.orderNumber(page))
    expect(await demo.orders()).toHaveLength(before.length)
  })
})
