import axios from "axios"

import { Dashboard } from "../dashboard-pages"
import type { DemoShop } from "../demo-shop"

interface Figures {
  transactions: { state: string; opened_at: string; customer: { name: string } | null }[]
  problems: { kind: string; opened_at: string }[]
  payouts: { state: string }[]
  comparisons: object[]
  subscriptions: {
    status_label: string | null
    interval_label: string | null
    customer_id: string | null
  }[]
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The week that lies behind a new demo. The first tests of its store. */
export function history(demo: DemoShop): void {
  const dashboard = new Dashboard(demo)
  const read = async <Part extends keyof Figures>(part: Part, query = "") => {
    const admin = await dashboard.client()
    const { data } = await admin.get<Figures>(`/admin/payment-service/${part}?${query}`)
    return data[part]
  }

  it("has payments of several days and outcomes, of customers whose names are known, and orders in the order of their days", async () => {
    const found = await read("transactions")
    const days = new Set(found.map(({ opened_at }) => opened_at.slice(0, 10)))
    expect(days.size).toBeGreaterThan(5)
    expect(found.filter(({ state }) => state === "paid").length).toBeGreaterThan(5)
    const states = found.map(({ state }) => state)
    expect(states).toEqual(expect.arrayContaining(["canceled", "expired"]))
    for (const { customer } of found) expect(customer?.name).toMatch(/^\S+ \S+$/)
    // Those of the store and of the simulator are of the same moments.
    const { data } = await axios.get<{ createdAt: number }[]>(
      `${demo.addresses.service}/__simulator/transactions`
    )
    const opened = found.map(({ opened_at }) => Date.parse(opened_at)).sort((a, b) => a - b)
    const created = data.map(({ createdAt }) => createdAt).sort((a, b) => a - b)
    expect(created).toHaveLength(opened.length)
    for (const [index, at] of created.entries()) {
      expect(Math.abs(at - (opened[index] ?? 0))).toBeLessThan(60_000)
    }
    const admin = await dashboard.client()
    const { data: listed } = await admin.get<{
      orders: { display_id: number; created_at: string }[]
    }>("/admin/orders?fields=display_id,created_at&order=display_id")
    const times = listed.orders.map(({ created_at }) => Date.parse(created_at))
    expect(times.length).toBeGreaterThan(6)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  it("has problems to look at, a refund that was paid out, and a comparison that finds nothing new", async () => {
    const problems = await read("problems", "status=open")
    const kinds = problems.map(({ kind }) => kind).sort()
    expect(kinds).toEqual(["amount_differs", "refund_due", "reversed"])
    for (const { opened_at } of problems) {
      expect(Date.now() - Date.parse(opened_at)).toBeGreaterThan(DAY_MS / 2)
    }
    const closed = await read("problems", "status=closed")
    expect(closed.map(({ kind }) => kind)).toEqual(["refund_due"])
    expect((await read("payouts")).map(({ state }) => state)).toEqual(["created"])
    const payments = await read("transactions")
    // The one difference is the sum that was paid too little, and has its problem.
    const { length } = payments
    // The hourly one may have come before it.
    const [comparison] = await read("comparisons")
    expect(comparison).toMatchObject({
      differences: 1,
      problems: 0,
      error: null,
      records: length,
      matched: length,
    })
    const admin = await dashboard.client()
    const { data } = await admin.get<{ limits: { used_today: number } }>(
      "/admin/payment-service/payout-settings"
    )
    expect(data.limits.used_today).toBe(0)
  })

  it("leaves no list of the dashboard empty, and no name unknown (promise 24)", async () => {
    const found = await read("subscriptions")
    for (const { status_label, interval_label } of found) {
      expect([status_label, interval_label]).not.toContain(null)
    }
    expect(found.filter(({ customer_id }) => customer_id).length).toBeGreaterThan(4)
    const admin = await dashboard.client()
    const [from, to] = [Date.now() - 7 * DAY_MS, Date.now()].map((at) => new Date(at).toISOString())
    for (const path of [
      "transactions",
      "problems",
      "payouts",
      "comparisons",
      "subscriptions",
      "exports",
      `service-transactions?from=${from}&to=${to}`,
    ]) {
      const { data } = await admin.get<{ count: number }>(`/admin/payment-service/${path}`)
      expect([path, data.count]).toEqual([path, expect.any(Number)])
      expect([path, data.count]).not.toEqual([path, 0])
    }
  })
}
