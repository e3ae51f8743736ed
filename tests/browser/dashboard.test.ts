/// <reference lib="dom" />
import { readFileSync } from "node:fs"

import axios, { type AxiosInstance } from "axios"
import { Client } from "@medusajs/framework/pg"
import type { Page } from "playwright-core"

import texts from "../../admin/i18n"
import { problem, PROBLEM_KINDS, type ProblemKind, textOf } from "../../src/settlement/problems"
import { eventually } from "../integration/eventually"
import { type OpenPayment, Shopper } from "../integration/shopper"
import { PROBLEM_SAMPLES } from "../problem-samples"
import { describeDemo, WIDE } from "./demo-shop"

/** Vite makes each page of the dashboard when it is first asked for, which takes a busy machine a minute. */
const LOAD_MS = 120_000
const LONGEST_MS = 900_000
const SECTION = "/app/payment-service"
const russian = texts.ru.paymentService
const PHONE = { width: 390, height: 844 }

/** Whatever else is there, each of our pages is looked at in each of these ways in the deep run. */
const WAYS: [string, "en" | "ru", typeof WIDE, "light" | "dark"][] = process.env.DEEP
  ? [
      ["wide, in English", "en", WIDE, "light"],
      ["narrow, in Russian", "ru", PHONE, "light"],
      ["wide, in Russian, dark", "ru", WIDE, "dark"],
      ["narrow, in English, dark", "en", PHONE, "dark"],
    ]
  : [["wide, in Russian", "ru", WIDE, "light"]]

