/// <reference lib="dom" />
import axios from "axios"
import type { Page } from "playwright-core"

import { Shopper } from "../integration/shopper"
import { Dashboard, SECTION } from "./dashboard-pages"
import type { DemoShop } from "./demo-shop"

export const PAYOUTS = `${SECTION}/payouts`
export const NUMBER = "4111111111111111"

/** Payouts on both sides: in the dashboard, and in the service's own ledger. */
export class Payouts {
  readonly dashboard: Dashboard

  constructor(readonly demo: DemoShop) {
    this.dashboard = new Dashboard(demo)
  }

  async ledger(amountRub: number): Promise<number> {
    const { data } = await axios.get<{ amountRub: number }[]>(
      `${this.demo.addresses.service}/__simulator/payouts`
    )
    return data.filter((payout) => payout.amountRub === amountRub).length
  }

  /** The next payout meets this at the service. */
  async fault(fault: object): Promise<void> {
    await axios.post(`${this.demo.addresses.service}/__simulator/faults`, {
      on: "payout",
      ...fault,
    })
  }

  async fill(page: Page, { card, number, amount, note }: Filled): Promise<void> {
    await this.dashboard.visit(page, `${PAYOUTS}/new`)
    await page.getByRole("radio", { name: card ?? "Another card" }).click()
    if (number) await page.getByLabel("Card number").pressSequentially(number)
    await page.getByLabel("Amount in rubles").fill(String(amount))
    if (note) await page.getByLabel("Note").fill(note)
    await page.getByRole("button", { name: "Continue" }).click()
  }

  /** Sends what is asked about, and ends on the payout's page. */
  async send(page: Page): Promise<void> {
    await page.getByRole("button", { name: /^Send ₽/ }).click()
    await page.waitForURL(/payouts\/pspo_/)
    await page.getByRole("heading", { name: "History" }).waitFor()
  }

  shopper(): Shopper {
    const { backend, publishableKey, service: _, ...shop } = this.demo.addresses
    const http = axios.create({
      baseURL: backend,
      headers: { "x-publishable-api-key": publishableKey },
      validateStatus: () => true,
    })
    return new Shopper({ shop: { ...shop, publishableKey }, http })
  }

  /** A payment of a shopper's, who has paid this much. */
  async paidBy(email: string, body: object = {}): Promise<string> {
    const { service } = this.demo.addresses
    const shopper = this.shopper()
    const { data } = await shopper.checkout("sbp", { email })
    await axios.post(`${service}/__simulator/transactions/${data.transaction_id}/pay`, body)
    return data.transaction_id
  }
}

interface Filled {
  card?: RegExp
  number?: string
  amount: number
  note?: string
}

/** Waits until a payout is shown in this state. */
export const badge = (page: Page, state: string) =>
  page.getByRole("main").getByText(state, { exact: true }).first().waitFor()
