/// <reference lib="dom" />
import type { AxiosInstance } from "axios"

import texts from "../../../admin/i18n"
import { eventually } from "../../integration/eventually"
import { SECTION, WAYS } from "../dashboard-pages"
import type { DemoShop } from "../demo-shop"
import { badge, NUMBER, PAYOUTS, Payouts } from "../payout-pages"

const ROUTE = "/admin/payment-service/payouts"

interface Payout {
  id: string
  state: string
  amount: number
}

/** Payouts, from the form to the ledger of the service. */
export function payoutPages(demo: DemoShop): void {
  const payouts = new Payouts(demo)
  const { dashboard } = payouts
  let admin: AxiosInstance

  beforeAll(async () => {
    admin = await dashboard.client()
  })

  const made = async (amount: number) => {
    const { data } = await admin.get<{ payouts: Payout[] }>(
      `/admin/payment-service/payouts?q=${amount}`
    )
    return data.payouts
  }

  it("to a saved card: confirmed, and one payout however often it is sent (promise 15)", async () => {
    const page = await dashboard.logIn()
    await dashboard.visit(page, PAYOUTS)
    await page.getByText("No payouts yet").waitFor()
    await page.getByRole("link", { name: "New payout" }).click()
    await page.getByRole("radio", { name: /4242/ }).waitFor()

    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByText("Choose a card.").waitFor()
    await page.getByRole("radio", { name: /4242/ }).click()
    await page.getByText("Choose a card.").waitFor({ state: "detached" })
    await page.getByLabel("Amount in rubles").fill("1501.9")
    await page.getByRole("button", { name: "Continue" }).click()
    const error = page.getByRole("alert").getByText("Whole rubles only, without kopecks")
    await error.waitFor()
    // It goes as soon as it is mended.
    await page.getByLabel("Amount in rubles").fill("1 501.00")
    await error.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Continue" }).click()

    await page.getByRole("heading", { name: "Is this right?" }).waitFor()
    expect(await made(1501)).toHaveLength(1)
    await page.reload()
    const dialog = page.getByRole("dialog")
    for (const repeated of ["₽1,501.00", "MIR •••• 4242", "Main card", "Made by", "Sent by"]) {
      await dialog.getByText(repeated, { exact: true }).waitFor()
    }

    const second = await page.context().newPage()
    await second.goto(page.url())
    const sendingToo = second.getByRole("button", { name: "Send ₽1,501.00" })
    await sendingToo.waitFor()
    await Promise.all([
      page.getByRole("button", { name: "Send ₽1,501.00" }).dblclick(),
      sendingToo.dblclick(),
    ])
    await Promise.all([page.waitForURL(/payouts\/pspo_/), second.waitForURL(/payouts\/pspo_/)])
    await badge(page, "Sent")
    await badge(second, "Sent")
    expect(await payouts.ledger(1501)).toBe(1)

    // The same once more is asked about first.
    await payouts.fill(page, { card: /4242/, amount: 1501 })
    await page.getByRole("alertdialog").getByText("Pay out twice?").waitFor()
    await page.getByRole("button", { name: "Cancel" }).last().click()
    expect(await made(1501)).toHaveLength(1)
  })

  it("to a typed number, which is kept nowhere in the browser (promise 17)", async () => {
    const page = await dashboard.logIn()
    await dashboard.visit(page, `${PAYOUTS}/new`)
    await page.getByRole("radio", { name: "Another card" }).click()
    const field = page.getByLabel("Card number")
    await field.pressSequentially("4111111111111112")
    await page.getByText("Check the digits").waitFor()
    await field.press("Backspace")
    await field.pressSequentially("1")
    await page.getByText("Check the digits").waitFor({ state: "detached" })
    expect(await field.inputValue()).toBe("4111 1111 1111 1111")
    expect(await field.getAttribute("autocomplete")).toBe("off")

    const bodies: string[] = []
    page.on("request", (request) => bodies.push(request.postData() ?? ""))
    const amount = page.getByLabel("Amount in rubles")
    await amount.fill("1502")
    // Money is never moved by a key.
    for (const key of ["Enter", "Control+Enter"]) await amount.press(key)
    await page.waitForLoadState("networkidle")
    expect(await made(1502)).toEqual([])
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByText("4111 1111 1111 1111").waitFor()
    expect(bodies.filter((body) => body.includes(NUMBER))).toEqual([])
    expect(page.url()).not.toContain("1111")
    await payouts.send(page)
    await badge(page, "Sent")
    expect(bodies.filter((body) => body.includes(NUMBER))).toHaveLength(1)

    const kept = await page.evaluate(() =>
      JSON.stringify([
        JSON.stringify(localStorage),
        JSON.stringify(sessionStorage),
        history.state,
        location.href,
        document.documentElement.outerHTML,
        Array.from(document.querySelectorAll("input"), ({ value }) => value),
      ])
    )
    expect(kept.replace(/\s/g, "")).not.toContain(NUMBER)
    await page.goBack()
    await page.waitForLoadState("networkidle")
    expect((await page.content()).replace(/\s/g, "")).not.toContain(NUMBER)
  })

  it("of which nobody knows: sent again, with the same number only", async () => {
    const page = await dashboard.logIn()
    await payouts.fault({ kind: "drop_after" })
    await payouts.fill(page, { number: NUMBER, amount: 1504 })
    await payouts.send(page)
    await badge(page, "Unknown")
    await page.getByText("the money may have gone", { exact: false }).waitFor()
    expect(await payouts.ledger(1504)).toBe(1)

    await page.getByRole("button", { name: "Send again" }).click()
    const drawer = page.getByRole("dialog")
    const again = drawer.getByRole("button", { name: "Send again" })
    await drawer.getByText("in the payout section of the service's account area first").waitFor()
    await dashboard.expectUsable(page, "[role=dialog]")
    await drawer.getByLabel("Card number").fill("4000000000000002")
    await again.click()
    const error = drawer.getByRole("alert").getByText(texts.en.paymentService.required)
    await error.waitFor()
    await drawer.getByRole("checkbox").click()
    await error.waitFor({ state: "detached" })
    await again.click()
    await drawer
      .getByText("This is not the card number that was typed for this payout before")
      .waitFor()
    await drawer.getByLabel("Card number").fill(NUMBER)
    await again.click()
    await badge(page, "Sent")
    expect(await payouts.ledger(1504)).toBe(1)
  })

  it("of which nobody knows: marked as what was found", async () => {
    const page = await dashboard.logIn()
    await payouts.fault({ kind: "drop_before" })
    await payouts.fill(page, { card: /1881/, amount: 1505 })
    await payouts.send(page)
    await badge(page, "Unknown")
    await page.getByRole("button", { name: "Mark as sent or not sent" }).click()
    const drawer = page.getByRole("dialog")
    const mark = drawer.getByRole("button", { name: "Mark", exact: true })
    // The first missing field has the focus, also where it is a choice.
    await mark.click()
    await drawer.locator("[role=radio]:focus").waitFor()
    await drawer.getByRole("radio", { name: "Not sent" }).click()
    await dashboard.expectUsable(page, "[role=dialog]")
    const error = drawer.getByRole("alert").getByText(texts.en.paymentService.required)
    await error.waitFor()
    const note = drawer.getByLabel("What was found")
    await note.fill("Not among today's payouts")
    await error.waitFor({ state: "detached" })
    await note.press("Control+Enter")
    await badge(page, "Marked as not sent")
    await page.getByText("Not among today's payouts").first().waitFor()
    expect(await page.getByRole("button", { name: "Send again" }).count()).toBe(0)
    expect(await payouts.ledger(1505)).toBe(0)
  })

  it("are searched for by a card number, of which only the end gets into an address (promise 22)", async () => {
    const { data } = await admin.post<{ payout: Payout }>(ROUTE, { amount: 1520 })
    await admin.post(`${ROUTE}/${data.payout.id}/send`, { card_number: NUMBER, revision: 1 })
    const page = await dashboard.logIn()
    const addresses: string[] = []
    page.on("request", (request) => addresses.push(request.url(), request.postData() ?? ""))
    page.on("framenavigated", (frame) => addresses.push(frame.url()))
    await dashboard.visit(page, PAYOUTS)
    const field = page.getByPlaceholder("Search")
    const row = page.getByRole("row").filter({ hasText: /\d:\d.*1,520/ })
    await row.waitFor()
    // Medusa's field takes over what is searched for when that changes, even while somebody types: so it is tried again.
    await eventually("a search by its end", async () => {
      await field.fill(NUMBER)
      await page.waitForTimeout(1_000)
      return (await field.inputValue()) === `**** ${NUMBER.slice(-4)}`
    })
    await row.waitFor()
    expect(addresses.length).toBeGreaterThan(10)
    const withNumber = addresses.filter((address) =>
      /\d{13}/.test(decodeURIComponent(address).replace(/[^\p{L}\p{N}]/gu, ""))
    )
    // Vite adds numbers of its own to what it serves.
    expect(withNumber.filter((address) => address.includes("4111"))).toEqual([])
  })

  it("are of named users: the page shows each their own id to copy (promise 16)", async () => {
    const { data } = await admin.get<{ user: { id: string } }>("/admin/users/me")
    const page = await dashboard.logIn()
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await dashboard.visit(page, PAYOUTS)
    const own = page.getByRole("main").getByText("Your user id").filter({ hasText: data.user.id })
    await own.getByRole("button", { name: "Copy" }).click()
    await eventually("it is copied", async () => {
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      return copied === data.user.id
    })
  })

  it("are stopped, and let go again, above their list (promise 16)", async () => {
    const page = await dashboard.logIn()
    await dashboard.visit(page, PAYOUTS)
    const main = page.getByRole("main")
    await main.getByRole("heading", { name: "Limits today" }).waitFor()
    await main.getByText(/^A day ends at midnight, /).waitFor()
    for (const action of ["Stop payouts", "Lift the stop"]) {
      await main.getByRole("button", { name: action }).click()
      await page.getByRole("alertdialog").getByRole("button", { name: action }).click()
      const told = main.getByText(/^Payouts are stopped: /)
      await told.waitFor({ state: action === "Stop payouts" ? "visible" : "detached" })
      const { data } = await admin.get<{ stopped: object | null }>(
        "/admin/payment-service/payout-settings"
      )
      expect(data.stopped === null).toBe(action === "Lift the stop")
    }
  })

  describe.each(WAYS)("%s", (way, language, viewport, scheme) => {
    it("every page is there, in the language of the admin, and fits the screen", async () => {
      const page = await dashboard.logIn(language, viewport, scheme)
      const pageOf = async (amount: number) => `/payouts/${(await made(amount))[0]?.id ?? ""}`
      await dashboard.expectSound(page, "/payouts", language)
      const { data } = await admin.post<{ payout: Payout }>(ROUTE, { amount: 1503 })
      await payouts.fault({ kind: "status", status: 403 })
      await admin.post(`${ROUTE}/${data.payout.id}/send`, { card_number: NUMBER, revision: 1 })
      for (const amount of [1502, 1503, 1505]) {
        await dashboard.expectSound(page, await pageOf(amount), language)
      }
      const form = "/payouts/new?amount=200400.50"
      await dashboard.expectSound(page, form, language, "[role=dialog]")
      await dashboard.visit(page, PAYOUTS)
      const { exports } = texts[language].paymentService
      await page.getByRole("button", { name: exports.action }).click()
      await dashboard.expectUsable(page, "[role=dialog]")
    })

    it("from a problem to its refund, step by step (promise 18)", async () => {
      const { payout: words, actions, proofs } = texts[language].paymentService
      const sendIt = words.confirm.send.replace(" {{sum}}", "")
      // Different in each way, so that no payout is like another one.
      const amount = 1_600 + WAYS.findIndex(([name]) => name === way)
      const id = await payouts.paidBy(`less-${amount}@shopper.test`, { amount })
      const problem = await eventually("a problem", async () => {
        const { data } = await admin.get<{ problems: { id: string }[] }>(
          `/admin/payment-service/problems?transaction_id=${id}&status=open`
        )
        return data.problems[0]
      })
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
      const { data } = await admin.get<{ problem: { resolution: string } }>(
        `/admin/payment-service/problems/${problem.id}`
      )
      expect(data.problem.resolution).toBe("refunded_outside")

      await dashboard.visit(page, `${SECTION}/transactions/${id}`)
      await page.getByRole("link", { name: proofs.kinds.payout }).click()
      await page.waitForURL(/payouts\/pspo_/)
    })
  })
}
