/// <reference lib="dom" />
import { readFileSync } from "node:fs"

import type { AxiosInstance } from "axios"

import texts from "../../../admin/i18n"
import { eventually } from "../../integration/eventually"
import { PHONE, SECTION, WAYS } from "../dashboard-pages"
import type { DemoShop } from "../demo-shop"
import { describeDrawers } from "../payout-drawers"
import { badge, NUMBER, PAYOUTS, Payouts } from "../payout-pages"
import { describeRefunds } from "../payout-refunds"

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

  const cards = async () => {
    const { data } = await admin.get<{ cards: { card_id: string }[] }>(
      "/admin/payment-service/cards"
    )
    return data.cards
  }

  it("to a saved card: confirmed, and one payout however often it is sent", async () => {
    const page = await dashboard.logIn()
    await dashboard.visit(page, PAYOUTS)
    await page.getByText("No payouts yet").waitFor()
    await page.getByRole("link", { name: "New payout" }).click()
    await page.getByRole("radio", { name: /4242/ }).waitFor()

    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByText("Choose a card.").waitFor()
    await page.getByRole("radio", { name: /4242/ }).click()
    await page.getByLabel("Amount in rubles").fill("999")
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("alert").getByText("Whole rubles, ₽1,000.00 to ₽87,500.00").waitFor()
    await page.getByLabel("Amount in rubles").fill("1501.9")
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("alert").getByText("Whole rubles only, without kopecks").waitFor()
    await page.getByLabel("Amount in rubles").fill("1 501.00")
    // An impatient click comes as soon as the next step is there, with another button in the same place.
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        const buttons = Array.from(
          document.querySelectorAll<HTMLButtonElement>("[role=dialog] button")
        )
        const send = buttons.find(({ innerText }) => innerText.startsWith("Send"))
        if (!send) return
        observer.disconnect()
        send.click()
      })
      observer.observe(document.body, { childList: true, subtree: true })
    })
    await page.getByRole("button", { name: "Continue" }).click()

    await page.getByRole("heading", { name: "Is this right?" }).waitFor()
    // The second click of the double click, on a page that was slow.
    const sending = page.getByRole("button", { name: "Send ₽1,501.00" })
    await sending.click({ trial: true })
    await sending.hover()
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    expect(new URL(page.url()).searchParams.get("draft")).toMatch(/^pspo_/)
    expect(await made(1501)).toHaveLength(1)
    await page.reload()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("heading", { name: "Is this right?" }).waitFor()
    for (const repeated of ["₽1,501.00", "MIR •••• 4242", "Main card", "Made by", "Sent by"]) {
      await dialog.getByText(repeated, { exact: true }).waitFor()
    }
    const { data } = await admin.get<{ me: { name: string } }>(
      "/admin/payment-service/payout-settings"
    )
    // As who made it, and as who sends it.
    const names = dialog.getByText(data.me.name, { exact: true })
    await names.nth(1).waitFor()
    expect(await names.count()).toBe(2)

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

  it("to a typed number, which is kept nowhere in the browser", async () => {
    const page = await dashboard.logIn()
    await dashboard.visit(page, `${PAYOUTS}/new`)
    await page.getByRole("radio", { name: "Another card" }).click()
    const field = page.getByLabel("Card number")
    await field.pressSequentially("4111111111111112")
    expect(await field.inputValue()).toBe("4111 1111 1111 1112")
    await page.getByText("Check the digits").waitFor()
    await field.press("Backspace")
    await field.pressSequentially("1")
    await page.getByText("Check the digits").waitFor({ state: "detached" })
    // A digit in the middle leaves the caret where it was.
    await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(2, 2))
    await field.press("Backspace")
    await page.keyboard.type("1")
    expect(await field.inputValue()).toBe("4111 1111 1111 1111")
    expect(await field.getAttribute("autocomplete")).toBe("off")

    const bodies: string[] = []
    page.on("request", (request) => bodies.push(request.postData() ?? ""))
    await page.getByLabel("Amount in rubles").fill("1502")
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

  it("on a phone: the circles of the choices keep their size beside a long text", async () => {
    const page = await dashboard.logIn("ru", PHONE)
    for (const modal of ["new", "export"]) {
      await dashboard.visit(page, modal === "new" ? `${PAYOUTS}/new` : PAYOUTS)
      if (modal === "export") await page.getByRole("button", { name: "Экспорт" }).click()
      // Only choices with a text beside them could be squeezed.
      const choices = page.getByRole("radio").filter({ hasText: /\S/ })
      const circles = choices.locator("> div:first-child")
      await circles.nth(2).waitFor()
      const widths = await circles.evaluateAll((found) =>
        found.map((circle) => circle.getBoundingClientRect().width)
      )
      expect({ modal, widths }).toEqual({ modal, widths: [20, 20, 20] })
    }
  })

  it("whose answer names another card: with a warning", async () => {
    const page = await dashboard.logIn()
    const withdrawalRecordId = "5f1c7a30-2f5e-4b0e-9d57-6a1d3d0b7c11"
    const body = { withdrawalRecordId, status: "CREATED", cardMasked: "**** 9999" }
    await payouts.fault({ kind: "body", body: { ...body, amountUsdtDebited: 1 } })
    await payouts.fill(page, { card: /1881/, amount: 1531 })
    await payouts.send(page)
    await badge(page, "Sent")
    await page
      .getByText("named another card in its answer than the one that was asked for: •••• 9999")
      .first()
      .waitFor()
  })

  it("that is refused: with the reason", async () => {
    const page = await dashboard.logIn()
    await payouts.fault({ kind: "status", status: 403 })
    await payouts.fill(page, { card: /1881/, amount: 1503, note: "Refund of a lamp" })
    await page.getByText("Refund of a lamp").waitFor()
    await payouts.send(page)
    await badge(page, "Rejected")
    await page.getByText("The service refused this payout, and no money went.").waitFor()
    await page
      .getByText("Ask the account manager", { exact: false })
      .or(page.getByText("signature"))
      .first()
      .waitFor()
    expect(await payouts.ledger(1503)).toBe(0)
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
    await drawer.getByLabel("Card number").fill("4000000000000002")
    expect(await again.isDisabled()).toBe(true)
    await drawer.getByRole("checkbox").click()
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
    await drawer.getByRole("radio", { name: "Not sent" }).click()
    expect(await mark.isDisabled()).toBe(true)
    await drawer.getByLabel("What was found").fill("Not among today's payouts")
    await mark.click()
    await badge(page, "Marked as not sent")
    await page.getByText("Not among today's payouts").first().waitFor()
    expect(await page.getByRole("button", { name: "Send again" }).count()).toBe(0)
    expect(await payouts.ledger(1505)).toBe(0)
  })

  it("that is only a draft: changed, and discarded", async () => {
    const page = await dashboard.logIn()
    await payouts.fill(page, { card: /1881/, amount: 1506 })
    await page.getByRole("button", { name: "Change" }).click()
    await page.getByLabel("Amount in rubles").fill("1507")
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("button", { name: "Send ₽1,507.00" }).waitFor()
    const [draft] = await made(1507)
    await dashboard.visit(page, `${PAYOUTS}/${draft?.id ?? ""}`)
    await page.getByRole("button", { name: "Discard" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click()
    await badge(page, "Discarded")
    expect(await payouts.ledger(1507)).toBe(0)
  })

  it("for an order: from its page, and shown there", async () => {
    await payouts.paidBy("paid-out@shopper.test")
    const order = await eventually("an order that is paid", async () => {
      const { data } = await admin.get<{
        orders: { id: string; display_id: number; email: string; payment_status: string }[]
      }>("/admin/orders?fields=id,display_id,email,payment_status")
      return data.orders.find(
        ({ email, payment_status }) =>
          email === "paid-out@shopper.test" && payment_status === "captured"
      )
    })
    const page = await dashboard.logIn()
    await dashboard.visit(page, `/app/orders/${order.id}`)
    await page.getByRole("link", { name: "Pay out" }).click()
    await page.getByRole("radio", { name: /4242/ }).click()
    await page.getByText(`#${order.display_id} · paid-out@shopper.test`).first().waitFor()
    await page.getByLabel("Amount in rubles").fill("1508")
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("dialog").getByText(`#${order.display_id}`, { exact: true }).waitFor()
    await payouts.send(page)
    await page.getByRole("link", { name: `#${order.display_id}` }).click()
    await page.getByRole("link", { name: "₽1,508.00 · MIR •••• 4242" }).waitFor()
  })

  it("for a problem: its form and its page name the problem", async () => {
    const email = "named-problem@shopper.test"
    const id = await payouts.paidBy(email, { amount: 1509 })
    const problem = await eventually("a problem", async () => {
      const { data } = await admin.get<{ problems: { id: string; kind: "amount_differs" }[] }>(
        `/admin/payment-service/problems?transaction_id=${id}&status=open`
      )
      return data.problems[0]
    })
    const name = `${texts.en.paymentService.problemKinds[problem.kind]} · ${email}`
    const page = await dashboard.logIn()
    await dashboard.visit(page, `${SECTION}/problems/${problem.id}`)
    await dashboard.chooseOther(page, "Pay out")
    const dialog = page.getByRole("dialog")
    const link = dialog.getByRole("link", { name, exact: true })
    await link.waitFor()
    await page.getByRole("radio", { name: /4242/ }).click()
    await page.getByRole("button", { name: "Continue" }).click()
    await dialog.getByRole("heading", { name: "Is this right?" }).waitFor()
    await link.waitFor()
    const [draft] = await made(1509)
    await dashboard.visit(page, `${PAYOUTS}/${draft?.id ?? ""}`)
    await page.getByRole("link", { name, exact: true }).click()
    await page.waitForURL(new RegExp(`${problem.id}$`))
  })

  it("are found, filtered and exported", async () => {
    const ADDRESS = "/admin/payment-service/payouts"
    for (const [amount, note] of [
      [1512, "Refund of a chair"],
      [1513, "Refund of a desk"],
    ] as const) {
      const body = { card_id: (await cards())[0]?.card_id, amount, note }
      const { data } = await admin.post<{ payout: Payout }>(ADDRESS, body)
      if (amount === 1512) await payouts.fault({ kind: "status", status: 400 })
      await admin.post(`${ADDRESS}/${data.payout.id}/send`, { revision: 1 })
    }
    const [rejected] = await made(1512)

    const page = await dashboard.logIn()
    await dashboard.visit(page, `${PAYOUTS}?state=${JSON.stringify(["rejected"])}`)
    await page.getByRole("row").filter({ hasText: "₽1,512.00" }).waitFor()
    expect(await page.getByRole("row").filter({ hasText: "Sent" }).count()).toBe(0)
    await page.getByRole("button", { name: "Export" }).click()
    await page.getByText("State: Rejected").waitFor()
    const download = async (format: "CSV" | "Excel" | "JSON") => {
      await page.getByRole("dialog").getByRole("radio", { name: format }).click()
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download" }).click(),
      ])
      await page.getByRole("status").getByText(file.suggestedFilename()).waitFor()
      return readFileSync(await file.path())
    }
    const [header = "", ...rows] = (await download("CSV")).toString("utf8").trimEnd().split("\r\n")
    expect(header).toMatch(/^\ufeff.*Amount/)
    expect(rows.some((row) => row.includes(rejected?.id ?? "–"))).toBe(true)
    expect(rows.join()).not.toContain("Sent")
    const records = JSON.parse((await download("JSON")).toString("utf8")) as Payout[]
    expect(records).toContainEqual(expect.objectContaining({ id: rejected?.id, state: "rejected" }))
    const { default: readWorkbook } = await import("read-excel-file/node")
    const [sheet] = await readWorkbook(await download("Excel"))
    expect(sheet?.data.flat()).toContain(rejected?.id)

    await dashboard.visit(page, PAYOUTS)
    await page.getByPlaceholder("Search").fill("chair")
    // The totals of the days, in rows too, say no hour.
    const row = (amount: string) =>
      page.getByRole("row").filter({ hasText: RegExp(`\\d:\\d.*${amount}`) })
    await row("1,513").waitFor({ state: "detached" })
    await row("1,512").click()
    await page.getByRole("heading", { name: "₽1,512.00" }).waitFor()
  })

  it("are searched for by a card number, of which only the end gets into an address", async () => {
    const ADDRESS = "/admin/payment-service/payouts"
    const { data } = await admin.post<{ payout: Payout }>(ADDRESS, { amount: 1520 })
    await admin.post(`${ADDRESS}/${data.payout.id}/send`, { card_number: NUMBER, revision: 1 })
    const page = await dashboard.logIn()
    const addresses: string[] = []
    page.on("request", (request) => addresses.push(request.url(), request.postData() ?? ""))
    page.on("framenavigated", (frame) => addresses.push(frame.url()))
    await dashboard.visit(page, PAYOUTS)
    const field = page.getByPlaceholder("Search")
    const row = page.getByRole("row").filter({ hasText: /\d:\d.*1,520/ })
    await row.waitFor()
    // Medusa's field takes over what is searched for when that changes, even while somebody types: so it is tried again.
    const search = (end: string, enter: (number: string) => Promise<void>) =>
      eventually(`a search by ${end}`, async () => {
        await field.fill("")
        await enter(NUMBER.slice(0, -4) + end)
        const isSearched = () => field.inputValue().then((value) => value === `**** ${end}`)
        for (let times = 0; times < 50 && !(await isSearched()); times++) {
          await page.waitForTimeout(100)
        }
        return await isSearched()
      })
    const pasted = { "": "2222", "\u00a0": "3333", ".": "4444", "  ": "5555" }
    for (const [between, end] of Object.entries(pasted)) {
      const grouped = (number: string) => number.match(/\d{4}/g)?.join(between) ?? ""
      await search(end, (number) => field.fill(grouped(number)))
    }
    await search("1111", (number) => field.pressSequentially(number))
    await row.waitFor()
    expect(addresses.length).toBeGreaterThan(10)
    const withNumber = addresses.filter((address) =>
      /\d{13}/.test(decodeURIComponent(address).replace(/[^\p{L}\p{N}]/gu, ""))
    )
    // Vite adds numbers of its own to what it serves.
    expect(withNumber.filter((address) => address.includes("4111"))).toEqual([])
  })

  it("without a signing secret: how to get one, and nothing else", async () => {
    const page = await dashboard.logIn()
    await page.route("**/payout-settings", async (route) => {
      const answer = await route.fetch()
      const settings = (await answer.json()) as { accounts: object[] }
      const accounts = settings.accounts.map((one) => ({ ...one, has_signing_secret: false }))
      await route.fulfill({ response: answer, json: { ...settings, accounts } })
    })
    await dashboard.visit(page, PAYOUTS)
    await page.getByText("Ask your account manager at the service").waitFor()
    await page.getByText("shown once", { exact: false }).waitFor()
    expect(await page.getByRole("link", { name: "New payout" }).count()).toBe(0)
    expect(await page.getByRole("table").count()).toBe(0)
    await page.goto(`${demo.addresses.backend}${PAYOUTS}/new`)
    await page.waitForURL((url) => url.pathname === PAYOUTS)
  })

  it("are stopped, and let go again, above their list (promise 16)", async () => {
    const page = await dashboard.logIn()
    await dashboard.visit(page, PAYOUTS)
    const main = page.getByRole("main")
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
      for (const amount of [1502, 1503, 1505, 1507]) {
        await dashboard.expectSound(page, await pageOf(amount), language)
      }
      const form = "/payouts/new?amount=200400.50"
      await dashboard.expectSound(page, form, language, "[role=dialog]")
      await dashboard.visit(page, PAYOUTS)
      const { exports } = texts[language].paymentService
      await page.getByRole("button", { name: exports.action }).click()
      await dashboard.expectUsable(page, "[role=dialog]")
    })

    describeRefunds(payouts, [way, language, viewport, scheme], () => admin)
    if (process.env.DEEP) describeDrawers(payouts, [way, language, viewport, scheme], () => admin)
  })
}
