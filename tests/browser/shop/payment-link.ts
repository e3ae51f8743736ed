import { type DemoShop, NARROW, WIDE } from "../demo-shop"
import { obstacles } from "./obstacles"

/** The page of the order that somebody wrote down on the phone. */
export function paymentLink(demo: DemoShop): void {
  it("says what is owed, is declined, is paid by keyboard, and then says that it is paid (promise 5)", async () => {
    const page = await demo.open(WIDE, "ru")
    const link = demo.addresses.paymentLink
    await page.goto(link)
    await page.getByText("1 990 ₽", { exact: true }).waitFor()
    // Nobody whom the link reaches learns whose order it is.
    expect(await page.locator("body").innerText()).not.toMatch(/Иванов|Арбат|by-phone/)

    await page.getByTestId("pay-button").click()
    await page.getByTestId("qr").waitFor()
    await page.goto(demo.payerPage((await demo.transactions()).at(-1)))
    await page.click("#decline")
    await page.getByTestId("pay-again").waitFor()

    // The link leads on, too: the choice is there again.
    await page.goto(link)
    await page.getByRole("radio", { name: /СБП/ }).focus()
    await page.keyboard.press("ArrowDown")
    expect(await page.getByRole("radio", { name: /USDT/ }).isChecked()).toBe(true)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.getByTestId("open-payment").waitFor()
    await page.locator("h1:focus").waitFor()

    // A shopper who opens the link again goes on with the open payment.
    const before = (await demo.transactions()).length
    await page.reload()
    await page.getByTestId("open-payment").click()
    await page.click("#pay")
    await page.getByTestId("payment-status").and(page.locator('[data-state="paid"]')).waitFor()
    const id = new URL(link).searchParams.get("order_id")
    const number = (await demo.orders()).find((one) => one.id === id)?.display_id
    await page.getByText(`Заказ ${number}`, { exact: true }).waitFor()
    expect(await demo.transactions()).toHaveLength(before)
    await page.goto(link)
    await page.getByText("Уже оплачено").waitFor()
    await page.getByText(`Заказ ${number}`, { exact: true }).waitFor()
    expect(await page.getByTestId("pay-button").count()).toBe(0)
    const order = (await demo.orders()).find((one) => one.id === id)
    expect(order).toMatchObject({ payment_status: "captured", summary: { pending_difference: 0 } })
  })

  it("has no obstacles for those who do not see it, and fits a phone (promise 21)", async () => {
    const page = await demo.open(NARROW, "en")
    await page.goto(demo.addresses.paymentLink)
    await page.getByText("This is paid already").waitFor()
    expect(await obstacles(page)).toEqual([])
    await page.goto(demo.addresses.storefront)
    await demo.toPayment(page, "sbp")
    expect(await obstacles(page)).toEqual([])
    const width = await page.evaluate("document.documentElement.scrollWidth")
    expect(width).toBeLessThanOrEqual(NARROW.width)
    await page.setViewportSize(WIDE)
    await page.getByTestId("qr").waitFor()
    expect(await obstacles(page)).toEqual([])
  })
}
