import type { Locator, Page } from "playwright-core"

import { describeInBrowser } from "../browser/chromium"
import { freePort } from "../free-port.cjs"
import { eventually } from "../integration/eventually"
import { editOrder } from "../integration/order-edits"
import { LONGEST_BUILD_MS } from "../patience"
import { preparedShop } from "../postgres/prepared-shop"
import { NextShop } from "./next-shop"
import { accessibilityProblems, LAST_PIECE, NARROW, nextVisit, SellingShop } from "./selling-shop"

describeInBrowser("a Next.js shop that follows the guide", () => {
  let next: NextShop | undefined

  beforeAll(async () => {
    next = new NextShop(await freePort())
    await next.install()
  }, LONGEST_BUILD_MS)
  afterAll(() => next?.remove())

  /** The shop open for the tests of one `describe`. */
  const selling = (settings: { orderFirst: boolean }): (() => SellingShop) => {
    let shop: SellingShop | undefined
    beforeAll(async () => {
      if (!next) throw new Error("The shop could not be installed")
      shop = new SellingShop(next)
      await shop.open(settings)
    }, LONGEST_BUILD_MS)
    afterAll(() => shop?.close())
    afterEach(() => shop?.closeWindows())
    return () => {
      if (!shop) throw new Error("The shop is open only while tests run")
      return shop
    }
  }

  describe("and takes the money first", () => {
    const shop = selling({ orderFirst: false })

    it("sells by SBP to a payer who comes back from the service without the cart's cookie (promise 23)", async () => {
      const page = await shop().newPage()
      await shop().toPayment(page, "sbp")
      await page.locator("[data-part=qr]").first().waitFor()
      await page.reload()
      await page.locator("[data-part=qr]").first().waitFor()
      expect(await accessibilityProblems(page)).toEqual([])

      await page.goto(shop().payerPage)
      const visit = nextVisit(page, /\/pay\?/)
      await page.click("#pay")
      const { cookie = "" } = await (await visit).allHeaders()
      expect(cookie).not.toContain("_medusa_cart_id")
      await shop().expectPaidOrder(page)
      expect(await page.getByTestId("payment-method").innerText()).toBe("SBP")
      await shop().expectEmptyCart(page)
    })

    it("sells to a shopper who has a keyboard and nothing else", async () => {
      const page = await shop().newPage()
      await page.goto(shop().url)
      const { product } = shop()
      await byKeyboard(page, page.getByTestId(`product-${product}`).getByRole("button"))
      await byKeyboard(page, page.getByTestId("checkout-button"))
      await byKeyboard(page, page.getByTestId("submit-address-button"))
      await reach(page, page.getByRole("radio").first())
      const sbp = page.getByRole("radio", { name: "SBP" })
      while (!(await sbp.isChecked())) await page.keyboard.press("ArrowDown")
      await byKeyboard(page, page.getByTestId("submit-payment-button"))
      await byKeyboard(page, page.getByRole("button", { name: "Pay" }))
      await page.locator("[data-part=qr]").first().waitFor()
      expect(await heard(page)).toBe(WAITING_AS_HEARD)
      await byKeyboard(page, page.locator("a[data-part=open]"))
      await byKeyboard(page, page.locator("#decline"))
      const again = page.locator("[data-part=pay-again]")
      await again.waitFor()
      expect(await heard(page)).toBe(DECLINED_AS_HEARD)
      await byKeyboard(page, again)
      await page.locator("[data-part=panel][data-state=pending]").waitFor()
      // The pressed button is gone, so the focus is on the heading that says what came of it.
      expect(await page.evaluate("document.activeElement.tagName")).toBe("H1")
      await byKeyboard(page, page.locator("a[data-part=open]"))
      await byKeyboard(page, page.locator("#pay"))
      await shop().expectPaidOrder(page)
    })

    it("sells after a decline, in one click and with the new payment's address", async () => {
      const page = await shop().newPage()
      await shop().toPayment(page, "sbp")
      await page.goto(shop().payerPage)
      await page.click("#decline")
      await payAgain(page)
      await page.reload()
      await page.locator("[data-part=panel][data-state=pending]").waitFor()
      await page.goto(shop().payerPage)
      await page.click("#pay")
      await shop().expectPaidOrder(page)
    })

    it("lets a shopper choose another method while a payment waits", async () => {
      const page = await shop().newPage()
      await shop().toPayment(page, "sbp")
      await page.locator("[data-part=change-method]").click()
      await page.getByRole("radio", { name: "Crypto" }).check()
      await page.getByTestId("submit-payment-button").click()
      await page.getByRole("button", { name: "Pay" }).click()
      await page.locator("[data-part=panel][data-state=pending]").waitFor()
      await page.goto(shop().payerPage)
      await page.click("#pay")
      await shop().expectPaidOrder(page)
      expect(await page.getByTestId("payment-method").innerText()).toBe("Crypto")
    })

    it("leads a shopper who went back to the order, when the money comes meanwhile", async () => {
      const page = await shop().newPage()
      await shop().toPayment(page, "sbp")
      await page.goto(`${shop().url}/ru/checkout?step=payment`)
      await page.locator("[data-part=open-payment][data-state=pending]").waitFor()
      await page.goto(`${shop().url}/ru/cart`)
      await page.locator("[data-part=open-payment][data-state=pending]").waitFor()
      await page.goto(`${shop().url}/ru/checkout?step=payment`)
      await shop().payElsewhere()
      await shop().expectPaidOrder(page)
    })

    it("tells a browser that has never seen the shop how it ended, and no more", async () => {
      const page = await shop().newPage()
      await shop().toPayment(page, "sbp")
      const elsewhere = await shop().newPage(NARROW)
      await elsewhere.goto(shop().payerPage)
      await elsewhere.click("#pay")
      await elsewhere.locator("[data-part=panel][data-state=paid]").waitFor()
      expect(elsewhere.url()).toMatch(/\/pay\?return=pstx_/)
      const told = await elsewhere.content()
      await shop().expectPaidOrder(page)
      const number = await page.getByTestId("order-id").innerText()
      expect(told).toContain(`Order ${number}`)
      const [orderId] = /order_\w+/.exec(page.url()) ?? []
      expect(told).not.toContain(orderId)
    })

    it("offers no further payment while the shop looks at one, also after the cart lost its session (promise 19)", async () => {
      const page = await shop().newPage()
      await shop().toPayment(page, "sbp")
      await shop().putIntoCart(page)
      await page.locator("[data-part=panel][data-state=replaced]").waitFor()
      await shop().payElsewhere()
      await page.locator("[data-part=panel][data-state=problem]").waitFor()
      const reference = page.locator("[data-part=reference]")
      expect(await reference.innerText()).toMatch(/Payment of ₽2,290, no\.\s[0-9a-f]{8}/)
      await reference.getByRole("link", { name: "help@shop.example" }).waitFor()
      expect(await accessibilityProblems(page)).toEqual([])

      await page.goto(`${shop().url}/ru/checkout?step=payment`)
      const line = page.locator("[data-part=open-payment][data-state=problem]")
      await line.waitFor()
      expect(await page.getByRole("radio").count()).toBe(0)
      await line.getByRole("link").click()
      await page.locator("[data-part=panel][data-state=problem]").waitFor()
      await page.getByRole("link", { name: "Back to the shop" }).click()
      await page.waitForURL(`${shop().url}/ru`)
    })

    it("keeps no bought cart for a shopper who never saw the order", async () => {
      const page = await shop().newPage()
      await shop().toPayment(page, "sbp")
      await page.goto(`${shop().url}/ru`)
      expect(await page.getByTestId("nav-cart-link").innerText()).toBe("Cart (1)")
      const before = await shop().orders()
      await shop().payElsewhere()
      await eventually("an order", async () => (await shop().orders()).length > before.length)
      await page.reload()
      await shop().expectEmptyCart(page)
      for (const name of ["Russia", "По-русски"]) {
        await page.goto(`${shop().url}/ru`)
        await page.getByRole("button", { name }).click()
        await page.waitForLoadState("networkidle")
        await shop().expectEmptyCart(page)
      }
      await shop().signIn(page)
      await page.getByTestId("empty-cart-message").waitFor()
      await shop().toPayment(page, "crypto")
    })

    it("takes what an order owes by the link that the dashboard copies", async () => {
      const buyer = await shop().newPage()
      await shop().toPayment(buyer, "sbp")
      await shop().payElsewhere()
      await shop().expectPaidOrder(buyer)
      const [, orderId = ""] = /order\/(\w+)\//.exec(buyer.url()) ?? []
      const admin = await shop().admin()
      await editOrder(preparedShop(), admin, orderId, { add: 1 })
      const { data } = await admin.get(`/admin/orders/${orderId}?fields=*payment_collections`)
      const { payment_collections: collections } = data.order as {
        payment_collections: { id: string; status: string }[]
      }
      const owed = collections.find(({ status }) => status === "not_paid")
      const link = `${shop().url}/payment-collection/${owed?.id ?? ""}?order_id=${orderId}`

      const payer = await shop().newPage(NARROW)
      await payer.goto(link)
      await payer.locator("[data-part=panel][data-state=payable]").waitFor()
      await payer.getByRole("radio").first().check()
      await payer.locator("[data-part=pay]").click()
      await payer.locator("a[data-part=open]").click()
      await payer.click("#pay")
      await payer.waitForURL(/\/ru\/payment-collection\//)
      await payer.locator("[data-part=panel][data-state=paid]").waitFor()
    })
  })

  describe("and places the order first", () => {
    const shop = selling({ orderFirst: true })

    it("has the order while its payment is awaited, and the same one afterwards", async () => {
      const page = await shop().newPage()
      await shop().toReview(page, "sbp")
      await page.getByTestId("submit-order-button").click()
      await page.locator("[data-part=panel][data-state=pending]").waitFor()
      const number = await page.getByTestId("order-id").innerText()
      await shop().expectEmptyCart(page)

      await page.goto(shop().payerPage)
      await page.click("#pay")
      await shop().expectPaidOrder(page)
      expect(await page.getByTestId("order-id").innerText()).toBe(number)
      expect(await page.locator("[data-part=panel]").count()).toBe(0)
    })

    it("tells in the store's words why an order cannot be placed", async () => {
      const [first, second] = [await shop().newPage(), await shop().newPage()]
      await shop().toReview(first, "sbp", LAST_PIECE)
      await shop().toReview(second, "sbp", LAST_PIECE)
      await first.getByTestId("submit-order-button").click()
      await first.locator("[data-part=panel][data-state=pending]").waitFor()
      await second.getByTestId("submit-order-button").click()
      const refusal = await second.getByTestId("manual-payment-error-message").innerText()
      expect(refusal).toContain("Not enough stock")
    })

    it("lets the order be paid again after a decline, on the page of the order", async () => {
      const page = await shop().newPage(NARROW)
      await shop().toReview(page, "crypto")
      await page.getByTestId("submit-order-button").click()
      await page.locator("[data-part=panel][data-state=pending]").waitFor()
      const orderPage = page.url()
      await page.goto(shop().payerPage)
      await page.click("#decline")
      // The page of the payment leads back to where it was begun.
      await page.waitForURL(orderPage)
      await page.locator("[data-part=panel][data-state=payable]").waitFor()
      await page.getByRole("radio").first().check()
      await page.locator("[data-part=pay]").click()
      await page.locator("[data-part=panel][data-state=pending]").waitFor()
      await page.goto(shop().payerPage)
      await page.click("#pay")
      await shop().expectPaidOrder(page)
    })
  })
})

/** All that a screen reader says of a payment, in its order. */
async function heard(page: Page): Promise<string> {
  const tree = await page.locator("[data-part=panel]").ariaSnapshot()
  return tree
    .replace(/\d\d:\d\d/, "mm:ss")
    .replaceAll(/\/url: \S+\/pay\/\S+/g, "/url: at the service")
}

const WAITING_AS_HEARD = `- region "Waiting for your payment":
  - status:
    - heading "Waiting for your payment" [level=1]
    - paragraph: The page will change by itself as soon as the money arrives.
  - figure "Scan to pay":
    - text: Scan to pay
    - img "QR code of the payment"
  - paragraph: SBP – QR code
  - paragraph: ₽2,290
  - paragraph:
    - text: Time left to pay
    - timer: mm:ss
  - list:
    - listitem: Open your bank's app or the phone's camera
    - listitem: Scan the code
    - listitem: Check the amount and confirm
  - link "Open the payment on this device":
    - /url: at the service
  - button "Copy the link"
  - link "Choose another method":
    - /url: checkout?step=payment`

const DECLINED_AS_HEARD = `- region "The payment did not go through":
  - status:
    - heading "The payment did not go through" [level=1]
    - paragraph: No money has arrived. Your cart is just as it was.
  - button "Pay ₽2,290 again"
  - link "Choose another method":
    - /url: checkout?step=payment`

async function byKeyboard(page: Page, to: Locator): Promise<void> {
  await reach(page, to)
  await page.keyboard.press("Enter")
}

/** Comes to something as people without a mouse do. */
async function reach(page: Page, to: Locator): Promise<void> {
  await to.waitFor()
  for (let steps = 0; steps < 60; steps++) {
    if (await to.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press("Tab")
  }
  throw new Error(`Not reached by keyboard: ${await to.innerText()}`)
}

async function payAgain(page: Page): Promise<void> {
  await page.locator("[data-part=panel][data-state=canceled]").waitFor()
  const declined = page.url()
  await page.locator("[data-part=pay-again]").click()
  await page.locator("[data-part=panel][data-state=pending]").waitFor()
  await page.waitForURL((url) => url.href !== declined)
}
