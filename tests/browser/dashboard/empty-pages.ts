import axios from "axios"

import texts from "../../../admin/i18n"
import { CONNECTION, Dashboard, WAYS } from "../dashboard-pages"
import type { DemoShop } from "../demo-shop"

/** Pages of a store in which nothing has happened yet. The first tests of a store, because there is no way back. */
export function emptyPages(demo: DemoShop): void {
  const dashboard = new Dashboard(demo)
  afterEach(() => axios.delete(`${demo.addresses.service}/__simulator/faults`))

  it.each(WAYS)(
    "say what will be there, %s (promise 21)",
    async (_, language, viewport, scheme) => {
      const { transactions, problems, comparison, subscriptions, payout } =
        texts[language].paymentService
      const page = await dashboard.logIn(language, viewport, scheme)
      // The simulator has some from its start.
      const noSubscriptions = { on: "subscriptions", kind: "status", status: 404, times: "always" }
      await axios.post(`${demo.addresses.service}/__simulator/faults`, noSubscriptions)
      for (const [path, { heading, description }] of [
        ["/transactions", transactions.empty],
        // The list is kept for a while, so the question is one that no later test asks.
        ["/transactions?source=service&period=last_month", transactions.serviceEmpty],
        ["/problems", problems.empty],
        ["/comparison", comparison.empty],
        ["/subscriptions", subscriptions.empty],
        ["/payouts", payout.empty],
      ] as const) {
        await dashboard.expectSound(page, path, language)
        await page.getByText(heading, { exact: true }).waitFor()
        await page.getByText(description, { exact: true }).waitFor()
      }
      for (const path of ["", CONNECTION]) await dashboard.expectSound(page, path, language)
    }
  )
}
