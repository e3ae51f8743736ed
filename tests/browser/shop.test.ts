import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"

import axios from "axios"
import type { Browser, BrowserContext, Page } from "playwright-core"

import { products } from "../../demo/products"
import { describeInBrowser, launchChromium } from "./chromium"

/** A shopper buys in the demo, started as a newcomer starts it, through the pages that a shopper sees. */

interface Demo {
  storefront: string
  backend: string
  service: string
  adminEmail: string
  adminPassword: string
}

const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 360, height: 740 }
const PRODUCT = products.find(({ stock }) => stock > 10)?.sku ?? ""
const STEP_MS = 15_000

jest.setTimeout(240_000)

describeInBrowser("the demo shop in a browser", () => {
  let demo: Demo
  let child: ChildProcess
  let browser: Browser
  let context: BrowserContext
  const folder = mkdtempSync(path.join(tmpdir(), "browser-demo-"))
  chmodSync(folder, 0o755)

  beforeAll(async () => {
    child = spawn(process.execPath, ["demo/start.mjs", "--json"], {
      cwd: path.resolve(__dirname, "../.."),
      env: {
        ...process.env,
        NODE_ENV: "development",
        NODE_OPTIONS: "",
        DEMO_DATA_FOLDER: folder,
        PORT: await freePort(),
        STOREFRONT_PORT: await freePort(),
        SIMULATOR_PORT: await freePort(),
      },
      stdio: ["ignore", "pipe", "inherit"],
    })
    demo = await firstLine(child)
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser.close()
    child.kill("SIGTERM")
    await once(child, "exit")
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(async () => {
    await context.close()
  })

  it("sells by SBP: QR on a wide screen, the payer's page, back to an order number", async () => {
    const page = await shop(WIDE, "ru")
    await toPayment(page, "sbp")
    await page.getByTestId("qr").waitFor({ timeout: STEP_MS })
    expect(await page.locator("html").getAttribute("lang")).toBe("ru")
    const before = await transactions()

    await page.reload()
    await page.getByTestId("qr").waitFor({ timeout: STEP_MS })
    expect(await transactions()).toHaveLength(before.length)

    await page.goto(payerPage(before.at(-1)))
    await page.click("#pay")
    const number = await orderNumber(page)
    await expectCapturedOrder(number)
  })

  it("sells by crypto on a narrow screen, in English, by the button", async () => {
    const page = await shop(NARROW, "en")
    await toPayment(page, "crypto")
    expect(await page.locator("html").getAttribute("lang")).toBe("en")
    expect(await page.getByTestId("qr").isVisible()).toBe(false)
    const width = await page.evaluate("document.documentElement.scrollWidth")
    expect(width).toBeLessThanOrEqual(NARROW.width)

    // The button may open a page of its own, as on a phone the bank's app.
    const opened = context.waitForEvent("page", { timeout: 3_000 }).catch(() => page)
    await page.getByTestId("open-payment").click()
    const payer = await opened
    await payer.locator("#pay").click({ timeout: STEP_MS })
    await expectCapturedOrder(await orderNumber(payer))
  })

  it("shows the order without a reload when the payer pays on another device", async () => {
    const page = await shop(WIDE, "en")
    await toPayment(page, "sbp")
    const [transaction] = (await transactions()).slice(-1)
    await axios.post(`${demo.service}/__simulator/transactions/${transaction?.id}/pay`, {})
    await expectCapturedOrder(await orderNumber(page))
  })

  it("lets a shopper pay again in one click after a decline", async () => {
    const page = await shop(WIDE, "ru")
    await toPayment(page, "sbp")
    const declined = (await transactions()).at(-1)
    await page.goto(payerPage(declined))
    await page.click("#decline")
    await page.getByTestId("pay-again").click({ timeout: STEP_MS })
    await page.getByTestId("qr").waitFor({ timeout: STEP_MS })
    const again = (await transactions()).at(-1)
    expect(again?.id).not.toBe(declined?.id)
    await page.goto(payerPage(again))
    await page.click("#pay")
    await expectCapturedOrder(await orderNumber(page))
  })

  async function shop(
    viewport: { width: number; height: number },
    language: "ru" | "en"
  ): Promise<Page> {
    context = await browser.newContext({ viewport, locale: language === "ru" ? "ru-RU" : "en-US" })
    const page = await context.newPage()
    page.on("pageerror", (error) => {
      throw error
    })
    await page.goto(demo.storefront)
    return page
  }

  /** From the shelf to the page on which a payment waits for the payer. */
  async function toPayment(page: Page, method: "sbp" | "crypto"): Promise<void> {
    page.setDefaultTimeout(STEP_MS)
    // Not whatever stands first: of one product there is only one.
    await page.getByTestId(`product-${PRODUCT}`).getByTestId("add-to-cart").click()
    await page.getByTestId("cart-link").click()
    await page.getByTestId("go-to-checkout").click()
    await page.getByTestId("email").fill("shopper@demo.test")
    await page.getByTestId(`method-${method}`).click()
    await page.getByTestId("pay-button").click()
    await page.getByTestId("countdown").waitFor()
  }

  async function orderNumber(page: Page): Promise<string> {
    return await page.getByTestId("order-number").innerText({ timeout: STEP_MS })
  }

  async function transactions(): Promise<{ id: string; redirect: string }[]> {
    const { data } = await axios.get<
      { id: string; redirect: string }[] | { transactions: { id: string; redirect: string }[] }
    >(`${demo.service}/__simulator/transactions`)
    return Array.isArray(data) ? data : data.transactions
  }

  const payerPage = (transaction: { id: string } | undefined) =>
    `${demo.service}/pay/${transaction?.id ?? ""}`

  async function expectCapturedOrder(displayed: string): Promise<void> {
    const signedIn = await axios.post<{ token: string }>(`${demo.backend}/auth/user/emailpass`, {
      email: demo.adminEmail,
      password: demo.adminPassword,
    })
    const { data } = await axios.get<{
      orders: {
        display_id: number
        payment_status: string
        summary: { pending_difference: number }
      }[]
    }>(`${demo.backend}/admin/orders?fields=display_id,payment_status,summary`, {
      headers: { authorization: `Bearer ${signedIn.data.token}` },
    })
    const number = Number(/\d+/.exec(displayed)?.[0])
    const order = data.orders.find(({ display_id }) => display_id === number)
    expect(order?.payment_status).toBe("captured")
    expect(order?.summary.pending_difference).toBe(0)
  }
})

async function firstLine(child: ChildProcess): Promise<Demo> {
  if (!child.stdout) throw new Error("The demo has no output")
  for await (const line of createInterface(child.stdout)) {
    return JSON.parse(line) as Demo
  }
  throw new Error("The demo ended before it was ready")
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0)
  await once(server, "listening")
  const address = server.address()
  server.close()
  if (typeof address !== "object" || !address) throw new Error("No free port")
  return String(address.port)
}
