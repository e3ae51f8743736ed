import texts from "../../../admin/i18n"
import { WAYS } from "../dashboard-pages"
import type { DemoShop } from "../demo-shop"
import { badge, NUMBER, PAYOUTS, Payouts } from "../payout-pages"

/** Payouts of a store whose options ask for a second admin. */
export function payoutApproval(demo: DemoShop): void {
  const payouts = new Payouts(demo)
  const { dashboard } = payouts
  const second = () => ({
    email: demo.addresses.secondAdminEmail,
    password: demo.addresses.secondAdminPassword,
  })

  it.each(WAYS)("are asked about before they are approved, %s", async (way, ...look) => {
    const { payout: words } = texts[look[0]].paymentService
    const admin = await dashboard.client()
    const amount = 2_600 + WAYS.findIndex(([name]) => name === way)
    const { data } = await admin.post<{ payout: { id: string } }>(
      "/admin/payment-service/payouts",
      { amount, card_number: NUMBER }
    )
    const approver = await dashboard.logIn(...look, second())
    await dashboard.visit(approver, `${PAYOUTS}/${data.payout.id}`)
    await dashboard.expectUsable(approver, "main")
    await approver.getByRole("button", { name: words.actions.approve }).click()
    const drawer = approver.getByRole("dialog")
    await drawer.getByText(words.approve.whatHappensTyped).waitFor()
    await drawer.getByLabel(words.number.label).fill(NUMBER)
    await dashboard.expectUsable(approver, "[role=dialog]")
    await drawer.getByRole("button", { name: words.actions.approve }).click()
    const sending = approver.getByRole("link", { name: words.actions.send })
    await sending.waitFor()
    // As the state, and as the name of when it was.
    const approved = approver.getByText(words.fields.approved, { exact: true })
    await approved.nth(1).waitFor()
    expect(await approved.count()).toBe(2)
    await dashboard.visit(approver, `${PAYOUTS}?q=${amount}`)
    await badge(approver, words.fields.approved)
    await dashboard.visit(approver, `${PAYOUTS}/${data.payout.id}`)
    await sending.click()
    await approver.getByLabel(words.number.label).fill(NUMBER)
    await dashboard.expectUsable(approver, "[role=dialog]")
    // Who made it, who approved it, and who is about to send it.
    const rows = approver.getByRole("dialog").getByText("Second", { exact: true })
    await rows.nth(1).waitFor()
    expect(await rows.count()).toBe(2)
  })

  it("are for a number that maker and approver have typed, and that is typed once more to be sent", async () => {
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
    await drawer.getByLabel("Card number").fill(NUMBER)
    await drawer.getByRole("button", { name: "Approve" }).click()
    await approver.getByRole("link", { name: "Send" }).click()
    await approver.getByLabel("Card number").fill(NUMBER)
    await payouts.send(approver)
    await badge(approver, "Sent")
    expect(await payouts.ledger(2501)).toBe(1)
  })
}
