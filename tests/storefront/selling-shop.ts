import axe from "axe-core"
import axios, { type AxiosInstance } from "axios"
import type { Browser, BrowserContext, Page, Request } from "playwright-core"

import { products } from "../../demo/products"
import { type Simulator, startSimulator } from "../../simulator"
import { launchChromium } from "../browser/chromium"
import { freePort } from "../free-port.cjs"
import { createDatabase, databaseUrl, dropDatabase } from "../instances/database"
import { CALLBACK_TOKEN, storeEnvironment } from "../instances/store-environment"
import { StoreInstance } from "../instances/store-instance"
import { type Admin, logIn } from "../integration/admin"
import { eventually } from "../integration/eventually"
import { PATIENCE_MS } from "../patience"
import { preparedShop } from "../postgres/prepared-shop"
import type { NextShop } from "./next-shop"

export const WIDE = { width: 1280, height: 900 }
export const NARROW = { width: 360, height: 740 }
const PRODUCT = products.find(({ stock }) => stock > 10)?.sku ?? ""
export const LAST_PIECE = products.find(({ stock }) => stock === 1)?.sku ?? ""

/** The Next.js shop, open for shoppers: a store behind it, the service, and a browser. */
export class SellingShop {
  private readonly atTheEnd: (() => Promise<unknown>)[] = []
  private readonly windows: BrowserContext[] = []
  private store: StoreInstance | undefined
  private browser: Browser | undefined
  private simulator: Simulator | undefined

  constructor(private readonly next: NextShop) {}

  async open({ orderFirst }: { orderFirst: boolean }): Promise<void> {
    const servicePort = await freePort()
    const simulator = await startSimulator({
      port: servicePort,
      // Another site than the shop's, as in life: for cookies, every port of localhost is the same one.
      publicUrl: `http://127.0.0.1:${servicePort}`,
    })
    this.simulator = simulator
    this.atTheEnd.push(() => simulator.close())
    const database = await createDatabase()
    this.atTheEnd.push(() => dropDatabase(database))
    const storePort = await freePort()
    const payPage = `${this.next.url}/pay?return={return_id}`
    const store = new StoreInstance("store", storePort, {
      ...storeEnvironment(simulator),
      DATABASE_URL: databaseUrl(database),
      MEDUSA_BACKEND_URL: `http://localhost:${storePort}`,
      STORE_CORS: this.next.url,
      STOREFRONT_SUCCESS_URL: payPage,
      STOREFRONT_FAILURE_URL: payPage,
      STOREFRONT_PENDING_URL: payPage,
      ...(orderFirst && { PAYMENT_SERVICE_ORDER_PLACEMENT: "before_payment" }),
    })
    this.store = store
    this.atTheEnd.push(() => store.kill())
    simulator.setCallbackUrl(`${store.url}/hooks/payment-service/${CALLBACK_TOKEN}`)
    await Promise.all([
      store.ready(),
      this.next.build({
        NEXT_PUBLIC_MEDUSA_BACKEND_URL: store.url,
        NEXT_PUBLIC_MEDUSA_PUBLISHABLE_KEY: preparedShop().shop.publishableKey,
        ...(orderFirst && { NEXT_PUBLIC_ORDER_FIRST: "true" }),
      }),
    ])
    this.atTheEnd.push(() => this.next.stop())
    await this.next.start()
    this.browser = await launchChromium()
  }

  async close(): Promise<void> {
    await this.browser?.close()
    for (const end of this.atTheEnd.reverse()) await end()
  }

  async closeWindows(): Promise<void> {
    for (const window of this.windows.splice(0)) await window.close()
  }

  /** A browser of its own, with no cookie in it. */
  async newPage(viewport: { width: number; height: number } = WIDE): Promise<Page> {
    if (!this.browser) throw new Error("The browser runs only while tests do")
    const window = await this.browser.newContext({ viewport, locale: "en-US" })
    this.windows.push(window)
    const page = await window.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    page.on("pageerror", (error) => {
      throw error
    })
    return page
  }

  /** The SKU of what is bought when nothing else is said. */
  readonly product = PRODUCT

  /** From the shelf to the choice of a method. */
  async toPaymentChoice(page: Page, method: "sbp" | "crypto", product = PRODUCT): Promise<void> {
    await page.goto(this.next.url)
    await page.getByTestId(`product-${product}`).getByRole("button").click()
    await page.getByTestId("checkout-button").click()
    await page.getByTestId("submit-address-button").click()
    await page.getByRole("radio", { name: method === "sbp" ? "SBP" : "Crypto" }).check()
  }

