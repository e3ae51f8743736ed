import axios, { type AxiosInstance } from "axios"

import texts from "../../../admin/i18n"
import { eventually } from "../../integration/eventually"
import { Shopper } from "../../integration/shopper"
import { Dashboard, CONNECTION, SECTION, serviceListSince } from "../dashboard-pages"
import type { DemoShop } from "../demo-shop"

/** Pages of a single thing that the service is asked for while it fails. */
export function pagesOfFailingService(demo: DemoShop): void {
  const dashboard = new Dashboard(demo)
  let faults: string
  let admin: AxiosInstance
  beforeAll(async () => {
    faults = `${demo.addresses.service}/__simulator/faults`
    admin = await dashboard.client()
  })
  afterEach(() => axios.delete(faults))
  const fail = (on: string) =>
    axios.post(faults, { on, kind: "status", status: 503, times: "always" })

  const aShopper = () => {
    const { backend, publishableKey, service: _, ...shop } = demo.addresses
    const headers = { "x-publishable-api-key": publishableKey }
    const http = axios.create({ baseURL: backend, headers, validateStatus: () => true })
    return new Shopper({ shop: { ...shop, publishableKey }, http })
  }

  it("a record is shown as the service's list had it, until the service answers for it", async () => {
    const { data } = await axios.post<{ id: string }[]>(
      `${demo.addresses.service}/__simulator/transactions`,
      { amount: 4_321.5 }
    )
    const page = await dashboard.logIn()
    await dashboard.visit(page, `${serviceListSince(41)}&q=4321.5`)
    await page.locator("tbody tr").first().waitFor()
    await fail("get")
    const path = `/records/${data[0]?.id ?? ""}`
    for (const language of ["ru", "en"] as const) {
      const { record, failed } = texts[language].paymentService
      const shown = await dashboard.logIn(language)
      await dashboard.expectSound(shown, path, language)
      await shown.getByText(record.earlier.listed).waitFor()
      await shown.getByText(/4.321.50/).waitFor()
      const warning = shown.getByRole("main").getByRole("alert")
      await warning.getByText(record.notAsked.split("{{")[0]!).waitFor()
      if (language === "ru") continue
      await warning.getByText("the service is out of order").waitFor()
      await axios.delete(faults)
      await warning.getByRole("button", { name: failed.retry }).click()
      await warning.waitFor({ state: "detached" })
      await shown.getByText("Commission in USDT").waitFor()
    }
  })

  it("a payment's page and its order's say why it could not be checked, until the next check", async () => {
    const { service } = demo.addresses
    const shopper = aShopper()
    const { data: paid } = await shopper.checkout("sbp", { email: "checked@shopper.test" })
    await axios.post(`${service}/__simulator/transactions/${paid.transaction_id}/pay`)
    const orderId = await eventually("an order", async () => {
      const { data } = await admin.get<{
        transaction: { order_id: string | null; settled_at: string | null }
      }>(`/admin/payment-service/transactions/${paid.transaction_id}`)
      return data.transaction.settled_at && data.transaction.order_id
    })
    for (const [language, path, reason] of [
      ["ru", `${SECTION}/transactions/${paid.transaction_id}`, "сервис не работает"],
      ["en", `/app/orders/${orderId}`, "503"],
    ] as const) {
      const { verdict } = texts[language].paymentService
      const page = await dashboard.logIn(language)
      await dashboard.visit(page, path)
      const main = page.getByRole("main")
      const failure = main.getByRole("alert").filter({ hasText: reason })
      const check = main.getByRole("button", { name: verdict.check })
      await fail("get")
      await check.click()
      await failure.waitFor()
      await axios.delete(faults)
      await check.click()
      await page.getByText(verdict.checked, { exact: true }).first().waitFor()
      await failure.waitFor({ state: "detached" })
    }
  })

  it("the overview, the connection and a payment's page tell that payments cannot be opened, and why", async () => {
    const shopper = aShopper()
    const { id: cartId } = await shopper.cart()
    const collection = await shopper.collection(cartId)
    const body = { message: "no requisites for this sum" }
    await axios.post(faults, { on: "create", kind: "body", status: 400, body, times: "always" })
    for (let tried = 0; tried < 5; tried++) {
      expect((await shopper.choose(collection, "sbp")).status).toBe(400)
    }
    const { data } = await admin.get<{ transactions: { id: string }[] }>(
      `/admin/payment-service/transactions?cart_id=${cartId}`
    )
    const payment = `/transactions/${data.transactions[0]?.id ?? ""}`
    for (const language of ["ru", "en"] as const) {
      const kind = texts[language].paymentService.problemKinds.payments_not_opened
      const page = await dashboard.logIn(language)
      await dashboard.expectSound(page, "", language)
      await page.getByText(kind).waitFor()
      await dashboard.expectSound(page, CONNECTION, language)
      await page.getByText(body.message).waitFor()
      await dashboard.expectSound(page, payment, language)
      await page.getByRole("status").getByText(body.message).waitFor()
      await dashboard.visit(page, CONNECTION)
      await page.getByRole("link", { name: kind }).click()
      await dashboard.expectUsable(page, "main")
      await page.getByText(body.message).first().waitFor()
    }
    await axios.delete(faults)
    expect((await shopper.choose(collection, "sbp")).status).toBe(200)
    const page = await dashboard.logIn()
    await dashboard.visit(page, CONNECTION)
    const { connection } = texts.en.paymentService
    await page.getByText(connection.credentials).first().waitFor()
    expect(await page.getByText(connection.opening, { exact: true }).count()).toBe(0)
  })

  it("a subscription's page says why it is empty, and asks again", async () => {
    const { data } = await admin.get<{ subscriptions: { id: string }[] }>(
      "/admin/payment-service/subscriptions?limit=1"
    )
    const path = `/subscriptions/${data.subscriptions[0]?.id ?? ""}`
    await fail("subscriptions")
    for (const language of ["ru", "en"] as const) {
      const { failed, subscriptions } = texts[language].paymentService
      const page = await dashboard.logIn(language)
      await page.goto(`${demo.addresses.backend}${SECTION}${path}`)
      const warning = page.getByRole("main").getByRole("alert")
      await warning.getByText(language === "ru" ? "сервис не работает" : "503").waitFor()
      await dashboard.expectUsable(page, "main")
      if (language === "ru") continue
      await axios.delete(faults)
      await warning.getByRole("button", { name: failed.retry }).click()
      await page.getByRole("heading", { name: subscriptions.metrics }).waitFor()
      await page.getByText(subscriptions.fields.next_charge_at).first().waitFor()
    }
  })
}
