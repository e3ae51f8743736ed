import axios from "axios"
import type { Page } from "playwright-core"

import texts from "../../admin/i18n"
import labels from "../../src/settings/texts.ru.json"
import { OTHER_STATUSES, OtherService } from "../other-service"
import { CONNECTION, Dashboard, PHONE, SECTION, SETTINGS } from "./dashboard-pages"
import { type DemoShop, describeDemo, WIDE } from "./demo-shop"

/** The deep run clicks on the pages of a merchant's store, which the packed package is installed into. */
const pages = process.env.DEEP ? "packed" : "built"
/** `medusa-config.ts` has no options of the plugin, and a provider for each of two accounts. */
const settings = { PAYMENT_SERVICE_ACCOUNTS: "main,second", CALLBACK_TOKEN_IS_GENERATED: "true" }

const ru = texts.ru.paymentService
const ofAll = `(${ru.settings.ofAll})`

/** Fills in the fields of a card of options, and saves them. */
async function fill(page: Page, button: string, values: Record<string, string>) {
  await page.getByRole("main").getByRole("button", { name: button, exact: true }).click()
  const drawer = page.getByRole("dialog")
  for (const [name, value] of Object.entries(values)) {
    await drawer.locator(`[name="${name}"]`).fill(value)
  }
  await drawer.locator("button[type=submit]").click()
  return drawer
}

