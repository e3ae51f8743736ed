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
import { type OpenPayment, Shopper } from "../../integration/shopper"
import { PROBLEM_SAMPLES } from "../../problem-samples"
import { Dashboard, PHONE, CONNECTION, SECTION, serviceListSince, WAYS } from "../dashboard-pages"
import { type DemoShop, WIDE } from "../demo-shop"

const russian = texts.ru.paymentService

/** Payments, problems, and what the service lists. */
export function paymentPages(demo: DemoShop): void {
  const dashboard = new Dashboard(demo)
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
  const inDatabase = (statement: string, values: unknown[] = []) =>
    runIn(demo.databaseUrl, statement, values)
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
    const { backend, publishableKey, ...shop } = demo.addresses
    const http = axios.create({
      baseURL: backend,
      headers: { "x-publishable-api-key": publishableKey },
      validateStatus: () => true,
    })
    shopper = new Shopper({ shop: { ...shop, publishableKey }, http })
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
    it("every page is there, in the language of the admin, and fits the screen", async () => {
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
    it("finds a payment by its e-mail address, and leads to its order and back", async () => {
      const page = await dashboard.logIn()
      const addresses: string[] = []
      page.on("request", (request) => addresses.push(decodeURIComponent(request.url())))
      page.on("framenavigated", (frame) => addresses.push(decodeURIComponent(frame.url())))
      await dashboard.visit(page, `${SECTION}/transactions`)
      await page.getByPlaceholder("Search").fill("paid@shopper.test")
      await page.getByText(/of 1 results/).waitFor()
      await page.getByRole("row").nth(1).getByText("Paid", { exact: true }).click()
      await page.getByText("were paid, and Medusa has the payment").waitFor()
      await page.getByRole("link", { name: /^#\d+$/ }).click()
      await page.getByRole("heading", { name: "SBP and crypto payments" }).waitFor()
      await page.getByRole("link", { name: /SBP/ }).last().click()
      await page.getByRole("button", { name: "Check now" }).waitFor()
      // Browsers and logs remember addresses.
      expect(addresses.filter((address) => address.includes("paid@shopper"))).toEqual([])
    })

    it("reads in each browser tab what its page is about", async () => {
      const page = await dashboard.logIn()
      const id = paid.data.transaction_id
      const less = (await problems()).find(({ kind }) => kind === "amount_differs")
      for (const [path, title] of [
        ["/transactions", /^Transactions - Medusa$/],
        [`/transactions/${id}`, /^₽[\d,.]+ · #\d+ - Medusa$/],
        [`/problems/${less?.id ?? ""}`, /^Another sum was paid - Medusa$/],
        [`/records/${id}`, RegExp(`^The service's record · ${id} - Medusa$`)],
      ] as const) {
        await dashboard.visit(page, `${SECTION}${path}`)
        await eventually(`the title of ${path}`, async () => title.test(await page.title()))
      }
    })

    it.each(["overview", "connection"])("sees that the %s is being loaded", async (name) => {
      const page = await dashboard.logIn()
      let answer = () => {}
      const isAwaited = new Promise<void>((resolve) => (answer = resolve))
      await page.route(`**/admin/payment-service/${name}*`, async (route) => {
        await isAwaited
        await route.continue()
      })
      const path = name === "overview" ? SECTION : CONNECTION
      await page.goto(`${demo.addresses.backend}${path}`)
      const loading = page.getByRole("main").getByRole("status", { name: "Loading" })
      await loading.waitFor()
      answer()
      await loading.waitFor({ state: "detached" })
      await page.getByRole("main").getByRole("heading").first().waitFor()
    })

    it("keeps a list of which a filter is added, written by hand, refused, or set on a later page", async () => {
      const page = await dashboard.logIn()
      // Medusa's menu adds a date as null and a text as nothing, and hides the list behind its next step from roles.
      for (const path of [
        "transactions?opened_at=null",
        "transactions?state=paid",
        "transactions?source=service&created_at=null",
        "problems?status=open&kind=amount_differs",
        "subscriptions?created_at=null&status=%22%22",
      ]) {
        await dashboard.visit(page, `${SECTION}/${path}`)
        await page.locator("tbody tr").first().waitFor()
      }
      await dashboard.visit(page, `${SECTION}/transactions?q=paid%40shopper.test&offset=20`)
      await page.getByRole("row").nth(1).getByText("Paid", { exact: true }).waitFor()
      expect(new URL(page.url()).searchParams.get("offset")).toBeNull()

      const refused = `${SECTION}/transactions?source=service&method=%22no+code%22`
      await page.goto(`${demo.addresses.backend}${refused}`)
      await page.getByRole("main").getByRole("alert").waitFor()
      await page.getByPlaceholder("Search").waitFor()
      await page.getByRole("combobox", { name: "Period" }).waitFor()
    })

    it("adds a date to a list by Medusa's own menu", async () => {
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/transactions`)
      await page.locator("main button[aria-haspopup=menu]").first().click()
      await page.getByRole("menuitem", { name: "Opened" }).click()
      await page.waitForURL(/opened_at=/)
      await page.locator("tbody tr").first().waitFor()
      // Today would be without them soon after midnight.
      await page.getByText("Last 7 days", { exact: true }).click()
      await page.waitForURL(/opened_at=%7B/)
      await page.locator("tbody tr").first().waitFor()
    })

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
    })

    it("downloads the service's own list", async () => {
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/transactions?source=service&period=last_30_days`)
      await page.getByRole("button", { name: "Export" }).click()
      const drawer = page.getByRole("dialog")
      await drawer.getByText("The service's list").waitFor()
      await dashboard.expectUsable(page, "[role=dialog]")
      await drawer.getByRole("radio", { name: "JSON" }).click()
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        drawer.getByRole("button", { name: "Download" }).click(),
      ])
      await drawer.getByText(file.suggestedFilename()).waitFor()
      const records = JSON.parse(readFileSync(await file.path(), "utf8")) as object[]
      // The service may call it as it likes: the payment is there with our reference.
      const { data } = await admin.get<{ transaction: { id: string } }>(
        `/admin/payment-service/transactions/${paid.data.transaction_id}`
      )
      const references = records.map((record) => JSON.stringify(record))
      expect(references.filter((one) => one.includes(data.transaction.id))).toHaveLength(1)
    })

    it("sees sums of millions in one line each, and which currency they are in if there are several", async () => {
      const page = await dashboard.logIn("ru")
      const of = (method: string, currency: string, count: number, amount: string) => ({
        method,
        currency,
        count,
        amount,
      })
      await page.route("**/payment-service/overview?*", async (route) => {
        const answer = await route.fetch()
        const overview = (await answer.json()) as { paid: object }
        const totals = [
          { ...of("crypto", "RUB", 12, "270843.65"), commission_usdt: "0.1" },
          { ...of("sbp", "RUB", 1234, "1270843.65"), commission_usdt: "0.2" },
          of("crypto", "USD", 3, "120.5"),
        ]
        const before = [of("sbp", "RUB", 1300, "3270843.65")]
        const paid = { ...overview.paid, days: [], totals, before }
        await route.fulfill({ response: answer, json: { ...overview, paid } })
      })
      await dashboard.visit(page, SECTION)
      for (const currency of ["RUB", "USD"]) {
        await page.getByRole("heading", { name: currency, exact: true }).waitFor()
      }
      await page.getByText("0,30 USDT", { exact: true }).waitFor()
      const row = page.getByText("СБП", { exact: true }).locator("xpath=..").locator("> *")
      await row.filter({ hasText: "раньше" }).last().waitFor()
      const heights = await row.evaluateAll((cells) =>
        cells.map((cell) => cell.getBoundingClientRect().height)
      )
      expect(heights).toEqual([20, 20, 20, 20])
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
          bankName: "Т-Банк",
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
      // The specification does not name it.
      await page.getByText("bankName", { exact: true }).waitFor()
      await page.getByText("Т-Банк", { exact: true }).waitFor()
      await page.goBack()
      await page.getByPlaceholder("Search").fill("paid@shopper.test")
      await page.getByText(/of 1 results/).waitFor()
      await page.getByRole("link", { name: /^#\d+$/ }).click()
      await page.waitForURL(/orders\/order_\w+$/)
      await page.goBack()
      await page.getByRole("row").nth(1).getByRole("link").first().press("Enter")
      await page.waitForURL(/transactions\/pstx_\w+$/)
      await page.getByRole("heading", { name: "Details" }).waitFor()
    })

    it("chooses whose list of the service is shown, where there are several accounts", async () => {
      const page = await dashboard.logIn()
      // The demo has one account, and a choice only with another.
      await page.route("**/payment-service/connection", async (route) => {
        const answer = await route.fetch()
        const settings = (await answer.json()) as { accounts: object[] }
        const accounts = ["main", "second"].map((id) => ({ ...settings.accounts[0], id }))
        await route.fulfill({ response: answer, json: { ...settings, accounts } })
      })
      for (const list of ["transactions?source=service", "subscriptions"]) {
        await dashboard.visit(page, `${SECTION}/${list}`)
        const choice = page.getByRole("combobox", { name: "Account" })
        await choice.filter({ hasText: "main" }).click()
        const asked = page.waitForRequest(/payment-service\/(service-trans|subscr).*account=second/)
        await page.getByRole("option", { name: "second" }).click()
        await asked
        await choice.filter({ hasText: "second" }).waitFor()
      }
      await page.unroute("**/payment-service/connection")
    })

    it("says when the service does not answer, and shows its list once it does", async () => {
      const faults = `${demo.addresses.service}/__simulator/faults`
      await axios.post(faults, { on: "export", kind: "status", status: 503, times: 100 })
      const page = await dashboard.logIn()
      const asked: string[] = []
      page.on("request", (request) => {
        if (request.url().includes("/service-transactions?")) asked.push(request.url())
      })
      await page.goto(`${demo.addresses.backend}${serviceListSince(42)}`)
      await page.getByText(/payment service could not be asked.*try again in a minute/).waitFor()
      // The refusal is not asked for again before it is shown.
      expect(asked).toHaveLength(1)
      await axios.delete(faults)
      await page.getByRole("button", { name: "Try again" }).click()
      await page.getByRole("row").nth(1).waitFor()

      await axios.post(faults, { on: "export", kind: "slow", delayMs: 5_000 })
      // It may be shown, and gone, before the page is taken for loaded.
      const fetching = page.getByText("Being fetched from the service").waitFor()
      await Promise.all([fetching, page.goto(`${demo.addresses.backend}${serviceListSince(43)}`)])
      await page.getByText(/^Fetched from the service/).waitFor()
    })

    it("says in the admin's language that an export broke off, and what a check was answered", async () => {
      const faults = `${demo.addresses.service}/__simulator/faults`
      const page = await dashboard.logIn("ru")
      await dashboard.visit(page, `${SECTION}/transactions?source=service`)
      await page.getByRole("row").nth(1).waitFor()
      await page.getByRole("button", { name: "Экспорт" }).click()
      const drawer = page.getByRole("dialog")
      await drawer.getByRole("radio", { name: "JSON" }).click()
      await axios.post(faults, { on: "export", kind: "cut" })
      await drawer.getByRole("button", { name: "Скачать" }).click()
      await drawer.getByText("Экспорт прервался, ничего не сохранено.").waitFor()
      await dashboard.expectUsable(page, "[role=dialog]")

      await axios.post(faults, { on: "export", kind: "status", status: 422 })
      await dashboard.visit(page, CONNECTION)
      await page.getByRole("button", { name: russian.connection.check }).click()
      await page.getByText(/^сервис отклоняет запрос: .*Status 422 was asked for/).waitFor()
      expect(await page.getByText("The Payment Service").count()).toBe(0)
    })

    it("gives a payment whose creation had no reply the id that the service's account area shows", async () => {
      const faults = `${demo.addresses.service}/__simulator/faults`
      const cart = await shopper.cart()
      await axios.post(faults, { on: "create", kind: "drop_after" })
      expect((await shopper.choose(await shopper.collection(cart.id), "sbp")).status).toBe(500)
      const { data } = await admin.get<{ transactions: { id: string }[] }>(
        `/admin/payment-service/transactions?cart_id=${cart.id}`
      )
      const reference = data.transactions[0]?.id ?? ""
      const { data: made } = await axios.get<{ id: string; payload: string }[]>(
        `${demo.addresses.service}/__simulator/transactions`
      )
      const id = made.find(({ payload }) => payload === reference)?.id ?? ""

      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/transactions/${reference}`)
      await page.getByText("No answer of the service arrived").waitFor()
      await page.getByRole("button", { name: "Enter the transaction's ID" }).click()
      const drawer = page.getByRole("dialog")
      await drawer.waitFor()
      await dashboard.expectUsable(page, "[role=dialog]")
      const take = drawer.getByRole("button", { name: "Check and take" })
      const entered = drawer.getByLabel("Transaction")
      await entered.fill("7d1b")
      expect(await take.isDisabled()).toBe(true)
      await entered.fill(paid.data.transaction_id)
      await take.click()
      await page.getByText("The ID was not taken", { exact: true }).first().waitFor()
      await entered.fill(id)
      await take.click()
      await page.getByRole("main").getByText("Nothing has been paid yet").waitFor()
      await page.getByRole("button", { name: "Check now" }).waitFor()
    })

    it("compares now, and reads a subscription with its charges", async () => {
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/comparison`)
      await page.getByRole("button", { name: "Compare now" }).click()
      await page.getByText("The comparison has begun").first().waitFor()
      const run = page.getByRole("row").filter({ hasText: "Done" })
      await run.click()
      await page.getByRole("heading", { name: "What a person has to look at" }).waitFor()
      await dashboard.expectSound(page, new URL(page.url()).pathname, "en")
      await dashboard.visit(page, `${SECTION}/subscriptions`)
      await page.getByRole("row").nth(1).click()
      await page.waitForURL(/subscriptions\/./)
      await page.getByRole("heading", { name: "Charges" }).waitFor()
    })

    it("asks the service at a click, when a callback was lost", async () => {
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
        // As in Medusa's own drawers, the keys do what the button does, and as little as it without a note.
        const note = drawer.getByRole("textbox")
        await note.press("Control+Enter")
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
      // The closed ones show how and by whom they ended, the last one first, and are searched like all others.
      const ended = "marked as handled · Demo · Of our other shop"
      await dashboard.visit(page, `${list}?status=%22closed%22`)
      await page.getByText(ended).nth(1).waitFor()
      expect(await page.getByText(ended).count()).toBe(2)
      await page.getByText("How it ended").waitFor()
      await page.getByPlaceholder("Search").fill("55.50")
      await page
        .getByRole("row")
        .filter({ hasText: "Unreadable" })
        .first()
        .waitFor({ state: "detached" })
      await page.getByRole("row").filter({ hasText: ended }).click()
      await page.waitForURL(new RegExp(`problems/${other}$`))
      // They fit the screen in the longer language, too.
      const russianPage = await dashboard.logIn("ru")
      await dashboard.expectSound(russianPage, "/problems?status=%22closed%22", "ru")
    })

    it("is led from what they did about a problem to the one that this led to", async () => {
      const more = await shopper.checkout("sbp", { email: "more@shopper.test" })
      await shopper.addItem(more.cartId, 1)
      await pay(more)
      const id = await eventually("its problem", async () => {
        const { data } = await admin.get<{ problems: { id: string }[] }>(
          "/admin/payment-service/problems?status=open&q=more%40shopper.test"
        )
        return data.problems[0]?.id
      })
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/problems/${id}`)
      await page.getByRole("button", { name: "Place the order" }).click()
      const drawer = page.getByRole("dialog")
      await drawer.getByRole("button", { name: "Place the order" }).click()
      await page.getByText("but there is another one: Order not fully paid").first().waitFor()
      await page.getByRole("button", { name: "Open it" }).click()
      const main = page.getByRole("main")
      await main.getByRole("heading", { name: "Order not fully paid" }).waitFor()
      await page.getByRole("button", { name: "Mark as handled" }).click()
      await drawer.getByRole("textbox").fill("The rest is a present")
      await drawer.getByRole("button", { name: "Mark as handled" }).click()
      await main.getByText("The rest is a present").waitFor()

      await dashboard.visit(page, `${SECTION}/transactions/${more.data.transaction_id}`)
      for (const action of [
        /^"Place the order" for the problem "Paid after a change"$/,
        /^"Mark as handled" for the problem "Order not fully paid"$/,
      ]) {
        await main.getByRole("listitem").filter({ hasText: " · Demo" }).getByText(action).waitFor()
      }
    })

    it("copies on an order's page, and on its problem's, a link by which the rest is paid", async () => {
      const changed = await shopper.checkout("sbp", { email: "rest@shopper.test" })
      await shopper.addItem(changed.cartId, 1)
      await pay(changed)
      const problemOf = async (kind: string) =>
        await eventually(`${kind} of the order`, async () => {
          const { data } = await admin.get<{ problems: Owed[] }>(
            `/admin/payment-service/problems?kind=${kind}&status=open&q=rest%40shopper.test`
          )
          return data.problems[0]
        })
      const { id, amount, cart_total } = await problemOf("paid_after_change")
      const seen = { amount, cart_total }
      await admin.post(`/admin/payment-service/problems/${id}/place-order`, seen)
      const owed = await problemOf("order_underpaid")

      const page = await dashboard.logIn()
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      const links: string[] = []
      for (const path of [`/app/orders/${owed.order_id ?? ""}`, `${SECTION}/problems/${owed.id}`]) {
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
      await dashboard.visit(page, `/app/orders/${owed.order_id ?? ""}`)
      await page.getByRole("region", { name: "SBP and crypto payments" }).waitFor()
      expect(await page.getByRole("button", { name: /^Copy payment link/ }).count()).toBe(0)
    })

    it("leads from the badge on every page to a problem, and solves it", async () => {
      const page = await dashboard.logIn()
      await dashboard.visit(page, "/app/orders")
      await page.getByRole("link", { name: "2 open problems" }).click()
      const row = page.getByRole("row").filter({ hasText: "Another sum was paid" })
      await row.getByRole("link", { name: /were paid instead/ }).press("Enter")
      await page.getByRole("button", { name: "Accept the amount" }).click()
      const drawer = page.getByRole("dialog")
      await drawer.getByText("₽1,000.00 are taken instead of what was asked for").waitFor()
      await drawer.getByRole("button", { name: "Accept the amount" }).click()
      await page.getByText("The payment was accepted").first().waitFor()
      expect((await problems()).map(({ kind }) => kind)).toEqual(["paid_after_change"])

      await dashboard.visit(page, `${SECTION}/problems`)
      await page.getByRole("row").filter({ hasText: "Paid after a change" }).click()
      await dashboard.chooseOther(page, "Refunded outside")
      const refund = page.getByRole("dialog")
      const record = (disabled: boolean) =>
        refund.getByRole("button", { name: "Refunded outside", disabled })
      await record(true).waitFor()
      await refund.getByLabel("What was done").fill("Paid back by bank transfer")
      // A comma between thousands is none before kopecks.
      const sum = refund.getByLabel("Amount")
      const whole = await sum.inputValue()
      for (const wrong of ["1,500", "", "all"]) {
        await sum.fill(whole)
        await record(false).waitFor()
        await sum.fill(wrong)
        await record(true).waitFor()
      }
      await refund.getByText("A sum such as 1500 or 1500.50").waitFor()
      await sum.fill(whole)
      await refund.getByRole("button", { name: "Refunded outside" }).click()
      await page.getByText("The refund was recorded").first().waitFor()
      expect(await problems()).toEqual([])
    })

    it("tries a problem again, places its order, and sees there what paid it", async () => {
      const first = await shopper.checkout("sbp", { email: "switched@shopper.test" })
      await shopper.addItem(first.cartId)
      await shopper.open(first.cartId, "crypto")
      await pay(first)
      const problem = await eventually("a problem", async () => {
        const open = await problems()
        return open.find(({ transaction_id: id }) => id === first.data.transaction_id)
      })
      // The cart is as it was again, and still the person who was asked decides.
      const cart = `/store/carts/${first.cartId}`
      const { data } = await shopper.raw("get", cart)
      const [item] = (data as { cart: { items: { id: string }[] } }).cart.items
      await shopper.raw("post", `${cart}/line-items/${item?.id ?? ""}`, { quantity: 1 })
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/problems/${problem.id}`)
      const drawer = page.getByRole("dialog")
      const action = async (label: string, isPrimary = true) => {
        if (isPrimary) await page.getByRole("main").getByRole("button", { name: label }).click()
        else await dashboard.chooseOther(page, label)
        await dashboard.expectUsable(page, "[role=dialog]")
        await drawer.getByRole("button", { name: label }).click()
      }
      await action("Try again", false)
      await page.getByText("The problem is still open").first().waitFor()
      await drawer.waitFor({ state: "detached" })
      await action("Place the order")
      await page.getByText("The order was placed").first().waitFor()

      const { order_id: orderId } = await orderOf(first)
      await dashboard.visit(page, `/app/orders/${orderId}`)
      const widget = page.getByRole("region", { name: "SBP and crypto payments" })
      await widget.getByText("were paid, and Medusa has the payment").waitFor()
      await widget.getByRole("link", { name: /Crypto/ }).waitFor()
      for (const shown of [/^Checked with the service/, "Asked for", "Opened", "To be paid by"]) {
        await widget.getByText(shown, { exact: true }).first().waitFor()
      }
      expect(await widget.getByText("Nothing has been paid yet").count()).toBe(0)
      expect(await widget.getByText("How the customer can pay").count()).toBe(0)
    })

    it("reads on the order's page why a refund is refused, and is asked for nothing else", async () => {
      const { data } = await admin.get<{
        order: { payment_collections: { payments: { id: string }[] }[] }
      }>(`/admin/orders/${bought.order_id}?fields=*payment_collections.payments`)
      const payment = data.order.payment_collections[0]?.payments[0]?.id ?? ""
      const refund = await admin.post(
        `/admin/payments/${payment}/refund`,
        { amount: 1200 },
        { validateStatus: () => true }
      )
      expect(refund.status).toBe(400)

      const page = await dashboard.logIn()
      const asked: string[] = []
      page.on("request", (request) => {
        const [, path] = /\/admin\/payment-service\/(.*)/.exec(request.url()) ?? []
        if (path) asked.push(path)
        if (request.url().includes("/rbac/")) asked.push(request.url())
      })
      await dashboard.visit(page, `/app/orders/${bought.order_id}`)
      const widget = page.getByRole("region", { name: "SBP and crypto payments" })
      await widget.getByText("Medusa's own Refund is refused").waitFor()
      // Whether this user may pay out has come with the rest.
      await widget.getByRole("button", { name: "Pay out" }).waitFor()
      await page.waitForLoadState("networkidle")
      // The other one is that of the badge on every page.
      expect(asked.sort()).toEqual([
        `payments?order_id=${bought.order_id}`,
        "problems?status=open&limit=1",
      ])
    })

    it("gets from a customer's page to the payments that it leaves out", async () => {
      await inDatabase(
        `insert into payment_service_transaction
         select (jsonb_populate_record(t, jsonb_build_object(
           'id', t.id || n, 'transaction_id', null, 'session_id', t.session_id || n,
           'first_session_id', t.session_id || n, 'order_id', null, 'state', 'canceled',
           'paid_at', null, 'settled_at', null, 'watch_at', null))).*
         from payment_service_transaction t, generate_series(1, 12) n where transaction_id = $1`,
        [paid.data.transaction_id]
      )
      const page = await dashboard.logIn()
      await dashboard.visit(page, `/app/customers/${bought.customer_id}`)
      const widget = page.getByRole("region", { name: "SBP and crypto payments" })
      await widget.getByRole("link", { name: "3 more payments" }).click()
      await page.getByText(/of 13 results/).waitFor()
    })

    it("checks the connection, and removes an address of callbacks that was replaced", async () => {
      const page = await dashboard.logIn()
      const main = page.getByRole("main")
      await dashboard.visit(page, CONNECTION)
      await main.getByText("Not checked yet").first().waitFor()
      await main.getByRole("button", { name: "Check now" }).click()
      await page.getByText("Checked with the service", { exact: true }).first().waitFor()
      // The merchant's secret, and the secret for signatures.
      const accepted = main.getByText(/^Accepted/)
      await accepted.nth(1).waitFor()
      expect(await accepted.count()).toBe(2)
      await main.getByText("The same as ours").waitFor()

      // The service's answer is kept while the admin looks at the settings.
      await page.getByRole("tab", { name: "Set-up" }).click()
      await main
        .getByText(texts.en.paymentService.settings.sections.service.title, { exact: true })
        .first()
        .waitFor()
      await page.getByRole("tab", { name: "Connection" }).click()
      await main.getByText("Last checked").waitFor()
      expect(await accepted.count()).toBe(2)

      const fault = { on: "export", kind: "status", status: 302, times: 1 }
      await axios.post(`${demo.addresses.service}/__simulator/faults`, fault)
      await main.getByRole("button", { name: "Check now" }).click()
      await main.getByText("Redirects elsewhere: check the address (302)").waitFor()

      // The demo's own token is from the options, and those are generated only without one.
      await inDatabase(
        `insert into payment_service_callback_token (id, digest, source, replaced_at)
         values ('pstok_replaced', 'of a replaced one', 'generated', now()),
           ('pstok_in_use', 'of one in use', 'generated', null)`
      )
      await page.reload()
      const confirm = page.getByRole("alertdialog")
      await main.getByRole("button", { name: "Make a new address" }).click()
      await confirm.getByText("keeps working until you remove it here").waitFor()
      await confirm.getByRole("button", { name: "Make a new address" }).click()
      await page.getByText("Not done", { exact: true }).first().waitFor()

      await main.getByRole("button", { name: "Remove" }).click()
      await confirm.getByText("are refused from then on").waitFor()
      await confirm.getByRole("button", { name: "Remove" }).click()
      await page.getByText("The address was removed").first().waitFor()
      await main.getByRole("button", { name: "Remove" }).waitFor({ state: "detached" })
      await inDatabase("delete from payment_service_callback_token where source = 'generated'")
    })
  })

  // Its payments would be counted by the tests above.
  describe("an admin who looks for payments by the service's own words", () => {
    const held: OpenPayment[] = []
    beforeAll(async () => {
      for (const method of ["sbp", "crypto"] as const) {
        const payment = await shopper.checkout(method, { email: "held@shopper.test" })
        await simulator(`${payment.data.transaction_id}/status`, { status: "ON_HOLD" })
        held.push(payment)
      }
      await eventually("both are known to be held", async () => {
        const { data } = await admin.get<{ count: number }>(
          "/admin/payment-service/transactions?exception=unknown_status&status=ON_HOLD"
        )
        return data.count === held.length
      })
    })

    it("gets from a status that no option names to all payments with it", async () => {
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/problems?kind=unknown_status`)
      const row = page.getByRole("row").filter({ hasText: "ON_HOLD" })
      await row.getByText("₽4,580.00 · 2 payments").waitFor()
      await row.getByRole("link").first().click()
      await page.getByText("₽4,580.00 · 2 payments").waitFor()
      await page.getByRole("link", { name: "Payments with this status" }).click()
      await page.waitForURL(/status=%5B%22ON_HOLD%22%5D/)
      await page.getByText(/of 2 results/).waitFor()

      await dashboard.visit(page, CONNECTION)
      await page.getByRole("link", { name: "ON_HOLD" }).click()
      await page.getByText(/of 2 results/).waitFor()
      await dashboard.visit(page, SECTION)
      await page.getByRole("link", { name: /Unknown status.*₽4,580.00/ }).waitFor()
    })

    it("sees the totals of the service's list, and fetches it again", async () => {
      const page = await dashboard.logIn()
      const status = "status_name=%5B%22ON_HOLD%22%5D"
      await dashboard.visit(page, `${SECTION}/transactions?source=service&${status}`)
      await page.getByRole("button", { name: "Fetch again" }).click()
      await page.getByText(/of 2 results/).waitFor()
      const totals = page.getByRole("region", { name: "Totals by status and method" })
      await totals.getByText("ON_HOLD").first().waitFor()
      await page.setViewportSize(PHONE)
      await eventually("the filters stand below the period", async () => {
        const [filters, period] = await Promise.all([
          page.getByRole("button", { name: "Clear all" }).boundingBox(),
          page.getByRole("combobox", { name: "Period" }).boundingBox(),
        ])
        return filters && period && period.y + period.height <= filters.y
      })
      await page.setViewportSize(WIDE)
      const late = await shopper.checkout("sbp", { email: "late@shopper.test" })
      await simulator(`${late.data.transaction_id}/status`, { status: "ON_HOLD" })
      await page.getByRole("button", { name: "Fetch again" }).click()
      await page.getByText(/of 3 results/).waitFor()
    })

    it("asks the service for an id that the store does not have, in either list", async () => {
      const { data: made } = await axios.post<{ id: string }[]>(
        `${demo.addresses.service}/__simulator/transactions`,
        { amount: 404.5 }
      )
      const id = made[0]?.id ?? ""
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/transactions?state=paid`)
      await page.getByPlaceholder("Search").fill(id)
      await page.getByRole("link", { name: "Ask the service for this ID" }).waitFor()
      // The other list is asked for the same, without this one's filters.
      await page.getByRole("tab", { name: "The service's list" }).click()
      await page.waitForURL(({ searchParams: asked }) => asked.get("source") === "service")
      const { searchParams: asked } = new URL(page.url())
      expect([asked.has("state"), asked.has("q")]).toEqual([false, false])
      const search = page.getByPlaceholder("Search")
      await eventually("the field has it", async () => (await search.inputValue()) === id)
      await page.getByRole("tab", { name: "This store" }).click()
      await page.getByRole("link", { name: "Ask the service for this ID" }).click()
      await page.waitForURL((url) => url.pathname.endsWith(`/records/${id}`))
      await page.getByText("₽404.50", { exact: true }).waitFor()
    })
  })

  describe("an admin who looks closer", () => {
    it("compares a day with the one before", async () => {
      const page = await dashboard.logIn()
      await dashboard.visit(page, SECTION)
      for (const [name, period] of [
        ["Today", "today"],
        ["Yesterday", "yesterday"],
      ] as const) {
        await page.getByRole("combobox", { name: "Period" }).click()
        await page.getByRole("option", { name, exact: true }).click()
        await page.waitForURL(RegExp(`period=${period}$`))
        await page.getByText(/^Compared with [^–]+$/).waitFor()
      }
    })

    it("gets from a comparison to its problems, and from a problem to its customer and its payment", async () => {
      await admin.post("/admin/payment-service/comparisons")
      await eventually("the comparison is over", async () => {
        const { data } = await admin.get<{ running: boolean }>("/admin/payment-service/comparisons")
        return !data.running
      })
      const { id } = await openProblemOf("payment_not_here", demo.databaseUrl)
      const { data: made } = await axios.post<{ id: string }[]>(
        `${demo.addresses.service}/__simulator/transactions`,
        { amount: 606.06 }
      )
      const record = made[0]?.id ?? ""
      await inDatabase(
        `update payment_service_problem p set transaction_id = $2, opened_at = run.started_at,
           facts = p.facts || jsonb_build_object('merchantId', run.merchant_id),
           customer_id = (select customer_id from payment_service_transaction where transaction_id = $3)
         from (select * from payment_service_reconciliation_run order by started_at desc limit 1) run
         where p.id = $1`,
        [id, record, less.data.transaction_id]
      )
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/comparison`)
      await page.getByRole("row").getByRole("link").first().click()
      await page.waitForURL(/comparison\/pscmp_/)
      await dashboard.expectUsable(page, "main")
      const { problemKinds } = texts.en.paymentService
      const row = page.getByRole("row").filter({ hasText: problemKinds.payment_not_here }).first()
      await row.getByText(problemKinds.payment_not_here).click()
      await page.waitForURL(/problems\/psprob_/)
      const main = page.getByRole("main")
      await main.getByRole("link", { name: "less@shopper.test" }).first().waitFor()
      await main.getByRole("link", { name: record }).click()
      await page.waitForURL(RegExp(`records/${record}$`))
      await main.getByText("₽606.06").first().waitFor()
      await inDatabase("delete from payment_service_problem where id = $1", [id])
    })

    it("is told how many payments of an unknown status are tried at once, and how many next", async () => {
      const payments: OpenPayment[] = []
      for (let left = 21; left > 0; left--) payments.push(await shopper.checkout("sbp"))
      for (const { data } of payments) {
        await simulator(`${data.transaction_id}/status`, { status: "UNDER_REVIEW" })
      }
      const ids = payments.map(({ data }) => data.transaction_id)
      const isSeen = async (id: string) => {
        const { data } = await admin.get<{ transaction: { exception: string | null } }>(
          `/admin/payment-service/transactions/${id}`
        )
        return data.transaction.exception === "unknown_status"
      }
      for (const id of ids) await eventually("it is seen", () => isSeen(id))
      const problem = await eventually("a problem", async () =>
        (await problems()).find(({ message }) => message.includes("UNDER_REVIEW"))
      )
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/problems/${problem.id}`)
      await page.getByRole("button", { name: "Try again" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Try again" }).click()
      await page.getByText("20 of 21 payments were tried again").first().waitFor()
      await page.getByText("1 more payment is due").first().waitFor()
    })
  })

  it("a phone's top bar has room for the breadcrumbs of a single payment", async () => {
    for (const language of ["ru", "en"] as const) {
      const page = await dashboard.logIn(language, PHONE)
      await dashboard.visit(page, `${SECTION}/transactions/${paid.data.transaction_id}`)
      const crumbs = page
        .getByRole("list")
        .filter({ has: page.getByText("...") })
        .first()
      const last = await crumbs.getByText("...").boundingBox()
      const beside = crumbs.locator("xpath=../following-sibling::div").getByRole("button").first()
      const control = await beside.boundingBox()
      expect((last?.x ?? NaN) + (last?.width ?? NaN)).toBeLessThan(control?.x ?? NaN)
      // Screen readers still hear it.
      await crumbs.getByRole("link", { name: texts[language].paymentService.menu.section }).click()
      await page.waitForURL(`**${SECTION}`)
    }
  })

  it("on a phone: the search of the transactions has room for what is typed", async () => {
    for (const language of ["ru", "en"] as const) {
      const page = await dashboard.logIn(language, PHONE)
      await dashboard.visit(page, `${SECTION}/transactions`)
      await page.getByText(texts[language].paymentService.transactions.ofStore).waitFor()
      const search = await page.getByRole("searchbox").boundingBox()
      expect(search?.width).toBeGreaterThanOrEqual(150)
    }
  })

  describe("an admin who keeps a page open", () => {
    it("sees when the service was last asked as the time goes on, and what others have it asked", async () => {
      const open = await shopper.checkout("sbp", { email: "kept-open@shopper.test" })
      const { transaction_id: id } = open.data
      const settle = () => admin.post(`/admin/payment-service/transactions/${id}/settle`)
      await settle()
      const page = await dashboard.logIn()
      await page.clock.install()
      await dashboard.visit(page, `${SECTION}/transactions/${id}`)
      // On a busy machine, the page may be shown a minute later.
      await page.getByText(/service (\d+ seconds?|1 minute) ago$/).waitFor()
      await page.clock.fastForward("05:00")
      await page.getByText(/service [56] minutes ago$/).waitFor()

      await pay(open, { callback: false })
      await settle()
      await page.clock.fastForward("00:30")
      await page.getByRole("main").getByText("and Medusa has the payment").waitFor()
    })

    it("comes from a payment that was checked to an overview that counts it", async () => {
      const open = await shopper.checkout("sbp", { email: "counted@shopper.test" })
      const page = await dashboard.logIn()
      await dashboard.visit(page, SECTION)
      const counted = page.getByText(/^\d+ payments?$/).first()
      const before = await counted.innerText()
      await page.getByRole("link", { name: "Transactions" }).click()
      await page.getByRole("row").nth(1).click()
      await pay(open, { callback: false })
      await page.getByRole("button", { name: "Check now" }).click()
      await page.getByRole("main").getByText("and Medusa has the payment").waitFor()
      await page.getByRole("link", { name: "SBP and crypto" }).first().click()
      await eventually("another count", async () => (await counted.innerText()) !== before)
    })
  })
}

interface Owed {
  id: string
  amount: string
  cart_total: string
  order_id: string | null
}

/** Opens a problem in the store's database, about nothing that the store has. */
async function openProblemOf(kind: ProblemKind, databaseUrl: string, amount: string | null = null) {
  const found = problem(kind, PROBLEM_SAMPLES[kind][0] as never)
  const id = `psprob_${randomUUID()}`
  await runIn(
    databaseUrl,
    `insert into payment_service_problem
       (id, kind, cause, facts, amount, currency, opened_at, last_seen_at)
     values ($1, $2, $3, $4, $5, 'RUB', now(), now())`,
    [id, kind, `sample:${kind}`, JSON.stringify(found.facts), amount]
  )
  return { id, text: textOf(found) }
}

async function runIn(databaseUrl: string, statement: string, values: unknown[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(statement, values)
  } finally {
    await client.end()
  }
}
