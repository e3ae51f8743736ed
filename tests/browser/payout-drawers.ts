/// <reference lib="dom" />
import type { AxiosInstance } from "axios"
import type { Page } from "playwright-core"

import texts from "../../admin/i18n"
import type { WAYS } from "./dashboard-pages"
import { NUMBER, PAYOUTS, type Payouts } from "./payout-pages"

interface Answer {
  payout: { id: string; state: string }
}

const ROUTE = "/admin/payment-service/payouts"
let amounts = 1_700

/** All that opens on the page of a payout: it fits the screen, and everybody can use it. */
export function describeDrawers(
  payouts: Payouts,
  [, language, viewport, scheme]: (typeof WAYS)[number],
  given: () => AxiosInstance
): void {
  const { payout: words } = texts[language].paymentService
  const { dashboard } = payouts
  const draft = async () => (await given().post<Answer>(ROUTE, { amount: ++amounts })).data.payout
  const unknown = async () => {
    const { id } = await draft()
    await payouts.fault({ kind: "drop_after" })
    const { data } = await given().post<Answer>(`${ROUTE}/${id}/send`, {
      card_number: NUMBER,
      revision: 1,
    })
    expect(data.payout.state).toBe("unknown")
    return id
  }
  const open = async (id: string): Promise<Page> => {
    const page = await dashboard.logIn(language, viewport, scheme)
    await dashboard.visit(page, `${PAYOUTS}/${id}`)
    return page
  }

  it("sending again, and marking, can be used", async () => {
    const page = await open(await unknown())
    const drawer = page.getByRole("dialog")
    await dashboard.expectUsable(page, "main")
    await page.getByRole("button", { name: words.actions.send_again }).click()
    await drawer.getByLabel(words.number.label).fill(`${NUMBER.slice(0, 15)}2`)
    await drawer.getByText(words.number.unusual).waitFor()
    await drawer.getByLabel(words.again.looked).click()
    await drawer.getByRole("button", { name: words.actions.send_again }).click()
    await drawer.getByRole("alert").last().waitFor()
    await dashboard.expectUsable(page, "[role=dialog]")
    await page.keyboard.press("Escape")
    await drawer.waitFor({ state: "detached" })

    await page.getByRole("button", { name: words.actions.mark }).click()
    await drawer.getByRole("radio", { name: words.mark.not_sent.label }).waitFor()
    await dashboard.expectUsable(page, "[role=dialog]")
  })

  it("typing the number of a draft, and discarding it, can be used", async () => {
    const page = await open((await draft()).id)
    await page.getByRole("button", { name: words.actions.discard }).click()
    const prompt = page.getByRole("alertdialog")
    await prompt.getByText(words.discard.whatHappens).waitFor()
    await dashboard.expectUsable(page, "[role=alertdialog]")
    await prompt.getByRole("button").first().click()
    await prompt.waitFor({ state: "detached" })
    await page.getByRole("link", { name: words.actions.send, exact: true }).click()
    await page.getByLabel(words.number.label).fill("4111")
    await page.getByRole("button", { name: words.confirm.send.replace(" {{sum}}", "") }).click()
    await page.getByText(words.number.short).waitFor()
    await dashboard.expectUsable(page, "[role=dialog]")
  })
}
