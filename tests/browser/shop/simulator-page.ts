import { Dashboard, PHONE } from "../dashboard-pages"
import type { DemoShop } from "../demo-shop"
import { obstacles } from "./obstacles"

/** The simulator's pages as a tester clicks on them. */
export function simulatorPage(demo: DemoShop): void {
  const dashboard = new Dashboard(demo)
  const problemsOf = async (id: string) => {
    const admin = await dashboard.client()
    const { data } = await admin.get<{ problems: { kind: string }[] }>(
      `/admin/payment-service/problems?transaction_id=${id}&status=open`
    )
    return data.problems.map(({ kind }) => kind)
  }

  it("pays less by keyboard, in Russian on a phone, and the shop looks at it (promise 24)", async () => {
    const page = await demo.open(PHONE, "ru")
    await demo.toPayment(page, "sbp")
    const id = (await demo.transactions()).at(-1)?.id ?? ""
    await page.goto(demo.payerPage({ id }))
    await page.locator("summary").focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    expect(await page.locator(":focus").innerText()).toBe("Оплатить меньше")
    const width = await page.evaluate("document.documentElement.scrollWidth")
    expect(width).toBeLessThanOrEqual(PHONE.width)
    expect(await obstacles(page)).toEqual([])
    await page.keyboard.press("Enter")
    await page.locator('[data-part="panel"][data-state="problem"]').waitFor()
    expect(await problemsOf(id)).toEqual(["amount_differs"])
  })
}
