import { Dashboard, PHONE } from "../dashboard-pages"
import { type DemoShop, WIDE } from "../demo-shop"
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

  it("pays less by keyboard, in Russian on a phone, and the shop looks at it", async () => {
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

  it("sets a status and pays in its list, which keeps focus, typed text and what is open", async () => {
    const page = await demo.open(WIDE, "en")
    await demo.toPayment(page, "sbp")
    const id = (await demo.transactions()).at(-1)?.id ?? ""
    await page.goto(demo.addresses.service)
    await page.locator(`#open-${id}`).click()
    await page.locator(`#status-${id}`).fill("ON_HOLD")
    await page.locator(`#set-${id}`).focus()
    // Something else happens meanwhile, so the list is drawn anew.
    const other = await demo.open(WIDE, "ru")
    await demo.toPayment(other, "sbp")
    const newest = (await demo.transactions()).at(-1)?.id ?? ""
    await page.locator(`#open-${newest}`).waitFor()
    expect(await page.locator(`#status-${id}`).inputValue()).toBe("ON_HOLD")
    expect(await page.locator(":focus").getAttribute("id")).toBe(`set-${id}`)
    expect(await obstacles(page)).toEqual([])
    await page.keyboard.press("Enter")
    await page.locator(`[data-id="${id}"]`).getByText("ON_HOLD").waitFor()
    await page.locator(`#pay-${id}`).click()
    await page.locator(`[data-id="${id}"]`).getByText("CONFIRMED").waitFor()
  })
}
