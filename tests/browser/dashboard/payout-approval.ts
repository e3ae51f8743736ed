import type { DemoShop } from "../demo-shop"
import { badge, NUMBER, Payouts } from "../payout-pages"

/** Payouts of a store whose options ask for a second admin. */
export function payoutApproval(demo: DemoShop): void {
  const payouts = new Payouts(demo)
  const { dashboard } = payouts
  const second = () => ({
    email: demo.addresses.secondAdminEmail,
    password: demo.addresses.secondAdminPassword,
  })

  it("are for a number that maker and approver have typed, and that is typed once more to be sent (promise 16)", async () => {
    const page = await dashboard.logIn()
    await payouts.fill(page, { number: NUMBER, amount: 2501 })
    await badge(page, "Waits for approval")
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0)
    const address = new URL(page.url()).pathname
    await demo.closePages()

    const approver = await dashboard.logIn("en", undefined, undefined, second())
    await dashboard.visit(approver, address)
    await approver.getByRole("button", { name: "Approve" }).click()
    const drawer = approver.getByRole("dialog")
    await drawer.getByLabel("Card number").fill(`${NUMBER.slice(0, 15)}2`)
    await drawer.getByRole("button", { name: "Approve" }).click()
    await drawer.getByText("This is not the card number that was typed").waitFor()
    await dashboard.expectUsable(approver, "[role=dialog]")
    await drawer.getByLabel("Card number").fill(NUMBER)
    await drawer.getByRole("button", { name: "Approve" }).click()
    await approver.getByRole("link", { name: "Send" }).click()
    await approver.getByLabel("Card number").fill(NUMBER)
    await payouts.send(approver)
    await badge(approver, "Sent")
    expect(await payouts.ledger(2501)).toBe(1)
  })
}
