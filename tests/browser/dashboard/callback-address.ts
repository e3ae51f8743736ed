import axios from "axios"

import { eventually } from "../../integration/eventually"
import { Shopper } from "../../integration/shopper"
import { Dashboard, CONNECTION } from "../dashboard-pages"
import type { DemoShop } from "../demo-shop"

/** A store whose options have no token for callbacks, so that it makes its own. */
export function callbackAddress(demo: DemoShop): void {
  const dashboard = new Dashboard(demo)

  it("is replaced, works at once beside the old one, and alone once that is removed", async () => {
    const { backend, publishableKey, service, ...shop } = demo.addresses
    const admin = await dashboard.client()
    const address = async () => {
      const { data } = await admin.get<{ callback_url: string }>(
        "/admin/payment-service/connection"
      )
      return data.callback_url
    }
    const page = await dashboard.logIn()
    const main = page.getByRole("main")
    const confirm = page.getByRole("alertdialog")
    await dashboard.visit(page, CONNECTION)
    const before = await address()
    await main.getByText(before).waitFor()

    await main.getByRole("button", { name: "Make a new address" }).click()
    await confirm.getByText("keeps working until you remove it here").waitFor()
    await confirm.getByRole("button", { name: "Make a new address" }).click()
    await main.getByText(before).waitFor({ state: "detached" })
    const now = await address()
    expect(now).not.toBe(before)
    await main.getByText(now).waitFor()
    await dashboard.expectUsable(page, "main")

    const statusAt = async (url: string) =>
      (await axios.post(url, {}, { validateStatus: () => true })).status
    expect([await statusAt(before), await statusAt(now)]).toEqual([200, 200])
    await main.getByRole("button", { name: "Remove" }).click()
    await confirm.getByRole("button", { name: "Remove" }).click()
    await page.getByText("The address was removed").first().waitFor()
    // A process goes on accepting a token for a while after it has.
    await eventually("the old address is refused", async () => (await statusAt(before)) === 404)
    expect(await statusAt(now)).toBe(200)

    // The service, to which the admin has given the new address, tells of a payment there.
    await axios.put(`${service}/__simulator/callback`, { url: now })
    const http = axios.create({
      baseURL: backend,
      headers: { "x-publishable-api-key": publishableKey },
      validateStatus: () => true,
    })
    const { data } = await new Shopper({ shop: { ...shop, publishableKey }, http }).checkout("sbp")
    await axios.post(`${service}/__simulator/transactions/${data.transaction_id}/pay`, {})
    await eventually("its callback", async () => {
      const { data: shown } = await admin.get<{
        transaction: { settled_at: string | null }
        journal: { kind: string }[]
      }>(`/admin/payment-service/transactions/${data.transaction_id}`)
      return shown.transaction.settled_at && shown.journal.some(({ kind }) => kind === "callback")
    })
  })
}
