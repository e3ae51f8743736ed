import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import path from "node:path"
import { createInterface } from "node:readline"

import axios from "axios"
import type { Browser, BrowserContext, Page } from "playwright-core"

import { products } from "../../demo/products"
import { createDatabase, databaseUrl, dropDatabase } from "../instances/database"
import { PATIENCE_MS } from "../patience"
import { fastFolder } from "../postgres"
import { describeInBrowser, launchChromium } from "./chromium"

interface Demo {
  publishableKey: string
  regionId: string
  variantIds: string[]
  paymentLink: string
  storefront: string
  backend: string
  service: string
  adminEmail: string
  adminPassword: string
}

interface Transaction {
  id: string
  redirect: string
}

export const WIDE = { width: 1280, height: 900 }
export const NARROW = { width: 360, height: 740 }
const PRODUCT = products.find(({ stock }) => stock > 10)?.sku ?? ""

/**
 * The demo, seen through the pages that a shopper sees; one for the tests of a file. It starts as for a
 * newcomer, or on a copy of the tests' prepared shop, which takes less time.
 */
export function describeDemo(
  name: string,
  {
    settings = {},
    isPrepared = false,
  }: { settings?: Record<string, string>; isPrepared?: boolean },
  tests: (demo: DemoShop) => void
): void {
  describeInBrowser(name, () => {
    const shop = new DemoShop()
    let database: string | undefined
    beforeAll(async () => {
      if (isPrepared) database = await createDatabase()
      await shop.start(database ? { ...settings, DATABASE_URL: databaseUrl(database) } : settings)
    })
    afterAll(async () => {
      await shop.stop()
      if (database) await dropDatabase(database)
    })
    afterEach(() => shop.closePages())
    tests(shop)
  })
}

export class DemoShop {
  private folder = ""
  private settings: Record<string, string> = {}
  private demo: Demo | undefined
  private child: ChildProcess | undefined
  private browser: Browser | undefined
  private context: BrowserContext | undefined

  async start(settings: Record<string, string>): Promise<void> {
    this.settings = settings
    this.folder = mkdtempSync(path.join(await fastFolder(), "browser-demo-"))
    chmodSync(this.folder, 0o755)
    this.child = spawn(process.execPath, ["demo/start.mjs", "--json"], {
      cwd: path.resolve(__dirname, "../.."),
      env: {
        ...process.env,
        NODE_ENV: "development",
        NODE_OPTIONS: "",
        DEMO_DATA_FOLDER: this.folder,
        DASHBOARD_CACHE_FOLDER: path.join(this.folder, "dashboard"),
        PORT: "0",
        STOREFRONT_PORT: "0",
        SIMULATOR_PORT: "0",
        ...settings,
      },
      stdio: ["ignore", "pipe", "inherit"],
    })
    this.demo = await firstLine(this.child)
    this.browser = await launchChromium()
  }

  async stop(): Promise<void> {
    await this.browser?.close()
    if (this.child) {
      this.child.kill("SIGTERM")
      await once(this.child, "exit")
    }
    if (this.folder) rmSync(this.folder, { recursive: true, force: true })
  }

  async closePages(): Promise<void> {
    await this.context?.close()
  }

  get addresses(): Demo {
    if (!this.demo) throw new Error("The demo runs only while tests do")
    return this.demo
  }

  /** The database of a demo that has begun on a copy of the prepared shop. */
  get databaseUrl(): string {
    return this.settings.DATABASE_URL ?? ""
  }

  /** The browser window of the page that was opened last. */
  get window(): BrowserContext {
    if (!this.context) throw new Error("No page is open")
    return this.context
  }

  async open(viewport: { width: number; height: number }, language: "ru" | "en"): Promise<Page> {
    if (!this.browser) throw new Error("The browser runs only while tests do")
    const locale = language === "ru" ? "ru-RU" : "en-US"
    this.context = await this.browser.newContext({ viewport, locale })
    this.context.setDefaultTimeout(PATIENCE_MS)
    const page = await this.context.newPage()
    page.on("pageerror", (error) => {
      throw error
    })
    await page.goto(this.addresses.storefront)
    return page
  }

  /** From the shelf to the page on which a payment waits for the payer. */
  async toPayment(page: Page, method: "sbp" | "crypto"): Promise<void> {
    // Not whatever stands first: of one product there is only one.
    await page.getByTestId(`product-${PRODUCT}`).getByTestId("add-to-cart").click()
    await page.getByTestId("cart-link").click()
    await page.getByTestId("go-to-checkout").click()
    await page.getByTestId("email").fill("shopper@demo.test")
    await page.getByTestId(`method-${method}`).click()
    await page.getByTestId("pay-button").click()
    await page.getByTestId("countdown").waitFor()
  }

  async orderNumber(page: Page): Promise<string> {
    return await page.getByTestId("order-number").innerText()
  }

  async transactions(): Promise<Transaction[]> {
    const { data } = await axios.get<Transaction[] | { transactions: Transaction[] }>(
      `${this.addresses.service}/__simulator/transactions`
    )
    return Array.isArray(data) ? data : data.transactions
  }

  payerPage(transaction: { id: string } | undefined): string {
    return `${this.addresses.service}/pay/${transaction?.id ?? ""}`
  }

  /** Every order as the dashboard shows it. */
  async orders() {
    const { backend, adminEmail, adminPassword } = this.addresses
    const signedIn = await axios.post<{ token: string }>(`${backend}/auth/user/emailpass`, {
      email: adminEmail,
      password: adminPassword,
    })
    const { data } = await axios.get<{
      orders: {
        display_id: number
        payment_status: string
        summary: { pending_difference: number }
      }[]
    }>(`${backend}/admin/orders?fields=display_id,payment_status,summary`, {
      headers: { authorization: `Bearer ${signedIn.data.token}` },
    })
    return data.orders
  }

  async expectCapturedOrder(displayed: string): Promise<void> {
    const number = Number(/\d+/.exec(displayed)?.[0])
    const order = (await this.orders()).find(({ display_id }) => display_id === number)
    expect(order?.payment_status).toBe("captured")
    expect(order?.summary.pending_difference).toBe(0)
  }
}

async function firstLine(child: ChildProcess): Promise<Demo> {
  if (!child.stdout) throw new Error("The demo has no output")
  for await (const line of createInterface(child.stdout)) {
    return JSON.parse(line) as Demo
  }
  throw new Error("The demo ended before it was ready")
}
