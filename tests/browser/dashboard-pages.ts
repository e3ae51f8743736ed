/// <reference lib="dom" />
import { readFileSync } from "node:fs"

import axios, { type AxiosInstance } from "axios"
import type { Page } from "playwright-core"

import texts from "../../admin/i18n"
import { type DemoShop, WIDE } from "./demo-shop"

export const SECTION = "/app/payment-service"
export const SETTINGS = "/app/settings/sbp-crypto"
export const CONNECTION = `${SETTINGS}?tab=connection`
export const PHONE = { width: 390, height: 844 }

type Language = "en" | "ru"

/** The deep run looks at each of our pages in each of these ways. */
export const WAYS: [string, Language, typeof WIDE, "light" | "dark"][] = process.env.DEEP
  ? [
      ["wide, in English", "en", WIDE, "light"],
      ["narrow, in Russian", "ru", PHONE, "light"],
      ["wide, in Russian, dark", "ru", WIDE, "dark"],
      ["narrow, in English, dark", "en", PHONE, "dark"],
    ]
  : [["wide, in Russian", "ru", WIDE, "light"]]

/** The dashboard of a demo, as its admins see it. */
export class Dashboard {
  private readonly errors: string[] = []
  /** The addresses that the pages of this test have asked for in vain. */
  private missing: string[] = []

  constructor(private readonly demo: DemoShop) {
    afterEach(() => {
      const seen = this.missing
      // A late answer to a page of this test does not count for the next one.
      this.missing = []
      expect(seen).toEqual([])
    })
  }

  /** A client that asks the store as an admin, without a browser. */
  async client(who?: { email: string; password: string }): Promise<AxiosInstance> {
    const { backend, adminEmail, adminPassword } = this.demo.addresses
    const { data } = await axios.post<{ token: string }>(
      `${backend}/auth/user/emailpass`,
      who ?? { email: adminEmail, password: adminPassword }
    )
    return axios.create({ baseURL: backend, headers: { authorization: `Bearer ${data.token}` } })
  }

  async logIn(
    language: Language = "en",
    viewport = WIDE,
    colorScheme: "light" | "dark" = "light",
    who?: { email: string; password: string }
  ): Promise<Page> {
    const { backend, adminEmail, adminPassword } = this.demo.addresses
    const email = who?.email ?? adminEmail
    const page = await this.demo.openKept(
      [email, language, viewport.width].join(),
      viewport,
      language,
      async (first) => {
        await first.context().addInitScript((code) => {
          // The empty page that each new one begins with has no storage.
          if (location.protocol !== "about:") localStorage.setItem("lng", code)
        }, language)
        await first.goto(`${backend}/app/login`)
        await first.locator("input[name=email]").fill(email)
        await first.locator("input[type=password]").fill(who?.password ?? adminPassword)
        await first.keyboard.press("Enter")
        await first.waitForURL((url) => !url.pathname.endsWith("/login"))
      }
    )
    await page.emulateMedia({ colorScheme })
    this.errors.splice(0)
    const { missing } = this
    page.on("console", (message) => {
      if (message.type() === "error") {
        this.errors.push(`${message.text()} ${message.location().url}`)
      }
    })
    page.on("response", (response) => {
      if (response.status() === 404) missing.push(response.url())
    })
    return page
  }

  async visit(page: Page, path: string): Promise<void> {
    await page.goto(`${this.demo.addresses.backend}${path}`)
    await page.locator("main h1, main h2").first().waitFor()
    // Medusa's own pages have their say in the console, too.
    await page.waitForLoadState("networkidle")
  }

  /**
   * Opens a page of ours, or one of Medusa's with a part of ours, and expects it in this language, as wide as the screen and
   * without errors; in the deep run without barriers, too.
   *
   * @param path within our section; of Medusa's own page, the whole one
   * @param within what is ours of it: Medusa's frame around our pages is Medusa's
   */
  async expectSound(page: Page, path: string, language: Language, within = "main"): Promise<void> {
    this.errors.splice(0)
    await this.visit(page, path.startsWith("/app/") ? path : `${SECTION}${path}`)
    const part = page.locator(within)
    await part.first().waitFor()
    const text = await part.first().innerText()
    expect({ path, untranslated: untranslated(text, language) }).toEqual({
      path,
      untranslated: [],
    })
    expect({ path, errors: this.errors.filter(isOurs) }).toEqual({ path, errors: [] })
    await this.expectUsable(page, within)
  }