describeDemo("the dashboard", { isPrepared: true }, (demo) => {
  jest.setTimeout(LONGEST_MS)
  const errors: string[] = []
  let paid: OpenPayment
  let less: OpenPayment
  let changed: OpenPayment
  let waiting: OpenPayment
  let admin: AxiosInstance

  const simulator = (path: string, body: object = {}) =>
    axios.post(`${demo.addresses.service}/__simulator/transactions/${path}`, body)
  const pay = async ({ data }: OpenPayment, body: object = {}) =>
    await simulator(`${data.transaction_id}/pay`, body)
  const problems = async () => {
    const { data } = await admin.get<{ problems: { id: string; kind: string }[] }>(
      "/admin/payment-service/problems?status=open"
    )
    return data.problems
  }

  beforeAll(async () => {
    const { backend, publishableKey, adminEmail, adminPassword, ...shop } = demo.addresses
    const http = axios.create({
      baseURL: backend,
      headers: { "x-publishable-api-key": publishableKey },
      validateStatus: () => true,
    })
    const shopper = new Shopper({ shop: { ...shop, publishableKey }, http })
    const { data } = await http.post<{ token: string }>("/auth/user/emailpass", {
      email: adminEmail,
      password: adminPassword,
    })
    admin = axios.create({ baseURL: backend, headers: { authorization: `Bearer ${data.token}` } })

    paid = await shopper.checkout("sbp", { email: "paid@shopper.test" })
    await pay(paid)
    less = await shopper.checkout("sbp", { email: "less@shopper.test" })
    await pay(less, { amount: 1000 })
    changed = await shopper.checkout("crypto", { email: "changed@shopper.test" })
    await shopper.addItem(changed.cartId, 1)
    await pay(changed)
    waiting = await shopper.checkout("sbp", { email: "waiting@shopper.test" })
    await eventually("two problems", async () => (await problems()).length === 2, LOAD_MS)
  })

  const logIn = async (
    language: "en" | "ru" = "en",
    viewport = WIDE,
    colorScheme: "light" | "dark" = "light"
  ): Promise<Page> => {
    const page = await demo.open(viewport, language)
    page.setDefaultTimeout(LOAD_MS)
    await page.emulateMedia({ colorScheme })
    await page.addInitScript((code) => localStorage.setItem("lng", code), language)
    errors.splice(0)
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(`${message.text()} ${message.location().url}`)
    })
    const { backend, adminEmail, adminPassword } = demo.addresses
    await page.goto(`${backend}/app/login`)
    await page.locator("input[name=email]").fill(adminEmail)
    await page.locator("input[type=password]").fill(adminPassword)
    await page.keyboard.press("Enter")
    await page.waitForURL((url) => !url.pathname.endsWith("/login"))
    return page
  }
  const visit = async (page: Page, path: string) => {
    await page.goto(`${demo.addresses.backend}${path}`)
    await page.locator("main h1, main h2").first().waitFor()
    // Medusa's own pages have their say in the console, too.
    await page.waitForLoadState("networkidle")
  }

  /** What Medusa's own lists violate, ours may, too: they are made of the same parts. */
  const violationsOfMedusa = async (page: Page) => {
    const looks: string[] = []
    for (const path of ["/app/orders", "/app/products"]) {
      await visit(page, path)
      looks.push(...(await seriousViolations(page)).map((one) => one.looks))
    }
    return looks
  }

  describe.each(WAYS)("%s", (_, language, viewport, scheme) => {
    it("every page is there, in the language of the admin, and fits the screen", async () => {
      const page = await logIn(language, viewport, scheme)
      const [problem] = await problems()
      const { data: foreign } = await axios.post<{ id: string }[]>(
        `${demo.addresses.service}/__simulator/transactions`,
        { amount: 77 }
      )
      const pages = [
        "",
        "/transactions",
        "/transactions?source=service",
        `/transactions/${paid.data.transaction_id}`,
        `/transactions/${less.data.transaction_id}`,
        `/transactions/${waiting.data.transaction_id}`,
        `/records/${foreign[0]?.id ?? ""}`,
        "/problems",
        "/comparison",
        "/subscriptions",
        "/connection",
        `/problems/${problem?.id ?? ""}`,
      ]
      const ofMedusa = process.env.DEEP ? await violationsOfMedusa(page) : []
      const violations: object[] = []
      for (const path of pages) {
        errors.splice(0)
        await visit(page, `${SECTION}${path}`)
        const text = await page.locator("main").innerText()
        expect({ path, untranslated: untranslated(text, language) }).toEqual({
          ...{ path, untranslated: [] },
        })
        expect({ path, errors: errors.filter(isOurs) }).toEqual({ path, errors: [] })
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth
        )
        expect({ path, overflow }).toEqual({ path, overflow: 0 })
        if (process.env.DEEP)
          violations.push(
            ...(await seriousViolations(page))
              .filter(({ looks }) => !ofMedusa.includes(looks))
              .map((one) => ({ path, ...one }))
          )
      }
      expect(violations).toEqual([])
    })
  })

  // The pages above are looked at while there is something to do.
  describe("an admin", () => {
    it("finds a payment by its e-mail address, and leads to its order and back", async () => {
      const page = await logIn()
      await visit(page, `${SECTION}/transactions`)
      await page.getByPlaceholder("Search").fill("paid@shopper.test")
      await page.waitForURL(/q=paid/)
      await page.getByRole("row").nth(1).getByText("Paid", { exact: true }).click()
      await page.getByText("were paid, and Medusa has the payment").waitFor()
      await page.getByRole("link", { name: /^#\d+$/ }).click()
      await page.getByRole("heading", { name: "SBP and crypto payments" }).waitFor()
      await page.getByRole("link", { name: /SBP/ }).last().click()
      await page.getByRole("button", { name: "Check now" }).waitFor()
    })

    it("downloads what the list finds, in each format, in the admin's language", async () => {
      const page = await logIn("ru")
      await visit(page, `${SECTION}/transactions?q=paid%40shopper.test`)
      await page.getByRole("link", { name: "Экспорт" }).click()
      const drawer = page.getByRole("dialog")
      const download = async (format: "CSV" | "Excel" | "JSON") => {
        await drawer.getByRole("radio", { name: format }).click()
        const [file] = await Promise.all([
          page.waitForEvent("download"),
          drawer.getByRole("button", { name: "Скачать" }).click(),
        ])
        await drawer.getByText(file.suggestedFilename()).waitFor()
        return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
      }
      const id = paid.data.transaction_id
      const csv = await download("CSV")
      expect(csv.name).toMatch(/\.csv$/)
      const [header, row, ...rest] = csv.bytes.toString("utf8").trimEnd().split("\r\n")
      expect(header).toMatch(/^\ufeff.*Заказ.*;/)
      expect(row?.split(";")).toContain(id)
      expect(rest).toEqual([])
      const records: unknown = JSON.parse((await download("JSON")).bytes.toString("utf8"))
      expect(records).toEqual([expect.objectContaining({ transaction_id: id })])
      // Another reader than the library that wrote it.
      const { default: readWorkbook } = await import("read-excel-file/node")
      const [sheet] = await readWorkbook((await download("Excel")).bytes)
      expect(sheet?.data[1]).toContain(id)
    })

    it("gets from the overview to what it counts, and chooses another period", async () => {
      const page = await logIn()
      await visit(page, SECTION)
      await page.getByText(/^\d of 4$/).waitFor()
      await page.getByRole("combobox", { name: "Period" }).click()
      await page.getByRole("option", { name: "Last 30 days" }).click()
      await page.waitForURL(/period=last_30_days/)
      await page.getByRole("link", { name: "Less was paid" }).click()
      await page.waitForURL(/problems\?kind/)
      await page.getByRole("row").filter({ hasText: "Less was paid" }).waitFor()
    })

    it("looks into the service's list, and finds what the store never heard of", async () => {
      await simulator("", { amount: 55.5 })
      const page = await logIn()
      await visit(page, `${SECTION}/transactions?source=service`)
      await page.getByRole("combobox", { name: "Time zone" }).click()
      await page.getByRole("option", { name: "Asia/Kamchatka" }).click()
      await page.waitForURL(/zone=Asia%2FKamchatka/)
      await page.getByRole("row").filter({ hasText: "55.50" }).getByText("Unknown").waitFor()
      await page.getByRole("row").filter({ hasText: "55.50" }).click()
      await page.waitForURL(/records/)
      await page.getByText("55.50").first().waitFor()
    })

    it("compares now, and reads a subscription with its charges", async () => {
      const page = await logIn()
      await visit(page, `${SECTION}/comparison`)
      await page.getByRole("button", { name: "Compare now" }).click()
      await page.getByText("The comparison has begun").first().waitFor()
      await page.getByRole("row").filter({ hasText: "Done" }).waitFor()
      await visit(page, `${SECTION}/subscriptions`)
      await page.getByRole("row").nth(1).click()
      await page.waitForURL(/subscriptions\/./)
      await page.getByRole("heading", { name: "Charges" }).waitFor()
    })

    it("asks the service at a click, when a callback was lost", async () => {
      await pay(waiting, { callback: false })
      const page = await logIn()
      await visit(page, `${SECTION}/transactions/${waiting.data.transaction_id}`)
      await page.getByRole("button", { name: "Check now" }).click()
      await page.getByText("The service was asked", { exact: true }).first().waitFor()
      await page.getByRole("main").getByText("Medusa has the payment since").waitFor()
      await page.getByRole("link", { name: /^#\d+$/ }).waitFor()
    })

    it("reads a problem of every kind, and closes it with a note", async () => {
      const page = await logIn("ru")
      const main = page.getByRole("main")
      const { label } = russian.actions.handle
      for (const kind of PROBLEM_KINDS.filter((_, index) => process.env.DEEP ?? index % 8 === 0)) {
        const { id, text } = await openProblemOf(kind, demo.databaseUrl)
        await visit(page, `${SECTION}/problems/${id}`)
        const title = russian.problemKinds[kind]
        await main.getByRole("heading", { name: title, exact: true }).waitFor()
        await page.getByText(text.ru.slice(0, 60)).first().waitFor()
        const button = page.getByRole("button", { name: label })
        const isOver = page.getByText(russian.resolutions.settled)
        await button.or(isOver).first().waitFor()
        // Of some kinds the store sees at once that there is nothing to them.
        if (await isOver.count()) continue
        await button.click()
        const drawer = page.getByRole("dialog")
        await drawer.getByRole("textbox").fill("Разобрались вручную")
        await drawer.getByRole("button", { name: label }).click()
        await main.getByText("Разобрались вручную").waitFor()
      }
      const left = (await problems()).map(({ kind }) => kind).sort()
      expect(left).toEqual(["amount_less", "paid_after_change"])
    })

    it("leads from the badge on every page to a problem, and solves it", async () => {
      const page = await logIn()
      await visit(page, "/app/orders")
      await page.getByRole("link", { name: "2 open problems" }).click()
      await page.getByRole("row").filter({ hasText: "Less was paid" }).click()
      await page.getByRole("button", { name: "Accept the amount" }).click()
      const drawer = page.getByRole("dialog")
      await drawer.getByText("₽1,000 are taken instead of what was asked for").waitFor()
      await drawer.getByRole("button", { name: "Accept the amount" }).click()
      await page.getByText("The payment was accepted").first().waitFor()
      expect((await problems()).map(({ kind }) => kind)).toEqual(["paid_after_change"])

      await visit(page, `${SECTION}/problems`)
      await page.getByRole("row").filter({ hasText: "Paid after the cart changed" }).click()
      await page.getByRole("button", { name: "Refunded outside" }).click()
      const refund = page.getByRole("dialog")
      expect(await refund.getByRole("button", { name: "Refunded outside" }).isDisabled()).toBe(true)
      await refund.getByLabel("What was done").fill("Paid back by bank transfer")
      await refund.getByRole("button", { name: "Refunded outside" }).click()
      await page.getByText("The refund was recorded").first().waitFor()
      expect(await problems()).toEqual([])
    })
  })
})

/** Opens a problem in the store's database, about nothing that the store has. */
async function openProblemOf(kind: ProblemKind, databaseUrl: string) {
  const found = problem(kind, PROBLEM_SAMPLES[kind][0] as never)
  const id = `psprob_of_${kind}`
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `insert into payment_service_problem (id, kind, cause, facts, opened_at, last_seen_at)
       values ($1, $2, $3, $4, now(), now())`,
      [id, kind, `sample:${kind}`, JSON.stringify(found.facts)]
    )
  } finally {
    await client.end()
  }
  return { id, text: textOf(found) }
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

function textsOf(texts: object): string[] {
  return Object.values(texts).flatMap((one: unknown) =>
    typeof one === "string" ? [one] : typeof one === "object" && one ? textsOf(one) : []
  )
}

/**
 * Fonts of the dashboard come from elsewhere, where there is an elsewhere. Medusa has no route for roles while they are
 * switched off.
 */
const isOurs = (message: string) =>
  !message.includes("net::ERR_NAME") && !message.endsWith("/admin/rbac/me/permissions")

async function seriousViolations(page: Page): Promise<{ looks: string; html: string }[]> {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"))
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (root: object) => Promise<{ violations: Violation[] }> }
    }
    // Medusa's frame around our pages is Medusa's.
    return (await axe.run({ include: [["main"]] })).violations
  })
  return found
    .filter(({ impact }) => /serious|critical/.test(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => ({ looks: `${id} ${html.replace(/ (id|href)="[^"]*"/g, "")}`, html }))
    )
}

interface Violation {
  id: string
  impact: string
  nodes: { html: string }[]
}
