import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import path from "node:path"
import { createInterface } from "node:readline"

import axios from "axios"
import type { Browser, BrowserContext, Page } from "playwright-core"

import { products } from "../../demo/products"
import { createDatabase, databaseUrl, dropDatabase } from "../instances/database"
import { eventually } from "../integration/eventually"
import { onceInARun } from "../once-in-a-run"
import { builtDashboard, medusaIn } from "../package/installed-store"
import { LONGEST_BUILD_MS, PATIENCE_MS } from "../patience"
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
  secondAdminEmail: string
  secondAdminPassword: string
  /** The values to enter in an empty shop. */
  setUp?: Record<
    "backendUrl" | "baseUrl" | "merchantId" | "secret" | "paidStatus" | "resultPage",
    string
  >
}

interface Transaction {
  id: string
  redirect: string
}

type Language = "ru" | "en"
interface Viewport {
  width: number
  height: number
}

export const WIDE = { width: 1280, height: 900 }
export const NARROW = { width: 360, height: 740 }
const PRODUCT = products.find(({ stock }) => stock > 10)?.sku ?? ""

const ROOT = path.resolve(__dirname, "../..")

/** This repository's dashboard, built for production as a store builds its own; once in a test run. */
const dashboardOfSources = () =>
  onceInARun("dashboard-of-sources", async () => {
    // A developer's `.env` is not built into it.
    const built = { NODE_ENV: "production", MEDUSA_BACKEND_URL: "/", STOREFRONT_URL: "" }
    await medusaIn(ROOT, ["build", "--admin-only"], built)
    return path.join(ROOT, ".medusa/admin")
  })

/**
 * The demo, seen through the pages that a shopper sees; one for the tests of a file. It starts as for a
 * newcomer but without a history, or on a copy of the tests' prepared shop and with a dashboard that is built, which takes less time.
 */
export function describeDemo(
  name: string,
  {
    settings = {},
    isPrepared = false,
    dashboard,
    isEmpty = false,
    hasHistory = false,
  }: {
    settings?: Record<string, string>
    isPrepared?: boolean
    /** Built of this repository, or of a store that the packed package is installed into; else the store makes it of its sources. */
    dashboard?: "built" | "packed"
    /** Whether it has no account yet. */
    isEmpty?: boolean
    /** Whether a week of payments lies behind it. */
    hasHistory?: boolean
  },
  tests: (demo: DemoShop) => void
): void {
  describeInBrowser(name, () => {
    const shop = new DemoShop()
    let database: string | undefined
    beforeAll(async () => {
      const prepared: Record<string, string> = {}
      if (isPrepared) {
        database = await createDatabase()
        prepared.DATABASE_URL = databaseUrl(database)
        prepared.DATABASE_IS_MIGRATED = "true"
      }
      if (dashboard) {
        const build = dashboard === "packed" ? builtDashboard : dashboardOfSources
        prepared.BUILT_DASHBOARD = await build()
      }
      await shop.start(
        { ...prepared, ...settings },
        isEmpty ? ["--empty"] : hasHistory ? [] : ["--no-history"]
      )
    }, LONGEST_BUILD_MS)
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
  private readonly kept = new Map<string, BrowserContext>()

  async start(settings: Record<string, string>, options: string[]): Promise<void> {
    this.settings = settings
    this.folder = mkdtempSync(path.join(await fastFolder(), "browser-demo-"))
    chmodSync(this.folder, 0o755)
    this.child = spawn(process.execPath, ["demo/start.mjs", "--json", ...options], {
      cwd: ROOT,
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
    const kept = [...this.kept.values()].flatMap((window) => window.pages().slice(1))
    for (const page of [...(this.context?.pages() ?? []), ...kept]) {
      // An answer that a test was changing when it ended would fail for want of its page.
      await page.unrouteAll({ behavior: "ignoreErrors" })
      await page.close()
    }
    await this.context?.close()
    this.context = undefined
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

  /** The storefront, in a browser that has never seen it. */
  async open(viewport: Viewport, language: Language): Promise<Page> {
    this.context = await this.newWindow(viewport, language)
    const page = await newPage(this.context)
    await page.goto(this.addresses.storefront)
    return page
  }

  /**
   * A page in a browser that is kept with what it has seen, until all tests of the file are over.
   *
   * @param prepare for the first page in it
   */
  async openKept(
    name: string,
    viewport: Viewport,
    language: Language,
    prepare: (page: Page) => Promise<void>
  ): Promise<Page> {
    const known = this.kept.get(name)
    if (known) return await newPage(known)
    const window = await this.newWindow(viewport, language)
    const first = await newPage(window)
    await prepare(first)
    // It stays open and does nothing: see `launchChromium`.
    await first.goto(`${this.addresses.backend}/health`)
    this.kept.set(name, window)
    return await newPage(window)
  }

  private async newWindow(viewport: Viewport, language: Language): Promise<BrowserContext> {
    if (!this.browser) throw new Error("The browser runs only while tests do")
    const locale = language === "ru" ? "ru-RU" : "en-US"
    const window = await this.browser.newContext({ viewport, locale })
    window.setDefaultTimeout(PATIENCE_MS)
    return window
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
        id: string
        display_id: number
        payment_status: string
        summary: { pending_difference: number }
      }[]
    }>(`${backend}/admin/orders?fields=id,display_id,payment_status,summary`, {
      headers: { authorization: `Bearer ${signedIn.data.token}` },
    })
    return data.orders
  }

  async expectCapturedOrder(displayed: string): Promise<void> {
    const number = Number(/\d+/.exec(displayed)?.[0])
    // An order that was placed first has its number before its money.
    const order = await eventually(`order ${number} is captured`, async () => {
      const found = (await this.orders()).find(({ display_id }) => display_id === number)
      return found?.payment_status === "captured" && found
    })
    expect(order.summary.pending_difference).toBe(0)
  }
}

async function newPage(window: BrowserContext): Promise<Page> {
  const page = await window.newPage()
  page.on("pageerror", (error) => {
    throw error
  })
  return page
}

async function firstLine(child: ChildProcess): Promise<Demo> {
  if (!child.stdout) throw new Error("The demo has no output")
  for await (const line of createInterface(child.stdout)) {
    return JSON.parse(line) as Demo
  }
  throw new Error("The demo ended before it was ready")
}