  /** To the last step of the checkout, whose button is left to press. */
  async toReview(page: Page, method: "sbp" | "crypto", product = PRODUCT): Promise<void> {
    await this.toPaymentChoice(page, method, product)
    await page.getByTestId("submit-payment-button").click()
    await page.waitForURL(/step=review/)
  }

  /** And on to where the payment waits for its payer. */
  async toPayment(page: Page, method: "sbp" | "crypto"): Promise<void> {
    await this.toReview(page, method)
    await page.getByRole("button", { name: "Pay" }).click()
    await page.locator("[data-part=panel][data-state=pending]").waitFor()
  }

  /** As a customer who has just come to be one. */
  async signIn(page: Page): Promise<void> {
    const who = { email: "customer@shop.test", password: "customers-own" }
    const { data } = await this.http.post<{ token: string }>(
      "/auth/customer/emailpass/register",
      who
    )
    const headers = { authorization: `Bearer ${data.token}` }
    await this.http.post("/store/customers", { email: who.email }, { headers })
    await page.goto(`${this.url}/ru/account`)
    await page.getByLabel("Email").fill(who.email)
    await page.getByLabel("Password").fill(who.password)
    await page.getByRole("button", { name: "Sign in" }).click()
  }

  /** The page at the service on which the latest payment is paid or declined. */
  get payerPage(): string {
    return this.latest.redirect
  }

  /** The payer pays on another device. */
  async payElsewhere(): Promise<void> {
    await this.service.pay(this.latest.id)
  }

  /** The cart of the page's browser gets one more piece, as in another of its tabs, and loses its session. */
  async putIntoCart(page: Page): Promise<void> {
    const cookies = await page.context().cookies()
    const cartId = cookies.find(({ name }) => name === "_medusa_cart_id")?.value ?? ""
    const item = { variant_id: preparedShop().shop.variantIds[0], quantity: 1 }
    const { data } = await this.http.post<{
      cart: { payment_collection: { payment_sessions: unknown[] } }
    }>(`/store/carts/${cartId}/line-items`, item)
    expect(data.cart.payment_collection.payment_sessions).toEqual([])
  }

  async expectEmptyCart(page: Page): Promise<void> {
    await page
      .getByTestId("nav-cart-link")
      .filter({ hasText: /^Cart \(0\)$/ })
      .waitFor()
  }

  /** The order whose page is shown is captured, once and in full. */
  async expectPaidOrder(page: Page): Promise<void> {
    await page.waitForURL(/\/ru\/order\/order_\w+\/confirmed/)
    const number = Number(await page.getByTestId("order-id").innerText())
    // An order that was placed first is shown before its money is booked.
    const order = await eventually(`order ${number} is captured`, async () => {
      const found = (await this.orders()).find(({ display_id }) => display_id === number)
      return found?.payment_status === "captured" && found
    })
    expect(order.summary.pending_difference).toBe(0)
  }

  async orders() {
    const admin = await this.admin()
    const { data } = await admin.get("/admin/orders?fields=id,display_id,payment_status,summary")
    return data.orders as {
      id: string
      display_id: number
      payment_status: string
      summary: { pending_difference: number }
    }[]
  }

  async admin(): Promise<Admin> {
    return await logIn({ http: this.http })
  }

  get http(): AxiosInstance {
    return axios.create({
      baseURL: this.store?.url ?? "",
      headers: { "x-publishable-api-key": preparedShop().shop.publishableKey },
      validateStatus: () => true,
    })
  }

  get url(): string {
    return this.next.url
  }

  get service(): Simulator {
    if (!this.simulator) throw new Error("The service runs only while tests do")
    return this.simulator
  }

  private get latest() {
    const transaction = this.service.transactions().at(-1)
    if (!transaction) throw new Error("No payment was begun")
    return transaction
  }
}

/** The next request for a page of the shop, with the cookies that the browser sent along. */
export async function nextVisit(page: Page, address: RegExp): Promise<Request> {
  return await page.waitForRequest(
    (request) => request.isNavigationRequest() && address.test(request.url())
  )
}

/** The violations that axe finds in the page as it is shown. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return await page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe }
    const { violations } = await inPage.run()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}