describeDemo(
  "a store without an account (promise 24)",
  { isPrepared: true, dashboard: pages, isEmpty: true, settings },
  (demo: DemoShop) => {
    const dashboard = new Dashboard(demo)
    let service: OtherService
    beforeAll(async () => {
      service = await OtherService.start()
    })
    afterAll(() => service.close())

    /** Gives a status that the service has used the meaning of an option. */
    const giveMeaning = async (page: Page, which: string, meaning: string) => {
      await page.getByRole("main").getByRole("combobox", { name: which }).click()
      await page.getByRole("option", { name: meaning, exact: true }).click()
      const given = page.getByRole("main").getByRole("combobox", { name: which })
      await given.waitFor({ state: "detached" })
    }
    const idIn = (address: string | null) => address?.split(/[/=]/).at(-1) ?? ""

    it("is led to a paid test order by clicking alone, at another implementation of the service", async () => {
      const { regionId, setUp } = demo.addresses
      expect([await demo.transactions(), await demo.orders()]).toEqual([[], []])
      const admin = await dashboard.client()
      await admin.post(`/admin/regions/${regionId}`, { payment_providers: ["pp_system_default"] })
      await admin.post("/admin/regions", { name: "Europe", currency_code: "eur" })
      const page = await dashboard.logIn()
      const main = page.getByRole("main")
      await dashboard.expectSound(page, SETTINGS, "en")
      await main.getByText("Still missing: Address of this store, Address of the serv").waitFor()

      const account = { baseUrl: "pay.test", merchantId: service.merchantId }
      const drawer = await fill(page, "Edit: Merchant account", account)
      await drawer.getByText("This does not fit. What fits: the service's https address").waitFor()
      await drawer.locator("[name=baseUrl]").fill(service.url)
      await drawer.locator("[name=secret]").fill(service.secret)
      await drawer.locator("[name=backendUrl]").fill(setUp?.backendUrl ?? "")
      await drawer.locator("button[type=submit]").click()
      // Where payers and the service are led to is shown in large before it is saved.
      const confirm = page.getByRole("alertdialog")
      const confirmHost = async (address: string) => {
        await confirm.getByText(new URL(address).host, { exact: true }).waitFor()
        await confirm.getByRole("button", { name: "Save" }).click()
        await drawer.waitFor({ state: "detached" })
      }
      await confirmHost(setUp?.backendUrl ?? "")

      // The names of statuses are found in the service's own list, although its gateway fails at first.
      const { open, paid } = OTHER_STATUSES
      for (const status of [open, paid]) service.add(status)
      await main.getByRole("button", { name: "Check now" }).click()
      await main.getByRole("status").getByText("Not available", { exact: true }).waitFor()
      await main.getByRole("button", { name: "Check now" }).click()
      await main.getByRole("status").getByText("Accepted").waitFor()
      for (const status of [open, paid]) await main.getByText(`“${status}”: 1 payment`).waitFor()
      await giveMeaning(page, `Meaning of ${paid}`, "Paid")
      await giveMeaning(page, `Meaning of ${open}`, "Waiting for payment")
      const pages = { successUrl: setUp?.resultPage ?? "", failureUrl: setUp?.resultPage ?? "" }
      await fill(page, "Edit: Storefront", pages)
      await confirmHost(demo.addresses.storefront)

      const callback = main.getByRole("region", { name: "Callback address" })
      service.callbackUrl = await callback.locator(".font-mono").innerText()
      await main.getByText("the account does not take EUR").waitFor()
      await main.getByRole("button", { name: "Enable SBP and crypto" }).click()
      await main.getByText("enabled", { exact: true }).waitFor()

      const begin = main.getByRole("button", { name: /^SBP · main, / })
      const amount = main.locator("[name=amount]")
      await amount.fill("1000001")
      await begin.click()
      await main.getByText("At most 1,000,000").waitFor()
      await amount.fill("10")
      await begin.click()
      await main.getByRole("alert").waitFor()
      await begin.click()
      const link = main.getByRole("link", { name: "Open the payment page" })
      const id = idIn(await link.getAttribute("href"))
      // Before anybody has paid, the account can be led elsewhere, with a word on what is still open there.
      await fill(page, "Edit: Merchant account", { merchantId: setUp?.merchantId ?? "" })
      await confirm.getByText("1 payment was begun with the address and merchant of now").waitFor()
      await confirm.getByRole("button", { name: "Cancel" }).click()
      await drawer.getByRole("button", { name: "Cancel" }).click()
      await service.pay(id)
      await main.getByRole("status").getByText("Paid", { exact: true }).waitFor()
      expect((await demo.orders()).map(({ payment_status }) => payment_status)).toEqual([
        "captured",
      ])
      const steps = ["Merchant account", "Callback address", "Status names", "Regions"]
      for (const name of [...steps, "Test payment"]) {
        await main.getByRole("region", { name }).getByText("done", { exact: true }).waitFor()
      }
      await main.getByRole("link", { name: "See the order" }).waitFor()
      // A later visit finds it done, too.
      await page.reload()
      const test = main.getByRole("region", { name: "Test payment" })
      await test.getByText("done", { exact: true }).waitFor()
    })

    it("begins its second account by clicking, in Russian on a phone", async () => {
      const { service: simulator, setUp } = demo.addresses
      const { steps, sections, editWhat } = ru.settings
      const page = await dashboard.logIn("ru", PHONE)
      const main = page.getByRole("main")
      await dashboard.visit(page, SETTINGS)
      await main.getByRole("combobox", { name: ru.fields.account }).click()
      await page.getByRole("option", { name: "second", exact: true }).click()
      // An option that all accounts share is shown as shared, in this account's card and in its form.
      await main.getByText(service.url, { exact: true }).waitFor()
      await main.getByText(ru.settings.ofAll, { exact: true }).first().waitFor()
      const edit = (section: keyof typeof sections) =>
        editWhat.replace("{{what}}", sections[section].title)
      await main.getByRole("button", { name: edit("service"), exact: true }).click()
      const drawer = page.getByRole("dialog")
      await drawer.getByText(`${labels.optionLabels.baseUrl} ${ofAll}`).waitFor()
      expect(await drawer.locator("[name=baseUrl]").getAttribute("placeholder")).toBe(service.url)
      await dashboard.expectUsable(page, "[role=dialog]")
      await dashboard.expectNoBarriers(page, "[role=dialog]")
      await drawer.getByRole("button", { name: ru.actions.cancel }).click()
      const keys = { baseUrl: setUp?.baseUrl, merchantId: setUp?.merchantId, secret: setUp?.secret }
      await fill(page, edit("service"), keys as Record<string, string>)
      await drawer.waitFor({ state: "detached" })

      const seed = { amount: 10, status: setUp?.paidStatus }
      await axios.post(`${simulator}/__simulator/transactions`, seed)
      await main.getByRole("button", { name: ru.connection.check }).click()
      const means = steps.means.replace("{{status}}", setUp?.paidStatus ?? "")
      await giveMeaning(page, means, ru.connection.statuses.meanings.paid)
      await main.getByText(steps.enabled, { exact: true }).waitFor()
      const callback = main.getByRole("region", { name: steps.callbacks.title })
      const callbacks = { url: await callback.locator(".font-mono").innerText() }
      await axios.put(`${simulator}/__simulator/callback`, callbacks)

      await main.getByRole("button", { name: new RegExp(`^${ru.methods.sbp}, `) }).click()
      const link = main.getByRole("link", { name: steps.test.open })
      const id = idIn(await link.getAttribute("href"))
      await axios.post(`${simulator}/__simulator/transactions/${id}/pay`, {})
      const test = main.getByRole("region", { name: steps.test.title })
      await test.getByText(steps.done, { exact: true }).waitFor()
      expect((await demo.orders()).map(({ payment_status }) => payment_status)).toEqual([
        "captured",
        "captured",
      ])
      await dashboard.expectUsable(page, "main")
    })

    it("shows that payouts are switched off, and no limits then (promise 16)", async () => {
      const admin = await dashboard.client()
      const address = "/admin/payment-service/settings"
      const { data } = await admin.get<{ accounts: { version: number }[] }>(address)
      const signing = { account: "main", secrets: { signingSecret: "signing-secret" } }
      await admin.post(address, { ...signing, version: data.accounts[0]?.version })
      const page = await dashboard.logIn()
      const main = page.getByRole("main")
      const { payout } = texts.en.paymentService
      await dashboard.visit(page, `${SECTION}/payouts`)
      await main.getByText(payout.switchedOff).waitFor()
      await main.getByText(payout.limits.me).waitFor()
      expect(await main.getByText(payout.limits.title).count()).toBe(0)
    })

    it("makes a new callback address at a click, which works beside the old one until that is removed", async () => {
      const page = await dashboard.logIn()
      const main = page.getByRole("main")
      const confirm = page.getByRole("alertdialog")
      await dashboard.visit(page, CONNECTION)
      // Payouts, unless the options say otherwise.
      await main.getByText("Switched off", { exact: true }).waitFor()
      await main.getByRole("button", { name: "Make a new address" }).click()
      await confirm.getByRole("button", { name: "Make a new address" }).click()
      await main.getByRole("button", { name: "Remove" }).click()
      await confirm.getByRole("button", { name: "Remove" }).click()
      await page.getByText("The address was removed").first().waitFor()
    })

    it.each([
      ["en", WIDE],
      ["ru", PHONE],
    ] as const)("shows what is set, without barriers, in %s, %p", async (language, viewport) => {
      const page = await dashboard.logIn(language, viewport)
      for (const path of [SETTINGS, CONNECTION]) {
        await dashboard.expectSound(page, path, language)
        await dashboard.expectNoBarriers(page, "main")
      }
    })
  }
)
