import axios from "axios"

import { eventually } from "../../integration/eventually"
import { Dashboard, SECTION } from "../dashboard-pages"
import type { DemoShop } from "../demo-shop"

const DAY = 86_400_000

/** The drawer that exports a list. */
export function exportPages(demo: DemoShop): void {
  const dashboard = new Dashboard(demo)

  it("shows that an export is under way, and cancels it", async () => {
    await axios.post(`${demo.addresses.service}/__simulator/transactions`, {
      // They are over: those that can still be paid would expire, and callbacks would tell of them. There are more than what fits
      // between a store and a browser that is slow to read.
      times: 100_000,
      amount: 90,
      status: "EXPIRED",
      createdAt: Date.now() - 20 * DAY,
    })
    const page = await dashboard.logIn()
    await dashboard.visit(page, `${SECTION}/transactions?source=service&period=last_30_days&q=90`)
    await page.getByRole("button", { name: "Export" }).click()
    const drawer = page.getByRole("dialog")
    const status = drawer.getByRole("status")
    // As slow as a bad line, so that it goes on for half a minute.
    const line = await page.context().newCDPSession(page)
    await line.send("Network.enable")
    await line.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: 200_000,
      uploadThroughput: 200_000,
    })
    await drawer.getByRole("radio", { name: "JSON" }).click()
    await drawer.getByRole("button", { name: "Download" }).click()
    await status.getByText("Downloading…").waitFor()
    expect(await drawer.getByRole("radio", { name: "CSV" }).isDisabled()).toBe(true)
    await drawer.getByRole("button", { name: "Cancel" }).click()
    await drawer.waitFor({ state: "detached" })
    await line.detach()
    // The store notes how it ended, and nothing keeps the admin from another one.
    const admin = await dashboard.client()
    await eventually("it was canceled", async () => {
      const { data } = await admin.get<{ exports: { outcome: string }[] }>(
        "/admin/payment-service/exports?limit=1"
      )
      return data.exports[0]?.outcome === "canceled"
    })
    await page.getByRole("button", { name: "Export" }).click()
    await drawer.getByRole("button", { name: "Download", disabled: false }).waitFor()
  })
}
