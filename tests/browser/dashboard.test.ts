import axios, { type AxiosInstance } from "axios"

import { eventually } from "../integration/eventually"
import { type OpenPayment, Shopper } from "../integration/shopper"
import { Dashboard, LOAD_MS, LONGEST_MS, SECTION, WAYS } from "./dashboard-pages"
import { describeDemo } from "./demo-shop"

describeDemo("the dashboard", { isPrepared: true }, (demo) => {
  jest.setTimeout(LONGEST_MS)
  const dashboard = new Dashboard(demo)
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
    const { backend, publishableKey, ...shop } = demo.addresses
    const http = axios.create({
      baseURL: backend,
      headers: { "x-publishable-api-key": publishableKey },
      validateStatus: () => true,
    })
    const shopper = new Shopper({ shop: { ...shop, publishableKey }, http })
    admin = await dashboard.client()

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
        "/connection",
        `/problems/${problem?.id ?? ""}`,
      ]
      for (const path of pages) await dashboard.expectSound(page, path, language)
    })
  })

  // The pages above are looked at while there is something to do.
  describe("an admin", () => {
    it("finds a payment by its e-mail address, and leads to its order and back", async () => {
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/transactions`)
      await page.getByPlaceholder("Search").fill("paid@shopper.test")
      await page.waitForURL(/q=paid/)
      await page.getByRole("row").nth(1).getByText("Paid", { exact: true }).click()
      await page.getByText("were paid, and Medusa has the payment").waitFor()
      await page.getByRole("link", { name: /^#\d+$/ }).click()
      await page.getByRole("heading", { name: "SBP and crypto payments" }).waitFor()
      await page.getByRole("link", { name: /SBP/ }).last().click()
      await page.getByRole("button", { name: "Check now" }).waitFor()
    })

    it("asks the service at a click, when a callback was lost", async () => {
      await pay(waiting, { callback: false })
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/transactions/${waiting.data.transaction_id}`)
      await page.getByRole("button", { name: "Check now" }).click()
      await page.getByText("The service was asked", { exact: true }).first().waitFor()
      await page.getByRole("main").getByText("Medusa has the payment since").waitFor()
      await page.getByRole("link", { name: /^#\d+$/ }).waitFor()
    })

    it("leads from the badge on every page to a problem, and solves it", async () => {
      const page = await dashboard.logIn()
      await dashboard.visit(page, "/app/orders")
      await page.getByRole("link", { name: "2 open problems" }).click()
      await page.getByRole("row").filter({ hasText: "Less was paid" }).click()
      await page.getByRole("button", { name: "Accept the amount" }).click()
      const drawer = page.getByRole("dialog")
      await drawer.getByText("₽1,000 are taken instead of what was asked for").waitFor()
      await drawer.getByRole("button", { name: "Accept the amount" }).click()
      await page.getByText("The payment was accepted").first().waitFor()
      expect((await problems()).map(({ kind }) => kind)).toEqual(["paid_after_change"])

      await dashboard.visit(page, `${SECTION}/problems`)
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