  /** Chooses one of the actions that a problem does not propose first. */
  async chooseOther(page: Page, label: string, menu = "Other actions"): Promise<void> {
    await page.getByRole("button", { name: menu }).click()
    await page.getByRole("menuitem", { name: label }).click()
  }

  /** Expects what is open now as wide as the screen; in the deep run without barriers, too. */
  async expectUsable(page: Page, within: string): Promise<void> {
    await page.locator(within).first().waitFor()
    const path = new URL(page.url()).pathname
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth
    )
    expect({ path, overflow }).toEqual({ path, overflow: 0 })
    if (process.env.DEEP) await this.expectNoBarriers(page, within)
  }

  /** Expects no serious violation that axe finds. */
  async expectNoBarriers(page: Page, within: string): Promise<void> {
    let found: string[] = []
    // A button that changes its colour during the first look has its new one at the next.
    for (let looks = 0; looks < 3; looks++) {
      await leaveButton(page)
      found = await seriousViolations(page, within)
      if (!found.length) break
    }
    expect({ url: page.url(), found }).toEqual({ url: page.url(), found: [] })
  }
}

/** Keys that have no text, and in Russian our English texts. */
function untranslated(text: string, language: "en" | "ru"): string[] {
  const keys = text.match(/\b[a-z]+(\.[a-z_A-Z]+)+\b/g) ?? []
  const ourKeys = keys.filter((key) => key.split(".")[0]! in texts.en.paymentService)
  if (language === "en") return ourKeys
  const russian = new Set(textsOf(texts.ru.paymentService))
  const foreign = textsOf(texts.en.paymentService).filter(
    (one) => /[a-z]{4}/.test(one) && !one.includes("{{") && !russian.has(one)
  )
  return [...ourKeys, ...foreign.filter((one) => text.split("\n").includes(one))]
}

function textsOf(group: object): string[] {
  return Object.values(group).flatMap((one: unknown) =>
    typeof one === "string" ? [one] : typeof one === "object" && one ? textsOf(one) : []
  )
}

/**
 * Fonts of the dashboard come from elsewhere, where there is an elsewhere. Medusa's page for development, which takes itself up
 * again when Vite has news of a file, warns of that.
 */
const isOurs = (message: string) =>
  !message.includes("net::ERR_NAME") &&
  // React warns of a paragraph in Medusa's own page of an order.
  !(message.includes("validateDOMNesting") && message.includes("/order-detail-")) &&
  !message.includes("ReactDOMClient.createRoot() on a container that has already been passed")

/**
 * In the dark, a button of Medusa's under the mouse has too little contrast, and so has everything while it changes its colour or
 * fades in. Animations without an end, as those of places that wait for their data, are not waited for.
 */
const leaveButton = async (page: Page) => {
  await page.mouse.move(0, 0)
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

/** Icons without a name in Medusa's table (filter, its removal, sorting, search), in its modals (close) and combobox (clear). */
const MEDUSAS_OWN = [
  "button[aria-haspopup=menu]",
  "button.size-7.text-ui-fg-muted",
  "div[role=img].pointer-events-none",
  "div:has(> kbd) > button",
  "div:has(> input[role=combobox]) ~ button",
]

async function seriousViolations(page: Page, within: string): Promise<string[]> {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"))
  const asked = { include: [[within]], exclude: MEDUSAS_OWN.map((part) => [part]) }
  const found = await page.evaluate(async (root) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (root: object) => Promise<{ violations: Violation[] }> }
    }
    return (await axe.run(root)).violations
  }, asked)
  return found
    .filter(({ impact }) => /serious|critical/.test(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

interface Violation {
  id: string
  impact: string
  nodes: { html: string }[]
}
