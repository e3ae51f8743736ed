/// <reference lib="dom" />
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"

import axios, { type AxiosInstance } from "axios"
import { Client } from "@medusajs/framework/pg"

import texts from "../../../admin/i18n"
import {
  actionsFor,
  problem,
  PROBLEM_KINDS,
  type ProblemKind,
  textOf,
} from "../../../src/problems/rules/problems"
import { eventually } from "../../integration/eventually"
import type { OpenPayment, Shopper } from "../../integration/shopper"
import { PROBLEM_SAMPLES } from "../../problem-samples"
import { CONNECTION, SECTION, WAYS } from "../dashboard-pages"
import { type DemoShop, WIDE } from "../demo-shop"
import { Payouts } from "../payout-pages"

const russian = texts.ru.paymentService

/** Payments, problems, and what the service lists. */
export function paymentPages(demo: DemoShop): void {
  const payouts = new Payouts(demo)
  const { dashboard } = payouts
  let paid: OpenPayment
  let less: OpenPayment
  let changed: OpenPayment
  let waiting: OpenPayment
  /** The order and the customer of what was paid. */
  let bought: { order_id: string; customer_id: string }
  let admin: AxiosInstance
  let shopper: Shopper

  const simulator = (path: string, body: object = {}) =>
    axios.post(`${demo.addresses.service}/__simulator/transactions/${path}`, body)
  const pay = async ({ data }: OpenPayment, body: object = {}) =>
    await simulator(`${data.transaction_id}/pay`, body)
  const problems = async () => {
    const { data } = await admin.get<{
      problems: { id: string; kind: string; message: string; transaction_id: string | null }[]
    }>("/admin/payment-service/problems?status=open")
    return data.problems
  }

  /** When the watcher looked last. */
  const lookedAt = async () => {
    const { data } = await admin.get<{ looked_at: string }>("/admin/payment-service/watcher")
    return data.looked_at
  }

  beforeAll(async () => {
    shopper = payouts.shopper()
    admin = await dashboard.client()

    paid = await shopper.checkout("sbp", { email: "paid@shopper.test" })
    await pay(paid)
    less = await shopper.checkout("sbp", { email: "less@shopper.test" })
    await pay(less, { amount: 1000 })
    changed = await shopper.checkout("crypto", { email: "changed@shopper.test" })
    await shopper.addItem(changed.cartId, 1)
    await pay(changed)
    waiting = await shopper.checkout("sbp", { email: "waiting@shopper.test" })
    await eventually("two problems", async () => (await problems()).length === 2)
    bought = await orderOf(paid)
  })

  // A test that fails leaves no fault to the next one.
  afterEach(() => axios.delete(`${demo.addresses.service}/__simulator/faults`))

  const orderOf = async ({ data }: OpenPayment) =>
    await eventually("an order", async () => {
      const answer = await admin.get<{
        transaction: typeof bought & { settled_at: string | null }
      }>(`/admin/payment-service/transactions/${data.transaction_id}`)
      return answer.data.transaction.settled_at !== null && answer.data.transaction
    })

  describe.each(WAYS)("%s", (_, language, viewport, scheme) => {
    it("every page is there, in the language of the admin, and fits the screen (promise 21)", async () => {
      const page = await dashboard.logIn(language, viewport, scheme)
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
        CONNECTION,
        `/problems/${problem?.id ?? ""}`,
      ]
      for (const path of pages) await dashboard.expectSound(page, path, language)
      const widget = `[role=region][aria-label="${texts[language].paymentService.name}"]`
      for (const path of [`orders/${bought.order_id}`, `customers/${bought.customer_id}`]) {
        await dashboard.expectSound(page, `/app/${path}`, language, widget)
      }
    })
  })

  // The pages above are looked at while there is something to do.
  describe("an admin", () => {
    it("downloads what the list finds, in each format, in the admin's language", async () => {
      const page = await dashboard.logIn("ru")
      await dashboard.visit(page, `${SECTION}/transactions?q=paid%40shopper.test`)
      await page.getByRole("button", { name: "Экспорт" }).click()
      const drawer = page.getByRole("dialog")
      const download = async (format: "CSV" | "Excel" | "JSON") => {
        await drawer.getByRole("radio", { name: format }).click()
        const [file] = await Promise.all([
          page.waitForEvent("download"),
          drawer.getByRole("button", { name: "Скачать" }).click(),
        ])
        await drawer.getByRole("status").getByText(file.suggestedFilename()).waitFor()
        return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
      }
      const id = paid.data.transaction_id
      const csv = await download("CSV")
      expect(csv.name).toMatch(/\.csv$/)
      const [header, row, ...rest] = csv.bytes.toString("utf8").trimEnd().split("\r\n")
      expect(header).toMatch(/^\ufeff.*Заказ.*;/)
      expect(row?.split(";")).toContain(`"${id}"`)
      expect(rest).toEqual([])
      const records: unknown = JSON.parse((await download("JSON")).bytes.toString("utf8"))
      expect(records).toEqual([expect.objectContaining({ transaction_id: id })])
      // Another reader than the library that wrote it.
      const { default: readWorkbook } = await import("read-excel-file/node")
      const [sheet] = await readWorkbook((await download("Excel")).bytes)
      expect(sheet?.data[1]).toContain(id)

      // One that breaks off half-way is said to have, and nothing is saved.
      const faults = `${demo.addresses.service}/__simulator/faults`
      await dashboard.visit(page, `${SECTION}/transactions?source=service`)
      await page.getByRole("row").nth(1).waitFor()
      await page.getByRole("button", { name: "Экспорт" }).click()
      await drawer.getByRole("radio", { name: "JSON" }).click()
      await axios.post(faults, { on: "export", kind: "cut" })
      await drawer.getByRole("button", { name: "Скачать" }).click()
      await drawer.getByText("Экспорт прервался, ничего не сохранено.").waitFor()
    })

    it("gets from the overview to what it counts, and chooses another period", async () => {
      const page = await dashboard.logIn()
      await dashboard.visit(page, SECTION)
      const chart = page.getByRole("figure", { name: "Paid in RUB by day and method" })
      const day = chart.getByRole("slider", { name: "Day" })
      await day.focus()
      await page
        .getByRole("tooltip")
        .getByText(/^₽[\d,]+\.\d\d$/)
        .first()
        .waitFor()
      expect(await day.getAttribute("aria-valuetext")).toMatch(/, SBP ₽[1-9]/)
      await page.keyboard.press("ArrowLeft")
      expect(await day.getAttribute("aria-valuetext")).toMatch(/, SBP ₽0.00$/)
      await page.keyboard.press("Escape")
      await page.getByRole("tooltip").waitFor({ state: "detached" })
      await page.getByRole("combobox", { name: "Period" }).click()
      await page.getByRole("option", { name: "Last 30 days" }).click()
      await page.waitForURL(/period=last_30_days/)
      await page.getByRole("heading", { name: "Paid", exact: true }).getByRole("link").click()
      await page.waitForURL(/paid_at=/)
      await page.getByText(/of 3 results/).waitFor()
      await page.goBack()
      await page.getByRole("link", { name: "Another sum was paid" }).click()
      await page.waitForURL(/problems\?kind/)
      await page.getByRole("row").filter({ hasText: "Another sum was paid" }).waitFor()
    })

    it("looks into the service's list, and finds what the store never heard of", async () => {
      const { data: made } = await axios.post<{ id: string }[]>(
        `${demo.addresses.service}/__simulator/transactions`,
        { amount: 1055.5 }
      )
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/transactions?source=service`)
      await page.getByRole("combobox", { name: "Period" }).click()
      await page.getByRole("option", { name: "Last 90 days" }).click()
      // The address changes before the page does, and Medusa's search writes the address that the page was drawn with.
      await page.getByRole("combobox", { name: "Period" }).getByText("Last 90 days").waitFor()
      await page.waitForURL(/period=last_90_days/)
      await page.getByText(/^Fetched from the service [^·]+$/).waitFor()
      await page.getByPlaceholder("Search").fill("₽1,055.50")
      await page.getByText(/of 1 results/).waitFor()
      await axios.post(`${demo.addresses.service}/__simulator/faults`, {
        // The watcher reads other payments meanwhile.
        on: "get",
        kind: "body",
        transactionId: made[0]?.id,
        body: {
          id: made[0]?.id,
          status: "PENDING",
          amountUsdt: 13.25,
          paymentDetails: { amount: 1055.5, currency: "RUB" },
        },
      })
      await page.getByRole("row").filter({ hasText: "1,055.50" }).getByText("Unknown").click()
      await page.waitForURL(/records\/[0-9a-f-]{36}$/)
      await page.getByRole("heading", { name: "The service's record" }).waitFor()
      await page.getByText("This store does not know this transaction.").waitFor()
      await page.getByText("₽1,055.50", { exact: true }).waitFor()
      await page.getByText("13.25 USDT", { exact: true }).waitFor()
    })

    it("compares now, and reads a subscription with its charges", async () => {
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/comparison`)
      await page.getByRole("button", { name: "Compare now" }).click()
      await page.getByText("The comparison has begun").first().waitFor()
      const run = page.getByRole("row").filter({ hasText: "Done" })
      await run.click()
      await page.getByRole("heading", { name: "What a person has to look at" }).waitFor()
      await dashboard.visit(page, `${SECTION}/subscriptions`)
      await page.getByRole("row").nth(1).click()
      await page.waitForURL(/subscriptions\/./)
      await page.getByRole("heading", { name: "Charges" }).waitFor()
    })

    it("asks the service at a click, when a callback was lost (promise 3)", async () => {
      await pay(waiting, { callback: false })
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/transactions/${waiting.data.transaction_id}`)
      await page.getByRole("button", { name: "Check now" }).click()
      await page.getByText("Checked with the service", { exact: true }).first().waitFor()
      await page.getByRole("main").getByText("and Medusa has the payment").waitFor()
      await page.getByRole("link", { name: /^#\d+$/ }).waitFor()
    })

    it("reads a problem of every kind, and closes it with a note", async () => {
      const page = await dashboard.logIn("ru")
      const main = page.getByRole("main")
      const { label } = russian.actions.handle
      const kinds = PROBLEM_KINDS.filter((kind) => actionsFor(kind, false).includes("handle"))
      const opened = []
      for (const kind of kinds.filter((_, index) => process.env.DEEP ?? index % 8 === 0)) {
        opened.push({ kind, ...(await openProblemOf(kind, demo.databaseUrl)) })
      }
      // Of some kinds the store sees at its next look that there is nothing to them, and closes them: not under the admin's hands.
      for (let looks = 0; looks < 2; looks++) {
        const before = await lookedAt()
        await eventually("another look", async () => (await lookedAt()) !== before)
      }
      for (const { kind, id, text } of opened) {
        await dashboard.visit(page, `${SECTION}/problems/${id}`)
        const title = russian.problemKinds[kind]
        await main.getByRole("heading", { name: title, exact: true }).waitFor()
        await page.getByText(text.ru.slice(0, 60)).first().waitFor()
        const button = page.getByRole("button", { name: label })
        const menu = page.getByRole("button", { name: russian.actions.others })
        const isOver = page.getByText(russian.resolutions.settled)
        await button.or(menu).or(isOver).first().waitFor()
        if (await isOver.count()) continue
        if (await button.count()) await button.click()
        else await dashboard.chooseOther(page, label, russian.actions.others)
        const drawer = page.getByRole("dialog")
        // As in Medusa's own drawers, the keys do what the button does, which without a note is to ask for it.
        const note = drawer.getByRole("textbox")
        await note.press("Control+Enter")
        await drawer.getByRole("alert").getByText(russian.required).waitFor()
        await note.fill("Разобрались вручную")
        await note.press("Control+Enter")
        await main.getByText("Разобрались вручную").or(isOver).first().waitFor()
      }
      const left = (await problems()).map(({ kind }) => kind).sort()
      expect(left).toEqual(["amount_differs", "paid_after_change"])
    })

    it("sees of closed problems how and by whom they ended", async () => {
      const { id: other } = await openProblemOf("payment_not_here", demo.databaseUrl, "55.5")
      const { id: unreadable } = await openProblemOf("callback_unreadable", demo.databaseUrl)
      for (const [id, amount] of [
        [other, "55.5"],
        [unreadable, null],
      ] as const) {
        const note = "Of our other shop"
        await admin.post(`/admin/payment-service/problems/${id}/handle`, { note, amount })
      }
      const page = await dashboard.logIn()
      const list = `${SECTION}/problems`
      // The badge on every page leads there.
      await dashboard.visit(page, "/app/orders")
      await page.getByRole("link", { name: "2 open problems" }).click()
      await page.waitForURL((url) => url.pathname.endsWith(list))
      // The closed ones show how and by whom they ended, the last one first, and are searched like all others.
      const ended = "marked as handled · Demo · Of our other shop"
      await dashboard.visit(page, `${list}?status=%22closed%22`)
      await page.getByText(ended).nth(1).waitFor()
      expect(await page.getByText(ended).count()).toBe(2)
      // They fit the screen in the longer language, too.
      const russianPage = await dashboard.logIn("ru")
      await dashboard.expectSound(russianPage, "/problems?status=%22closed%22", "ru")
    })

    it("places the order of a changed cart, and copies there and on its problem's page a link by which the rest is paid (promise 8)", async () => {
      const changed = await shopper.checkout("sbp", { email: "rest@shopper.test" })
      await shopper.addItem(changed.cartId, 1)
      await pay(changed)
      const { id } = await eventually("its problem", async () => {
        const { data } = await admin.get<{ problems: Owed[] }>(
          "/admin/payment-service/problems?status=open&q=rest%40shopper.test"
        )
        return data.problems[0]
      })
      const page = await dashboard.logIn()
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await dashboard.visit(page, `${SECTION}/problems/${id}`)
      await page.getByRole("button", { name: "Place the order" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Place the order" }).click()
      await page.getByText("but there is another one: Order not fully paid").first().waitFor()
      await page.getByRole("button", { name: "Open it" }).click()
      await page.getByRole("main").getByRole("heading", { name: "Order not fully paid" }).waitFor()
      const owedId = new URL(page.url()).pathname.split("/").at(-1) ?? ""
      const { data } = await admin.get<{ problem: Owed }>(
        `/admin/payment-service/problems/${owedId}`
      )
      const owed = data.problem
      const links: string[] = []
      for (const path of [`${SECTION}/problems/${owed.id}`, `/app/orders/${owed.order_id ?? ""}`]) {
        await dashboard.visit(page, path)
        await page.evaluate(() => navigator.clipboard.writeText(""))
        const sum = Number(owed.amount).toFixed(2)
        await page.getByRole("button", { name: `Copy payment link (₽${sum})` }).click()
        links.push(await page.evaluate(() => navigator.clipboard.readText()))
      }
      const [link = "", same] = links
      expect(link).toMatch(/\/payment-collection\/pay_col_\w+$/)
      expect(same).toBe(link)

      const payer = await demo.open(WIDE, "en")
      await payer.goto(link)
      await payer.getByTestId("pay-button").click()
      await payer.getByTestId("open-payment").click()
      await payer.click("#pay")
      await payer.getByTestId("payment-status").and(payer.locator('[data-state="paid"]')).waitFor()
      await eventually("nothing is owed", async () => {
        const { data } = await admin.get<{ problem: { closed_at: string | null } }>(
          `/admin/payment-service/problems/${owed.id}`
        )
        return data.problem.closed_at
      })
    })

    it("checks the connection (promise 10)", async () => {
      const page = await dashboard.logIn()
      const main = page.getByRole("main")
      await dashboard.visit(page, CONNECTION)
      await main.getByText("Not checked yet").first().waitFor()
      await main.getByText("Switched on", { exact: true }).waitFor()
      await main.getByRole("button", { name: "Check now" }).click()
      await page.getByText("Checked with the service", { exact: true }).first().waitFor()
      // The merchant's secret, and the secret for signatures.
      const accepted = main.getByText(/^Accepted/)
      await accepted.nth(1).waitFor()
      expect(await accepted.count()).toBe(2)
      await main.getByText(/^Differs from ours by \d+ s$/).waitFor()
    })
  })
}

interface Owed {
  id: string
  amount: string
  order_id: string | null
}

/** Opens a problem in the store's database, about nothing that the store has. */
async function openProblemOf(kind: ProblemKind, databaseUrl: string, amount: string | null = null) {
  const found = problem(kind, PROBLEM_SAMPLES[kind][0] as never)
  const id = `psprob_${randomUUID()}`
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `insert into payment_service_problem
       (id, kind, cause, facts, amount, currency, opened_at, last_seen_at)
     values ($1, $2, $3, $4, $5, 'RUB', now(), now())`,
    [id, kind, `sample:${kind}`, JSON.stringify(found.facts), amount]
  )
  await client.end()
  return { id, text: textOf(found) }
}
