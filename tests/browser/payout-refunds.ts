/// <reference lib="dom" />
import type { AxiosInstance } from "axios"

import texts from "../../admin/i18n"
import { eventually } from "../integration/eventually"
import { SECTION, WAYS } from "./dashboard-pages"
import { badge, type Payouts } from "./payout-pages"

/** Money that goes back, from where an admin learns of it to what is recorded. */
export function describeRefunds(
  payouts: Payouts,
  [way, language, viewport, scheme]: (typeof WAYS)[number],
  given: () => AxiosInstance
): void {
  const { payout: words, actions } = texts[language].paymentService
  const { dashboard } = payouts
  /** Different in each way, so that no payout is like another one. */
  const place = WAYS.findIndex(([name]) => name === way)
  const rubles = (amount: number) =>
    new Intl.NumberFormat(language === "ru" ? "ru-RU" : "en-US", {
      style: "currency",
      currency: "RUB",
      currencyDisplay: "narrowSymbol",
    }).format(amount)
  const sendIt = words.confirm.send.replace(" {{sum}}", "")

  const problemOf = async (transactionId: string) =>
    await eventually("a problem", async () => {
      const { data } = await given().get<{ problems: { id: string }[] }>(
        `/admin/payment-service/problems?transaction_id=${transactionId}&status=open`
      )
      return data.problems[0]
    })

  it("from a problem to its refund, step by step", async () => {
    const amount = 1_600 + place
    const id = await payouts.paidBy(`less-${amount}@shopper.test`, { amount })
    const problem = await problemOf(id)
    const address = `${SECTION}/problems/${problem.id}`
    const page = await dashboard.logIn(language, viewport, scheme)
    await dashboard.visit(page, address)
    await dashboard.chooseOther(page, actions.pay_out.label, actions.others)
    await page.getByRole("radio", { name: /4242/ }).click()
    expect(await page.getByLabel(words.new.amount).inputValue()).toBe(String(amount))
    await dashboard.expectUsable(page, "[role=dialog]")
    await page.getByRole("button", { name: words.new.continue }).click()
    await page.getByRole("heading", { name: words.confirm.title }).waitFor()
    await dashboard.expectUsable(page, "[role=dialog]")
    expect(await payouts.ledger(amount)).toBe(0)
    await page.getByRole("button", { name: sendIt }).click()
    await page.waitForURL(/payouts\/pspo_/)
    await badge(page, words.states.created)
    await dashboard.expectUsable(page, "main")
    expect(await payouts.ledger(amount)).toBe(1)

    await dashboard.visit(page, address)
    const { data } = await given().get<{ problem: { resolution: string } }>(
      `/admin/payment-service/problems/${problem.id}`
    )
    expect(data.problem.resolution).toBe("refunded_outside")

    await dashboard.visit(page, `${SECTION}/transactions/${id}`)
    const { kinds } = texts[language].paymentService.proofs
    await page.getByRole("link", { name: kinds.payout }).click()
    await page.waitForURL(/payouts\/pspo_/)
  })

  it("from a problem of too much for one payout: all its parts are seen", async () => {
    const id = await payouts.paidBy(`large-${place}@shopper.test`, { amount: 200_000 })
    const problem = await problemOf(id)
    const page = await dashboard.logIn(language, viewport, scheme)
    await dashboard.visit(page, `${SECTION}/problems/${problem.id}`)
    await page.getByText([87_500, 87_500, 25_000].map(rubles).join(" + ")).waitFor()
    await dashboard.expectUsable(page, "main")
    await dashboard.chooseOther(page, actions.pay_out.label, actions.others)
    const dialog = page.getByRole("dialog")
    await dialog.getByText(RegExp(`^${escaped(rubles(200_000))}.* 3\\b`)).waitFor()
    expect(await page.getByLabel(words.new.amount).inputValue()).toBe("87500")
  })

  it("from the order's page: refund due, its rest, its draft, and what was paid out", async () => {
    const email = `due-${place}@shopper.test`
    const [asked, whole] = [1_199.99 + place, 1_199 + place]
    await payouts.paidBy(email)
    const order = await eventually("an order that is paid", async () => {
      const { data } = await given().get<{ orders: Order[] }>(
        "/admin/orders?limit=100&fields=id,email,*payment_collections.payments"
      )
      const found = data.orders.find((one) => one.email === email)
      const payment = found?.payment_collections[0]?.payments[0]
      return found && payment?.captured_at ? { id: found.id, payment: payment.id } : undefined
    })
    const refund = await given().post(
      `/admin/payments/${order.payment}/refund`,
      { amount: asked },
      { validateStatus: () => true }
    )
    expect(refund.status).toBe(400)

    const page = await dashboard.logIn(language, viewport, scheme)
    await dashboard.visit(page, `/app/orders/${order.id}`)
    const payOut = page.getByRole("button", { name: actions.pay_out.label })
    await payOut.waitFor()
    expect(await payOut.count()).toBe(1)
    await page.getByText(words.paidBack.rest).waitFor()
    await page.getByText(rubles(0.99), { exact: true }).waitFor()
    await payOut.click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText(words.new.rest.replace("{{rest}}", rubles(0.99))).waitFor()
    expect(await page.getByLabel(words.new.amount).inputValue()).toBe(String(whole))
    await page.getByRole("radio", { name: /4242/ }).click()
    await dashboard.expectUsable(page, "[role=dialog]")
    await page.getByRole("button", { name: words.new.continue }).click()
    await page.getByRole("button", { name: sendIt }).waitFor()

    // A draft that was left there is seen, and how to go on with it.
    await dashboard.visit(page, `/app/orders/${order.id}`)
    await page.getByText(words.paidBack.isHeld).waitFor()
    expect(await payOut.count()).toBe(0)
    await page.getByRole("link", { name: `${rubles(whole)} · MIR •••• 4242` }).click()
    await page.getByRole("link", { name: words.actions.send, exact: true }).click()
    await page.getByRole("button", { name: sendIt }).click()
    await badge(page, words.states.created)
    // The page of the order is not loaded anew, and tells what is so now.
    await page.locator(`a[href$="/orders/${order.id}"]`).first().click()
    await page.getByText(rubles(0.99), { exact: true }).waitFor()
    await page.getByText(words.paidBack.isHeld).waitFor({ state: "detached" })
    expect(await payOut.count()).toBe(0)
    expect(await payouts.ledger(whole)).toBe(1)
  })
}

interface Order {
  id: string
  email: string
  payment_collections: { payments: { id: string; captured_at: string | null }[] }[]
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
