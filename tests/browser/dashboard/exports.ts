import axios from "axios"
import { Client } from "@medusajs/framework/pg"

import texts from "../../../admin/i18n"
import { Dashboard, SECTION } from "../dashboard-pages"
import type { DemoShop } from "../demo-shop"

const DAY = 86_400_000

/** Exports that go on for a while, and the list of those that were. */
export function exportPages(demo: DemoShop): void {
  const dashboard = new Dashboard(demo)

  it("shows the progress of an export, and cancels it", async () => {
    await axios.post(`${demo.addresses.service}/__simulator/transactions`, {
      // They are over: those that can still be paid would expire, and callbacks would tell of them. There are more than what fits
      // between a store and a browser that is slow to read.
      ...{ times: 100_000, amount: 90, status: "EXPIRED", createdAt: Date.now() - 20 * DAY },
    })
    const page = await dashboard.logIn()
    await dashboard.visit(page, `${SECTION}/transactions?source=service&period=last_30_days&q=90`)
    await page.getByRole("link", { name: "Export" }).click()
    const drawer = page.getByRole("dialog")
    const status = drawer.getByRole("status")
    await drawer.getByText("Search: 90", { exact: true }).first().waitFor()
    // As slow as a bad line, so that it goes on for half a minute.
    const line = await page.context().newCDPSession(page)
    await line.send("Network.enable")
    await line.send("Network.emulateNetworkConditions", {
      ...{ offline: false, latency: 0, downloadThroughput: 200_000, uploadThroughput: 200_000 },
    })
    await drawer.getByRole("radio", { name: "JSON" }).click()
    await drawer.getByRole("button", { name: "Download" }).click()
    const sizes: string[] = []
    while (sizes.length < 3) {
      await status.getByText(/^Downloading: [\d,.]*[1-9]/).waitFor()
      const size = await status.innerText()
      if (size !== sizes.at(-1)) sizes.push(size)
    }
    expect(await drawer.getByRole("radio", { name: "CSV" }).isDisabled()).toBe(true)
    await drawer.getByRole("button", { name: "Cancel" }).click()
    await status.getByText("The export was canceled. Nothing was saved.").waitFor()
    await line.detach()
    // The store has noticed, and nothing keeps the admin from another one.
    const records = drawer.getByRole("listitem").filter({ hasText: "transactions_service" })
    await records.first().getByText("Canceled", { exact: true }).waitFor()
    await drawer.getByRole("button", { name: "Download" }).waitFor()
  })

  it("lists who took what, with which filters, how many rows, and how it ended", async () => {
    await inDatabase(demo.databaseUrl, "delete from payment_service_export_record")
    await inDatabase(
      demo.databaseUrl,
      `insert into payment_service_export_record (id, by, source, format, name, filters, started_at, finished_at, outcome, rows)
       select 'psexp_' || n, 'user_gone', 'store', 'csv', 'file_' || n || '.csv', $1,
         now() - n * interval '1 hour', now(), 'complete', 1000 + n
       from generate_series(1, 23) n`,
      [
        {
          ...{ state: ["paid", "expired"], method: ["sbp"], q: "1500", locale: "en" },
          ...{ from: "2025-03-01T00:00:00.000Z", to: "2025-04-01T00:00:00.000Z", time_zone: "UTC" },
        },
      ]
    )
    for (const [language, words] of [
      [
        "en",
        [
          ...["Opened since: Mar 1, 2025", "Opened until: Mar 31, 2025", "State: Paid, Expired"],
          ...["Method: SBP", "Search: 1500"],
        ],
      ],
      [
        "ru",
        [
          ...["Созданы с: 1 мар. 2025 г.", "Созданы по: 31 мар. 2025 г."],
          ...["Состояние: Оплачена, Истекла", "Способ: СБП", "Поиск: 1500"],
        ],
      ],
    ] as const) {
      const { exports } = texts[language].paymentService
      const page = await dashboard.logIn(language)
      await dashboard.visit(page, `${SECTION}/transactions`)
      await page.getByRole("link", { name: exports.action }).click()
      const drawer = page.getByRole("dialog")
      const latest = drawer.getByRole("listitem").filter({ hasText: "file_1.csv" })
      for (const word of words) await latest.getByText(word, { exact: true }).waitFor()
      expect(await drawer.getByText(/^file_\d+\.csv$/).count()).toBe(5)
      await dashboard.expectUsable(page, "[role=dialog]")

      await drawer.getByRole("link", { name: exports.all }).click()
      await page.waitForURL(new RegExp(`${SECTION}/exports$`))
      const rows = page.locator("tbody tr")
      await page.getByText("file_20.csv").waitFor()
      expect(await rows.count()).toBe(20)
      await dashboard.expectSound(page, "/exports?offset=20", language)
      await page.getByText("file_23.csv").waitFor()
      expect(await rows.count()).toBe(3)
      const last = rows.last()
      for (const word of [...words, "user_gone", exports.outcomes.complete]) {
        await last.getByText(word, { exact: true }).waitFor()
      }
      await last.getByText(/^1.023$/).waitFor()
    }
  })
}

async function inDatabase(url: string, statement: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement, values)
  } finally {
    await client.end()
  }
}
