import axios from "axios"

import { Dashboard } from "./dashboard-pages"
import { describeDemo, NARROW, WIDE } from "./demo-shop"
import { picture } from "./picture"
import { history } from "./shop/history"
import { paymentLink } from "./shop/payment-link"
import { simulatorPage } from "./shop/simulator-page"

describeDemo("the demo shop in a browser", { hasHistory: true }, (demo) => {
  const dashboard = new Dashboard(demo)

  // Before anything else happens in the store.
  describe("the week behind it", () => history(demo))

  it("sells by SBP: QR on a wide screen, the payer's page, back to an order number (promise 24)", async () => {
    const page = await demo.open(WIDE, "ru")
    await demo.toPayment(page, "sbp")
    await page.getByTestId("qr").waitFor()
    expect(await page.locator("html").getAttribute("lang")).toBe("ru")
    const before = await demo.transactions()

    await page.reload()
    await page.getByTestId("qr").waitFor()
    expect(await demo.transactions()).toHaveLength(before.length)

    await page.goto(demo.payerPage(before.at(-1)))
    await page.click("#pay")
    const number = await demo.orderNumber(page)
    await demo.expectCapturedOrder(number)
    const receipt = page.getByTestId("receipt")
    expect(await receipt.innerText()).toBe("Чек и новости о заказе придут на shopper@demo.test.")
    await page.getByRole("heading", { name: "Что дальше" }).waitFor()
    await page.getByTestId("lang-en").click()
    await page.getByRole("heading", { name: "What comes next" }).waitFor()
    expect(await receipt.innerText()).toMatch(/^The receipt .* go to shopper@demo\.test\.$/)
  })

  it("sells by crypto on a narrow screen, in one language on every page", async () => {
    const page = await demo.open(NARROW, "en")
    const expectEnglish = async () => {
      const text = await page.locator("body").innerText()
      expect(text.match(/[а-яё]{2,}.*/gi)).toBeNull()
    }
    expect(await page.title()).toBe("Quiet Goods")
    const headers = { "accept-language": "ru-RU,ru;q=0.9,en;q=0.8" }
    const { data: russian } = await axios.get<string>(demo.addresses.storefront, { headers })
    expect(russian).toContain('<html lang="ru">')
    expect(russian).not.toMatch(/Quiet Goods|JavaScript\. ·/)
    await page.getByTestId("add-to-cart").first().waitFor()
    await expectEnglish()
    await page.getByTestId("product-linen-towel").getByTestId("add-to-cart").click()
    await page.getByTestId("cart-link").click()
    await page.getByTestId("go-to-checkout").waitFor()
    await expectEnglish()
    await page.getByTestId("go-to-checkout").click()
    await page.getByTestId("method-sbp").waitFor()
    await expectEnglish()
    // Samples that nobody has typed are in the new language, too; typed text stays.
    const street = page.getByLabel(/Street|Улица/)
    await page.getByTestId("lang-ru").click()
    expect(await street.inputValue()).toMatch(/^ул\. /)
    await page.getByTestId("lang-en").click()
    expect(await street.inputValue()).toMatch(/ St, /)
    await page.getByTestId("method-crypto").click()
    await page.getByTestId("pay-button").click()
    await page.getByTestId("countdown").waitFor()
    await page.getByTestId("usdt-estimate").waitFor()
    expect(await page.getByTestId("qr").isVisible()).toBe(false)
    // For another device: its link, and its code.
    await page.getByTestId("copy-link").waitFor()
    await page.getByTestId("show-qr").click()
    await page.getByTestId("qr").waitFor()
    const width = await page.evaluate("document.documentElement.scrollWidth")
    expect(width).toBeLessThanOrEqual(NARROW.width)
    await expectEnglish()
    // The button may open a page of its own, as on a phone the bank's app.
    const opened = Promise.race([
      demo.window.waitForEvent("page"),
      page.waitForURL(/\/pay\/[0-9a-f-]{36}/).then(() => page),
    ])
    await page.getByTestId("open-payment").click()
    const payer = await opened
    await payer.locator("#pay").click()
    await demo.expectCapturedOrder(await demo.orderNumber(payer))
    expect(await payer.locator("html").getAttribute("lang")).toBe("en")
  })

  it("asks nobody again, in any tab, once a replaced attempt was paid (promise 5)", async () => {
    const page = await demo.open(WIDE, "en")
    await demo.toPayment(page, "sbp")
    await page.getByTestId("qr").waitFor()
    await picture(page, "payment")
    const address = page.url()
    const begun = await demo.transactions()
    const sbp = begun.at(-1)
    const [elsewhere, details] = [await demo.window.newPage(), await demo.window.newPage()]
    await elsewhere.goto(page.url())
    await elsewhere.getByTestId("qr").waitFor()

    // Back at the details, another method is chosen; the line there leads on to the open payment.
    await details.goto(`${demo.addresses.storefront}/checkout`)
    await details.getByTestId("open-payment-line").waitFor()
    await page.getByTestId("change-method").click()
    await page.getByTestId("method-crypto").click()
    await page.getByTestId("pay-button").click()
    await page.getByTestId("open-payment").waitFor()
    await elsewhere.locator('[data-part="panel"][data-state="replaced"]').waitFor()
    expect(await elsewhere.getByTestId("qr").count()).toBe(0)
    // The page goes on with the attempt that is open, and begins no third one.
    await elsewhere.getByTestId("continue").click()
    await elsewhere.getByTestId("open-payment").waitFor()
    expect(await demo.transactions()).toHaveLength(begun.length + 1)

    await axios.post(`${demo.addresses.service}/__simulator/transactions/${sbp?.id}/pay`, {})
    const number = await demo.orderNumber(page)
    expect(await demo.orderNumber(elsewhere)).toBe(number)
    expect(await demo.orderNumber(details)).toBe(number)
    // Loaded anew, and opened by its address, the payment's page leads there, too.
    const anew = await demo.window.newPage()
    await anew.goto(address)
    expect(await demo.orderNumber(anew)).toBe(number)
    await elsewhere.reload()
    expect(await demo.orderNumber(elsewhere)).toBe(number)
    await demo.expectCapturedOrder(number)
  })

  it("shows what was paid in the dashboard, which the store makes of its sources", async () => {
    const page = await dashboard.logIn("en")
    await dashboard.expectSound(page, "", "en")
    await picture(page, "overview")
    await dashboard.expectSound(page, "/transactions", "en")
    await picture(page, "transactions")
    await page.locator("main tbody tr").first().click()
    await page.getByRole("heading", { name: "History" }).waitFor()
    await picture(page, "transaction")
  })

  describe("a payment link", () => paymentLink(demo))
  describe("the simulator's page", () => simulatorPage(demo))
})
