import axios from "axios"
import type { Page } from "playwright-core"

import { CONNECTION, Dashboard, PHONE } from "./dashboard-pages"
import { type DemoShop, describeDemo, WIDE } from "./demo-shop"

const PAGE = "/app/settings/sbp-crypto"
const hasBuiltDashboard = !process.env.DEEP

/** Fills in the fields of a card of options, and saves them. */
async function fill(page: Page, card: string, values: Record<string, string>) {
  await page
    .getByRole("main")
    .getByRole("button", { name: `Edit: ${card}` })
    .click()
  const drawer = page.getByRole("dialog")
  for (const [name, value] of Object.entries(values)) {
    await drawer.locator(`[id="option-${name}"]`).fill(value)
  }
  await drawer.locator("button[type=submit]").click()
  return drawer
}

describeDemo(
  "a store without an account (promise 24)",
  { isPrepared: true, hasBuiltDashboard, isEmpty: true },
  (demo: DemoShop) => {
    const dashboard = new Dashboard(demo)

    it("is led to a paid test order by clicking", async () => {
      const { service, regionId, setUp } = demo.addresses
      expect([await demo.transactions(), await demo.orders()]).toEqual([[], []])
      const admin = await dashboard.client()
      await admin.post(`/admin/regions/${regionId}`, { payment_providers: ["pp_system_default"] })
      await admin.post("/admin/regions", { name: "Europe", currency_code: "eur" })
      const page = await dashboard.logIn()
      const main = page.getByRole("main")
      await dashboard.expectSound(page, PAGE, "en")
      await main.getByText("Still missing: Address of the service, Merchant id, Secret").waitFor()

      const account = { baseUrl: "pay.test", merchantId: setUp?.merchantId ?? "" }
      const drawer = await fill(page, "Merchant account", account)
      await drawer.getByText("This does not fit. What fits: the service's https address").waitFor()
      await drawer.locator("#option-baseUrl").fill(setUp?.baseUrl ?? "")
      await drawer.locator("#option-secret").fill(setUp?.secret ?? "")
      await drawer.locator("button[type=submit]").click()
      await drawer.waitFor({ state: "detached" })

      // The name of a paid transaction is found in the service's own list.
      const seed = { amount: 10, status: setUp?.paidStatus }
      await axios.post(`${service}/__simulator/transactions`, seed)
      await main.getByRole("button", { name: "Ask for the service's statuses" }).click()
      await main.getByText(`“${setUp?.paidStatus ?? ""}”: 1 payment`).waitFor()
      await main.getByRole("combobox", { name: `Meaning of ${setUp?.paidStatus ?? ""}` }).click()
      await page.getByRole("option", { name: "Paid" }).click()
      await page.getByText("The settings were saved").first().waitFor()
      const pages = { successUrl: setUp?.resultPage ?? "", failureUrl: setUp?.resultPage ?? "" }
      await fill(page, "Storefront", pages)
      // Where payers are led to is shown in large before it is saved.
      const confirm = page.getByRole("alertdialog")
      await confirm.getByText(new URL(demo.addresses.storefront).host).waitFor()
      await confirm.getByRole("button", { name: "Save" }).click()
      await drawer.waitFor({ state: "detached" })

      await main.getByRole("button", { name: "Check now" }).click()
      await main.getByRole("status").getByText("Accepted").waitFor()
      const address = await main.locator("code").innerText()
      await axios.put(`${service}/__simulator/callback`, { url: address })
      await main.getByText("the account does not take EUR").waitFor()
      await main.getByRole("button", { name: "Enable SBP and crypto" }).click()
      await main.getByText("enabled", { exact: true }).waitFor()

      await main.getByRole("button", { name: /^SBP, / }).click()
      const link = main.getByRole("link", { name: "Open the payment page" })
      const id = new URL((await link.getAttribute("href")) ?? "").pathname.split("/").at(-1) ?? ""
      await axios.post(`${service}/__simulator/transactions/${id}/pay`, {})
      await main.getByRole("status").getByText("Paid", { exact: true }).waitFor()
      expect((await demo.orders()).map(({ payment_status }) => payment_status)).toEqual([
        "captured",
      ])
      const steps = ["Merchant account", "Callback address", "Status names", "Regions"]
      for (const name of [...steps, "Test payment"]) {
        await main.getByRole("region", { name }).getByText("done", { exact: true }).waitFor()
      }
    })

    it.each([
      ["ru", WIDE],
      ["ru", PHONE],
      ["en", PHONE],
    ] as const)("shows what is set, without barriers, in %s, %p", async (language, viewport) => {
      const page = await dashboard.logIn(language, viewport)
      for (const path of [PAGE, CONNECTION]) {
        await dashboard.expectSound(page, path, language)
        await dashboard.expectNoBarriers(page, "main")
      }
    })
  }
)
