/// <reference lib="dom" />
import axios from "axios"
import type { Page } from "playwright-core"

import texts from "../../../admin/i18n"
import { eventually } from "../../integration/eventually"
import { CONNECTION, PHONE, SECTION, SETTINGS } from "../dashboard-pages"
import type { DemoShop } from "../demo-shop"
import { badge, Payouts } from "../payout-pages"

const SETTLED = "/admin/payment-service/transactions?standing=settled&limit=1"

/** The common parts of all pages of the section, and the shortest ways through it. It runs after the payments, so that there are some. */
export function pagesAtHand(demo: DemoShop): void {
  const payouts = new Payouts(demo)
  const { dashboard } = payouts
  const { standings, failed, noZone } = texts.en.paymentService

  /** Clicks like an admin, and counts it. */
  const clicker = (page: Page) => {
    const clicks: string[] = []
    const click = async (role: "link" | "button" | "radio", name: string | RegExp) => {
      await page.getByRole(role, { name }).first().click()
      clicks.push(String(name))
    }
    return { clicks, click }
  }

  it("payments are filtered by one status with plain names, refunded ones among them", async () => {
    const page = await dashboard.logIn()
    await dashboard.visit(page, `${SECTION}/transactions`)
    await page.locator("tbody tr").first().waitFor()
    // Nothing stands between the buttons and the table while there is no filter.
    expect(await page.locator("main .min-h-\\[28px\\]").count()).toBe(0)
    await page.locator("main button[aria-haspopup=menu]").first().click()
    const names = await page.getByRole("menuitem").allInnerTexts()
    expect(names).toEqual(["Status", "Method", "Opened", "Seen paid"])
    await page.getByRole("menuitem", { name: "Status" }).click()
    for (const name of Object.values(standings)) {
      await page.getByText(name, { exact: true }).last().waitFor()
    }
    const chosen = JSON.stringify(["settled"])
    await dashboard.visit(page, `${SECTION}/transactions?standing=${encodeURIComponent(chosen)}`)
    const shown = page.locator("tbody tr td:nth-child(2)")
    await shown.first().waitFor()
    expect([...new Set(await shown.allInnerTexts())]).toEqual(["Paid"])
  })

  it("the sidebar marks the list that a payment belongs to", async () => {
    const page = await dashboard.logIn()
    const link = (path: string) =>
      page.locator(`aside a[href="/app/payment-service${path}"]`).last()
    const marked = async () => {
      const found = []
      for (const path of ["", "/transactions", "/problems"]) {
        const shadow = await link(path).evaluate((one) => getComputedStyle(one).boxShadow)
        if (shadow !== "none") found.push(path)
      }
      return found
    }
    await dashboard.visit(page, `${SECTION}/transactions`)
    const lists = page.locator('aside li a[href^="/app/payment-service/"]')
    expect(await lists.allInnerTexts()).toEqual([
      "Transactions",
      "Problems",
      "Payouts",
      "Subscriptions",
      "Comparison",
    ])
    await page.locator("tbody tr").first().getByRole("link").first().click()
    await page.getByRole("heading", { name: "Details" }).waitFor()
    expect(await marked()).toEqual(["/transactions"])
    await page.goBack()
    await page.locator("tbody tr").first().waitFor()
    expect(await marked()).toEqual(["/transactions"])
  })

  it("an error of the store is a sentence with another try, on every page", async () => {
    const admin = await dashboard.client()
    const { data } = await admin.get<{ transactions: { order_id: string }[] }>(SETTLED)
    const page = await dashboard.logIn()
    let isBroken = true
    await page.route("**/admin/payment-service/**", async (route) => {
      const isBadge = route.request().url().includes("limit=1")
      if (!isBroken || isBadge) return await route.continue()
      const message = "An unknown error occurred."
      await route.fulfill({ status: 500, json: { type: "unknown_error", message } })
    })
    for (const path of [
      ...["", "/transactions", "/problems", "/payouts", "/subscriptions", "/comparison"],
      ...["/transactions/pstx_1", "/problems/psprob_1", "/payouts/pspo_1", "/records/id_1"],
      ...["/subscriptions/id_1", "/comparison/psrun_1", SETTINGS, CONNECTION],
      `/app/orders/${data.transactions[0]?.order_id ?? ""}`,
    ]) {
      isBroken = true
      const address = path.startsWith("/app/") ? path : SECTION + path
      await page.goto(`${demo.addresses.backend}${address}`)
      const alert = page.getByRole("main").getByRole("alert").first()
      await alert.waitFor()
      expect(await alert.innerText()).toContain("An unknown error occurred.")
      const text = await page.getByRole("main").innerText()
      expect(text).not.toMatch(/\n\s*at |of 0 results/)
      // The rest of an order's page is Medusa's.
      const ours = path.startsWith("/app/orders") ? "main [role=alert]" : "main"
      await dashboard.expectUsable(page, ours)
      if (path.endsWith("_1")) continue
      isBroken = false
      await alert.getByRole("button", { name: failed.retry }).click()
      await alert.waitFor({ state: "detached" })
    }
  })

  it("a browser without a time zone gets UTC, and is told so", async () => {
    const page = await dashboard.logIn()
    await page.addInitScript(() => {
      // eslint-disable-next-line @typescript-eslint/unbound-method
      const real = Intl.DateTimeFormat.prototype.resolvedOptions
      Intl.DateTimeFormat.prototype.resolvedOptions = function () {
        return { ...real.call(this), timeZone: "Etc/Unknown" }
      }
    })
    const asked = page.waitForRequest(/overview\?.*time_zone=UTC/)
    await dashboard.visit(page, SECTION)
    await asked
    await page.getByText(noZone).waitFor()
  })

  it("a payment's order is found by a part of the e-mail address after at most three clicks (promises 19 and 22)", async () => {
    await payouts.paidBy("where-is-my-order@shopper.test")
    const page = await dashboard.logIn()
    const addresses: string[] = []
    page.on("request", (request) => addresses.push(decodeURIComponent(request.url())))
    page.on("framenavigated", (frame) => addresses.push(decodeURIComponent(frame.url())))
    await dashboard.visit(page, SECTION)
    const { clicks, click } = clicker(page)
    await click("link", "Transactions")
    await page.getByPlaceholder("Search").click()
    await page.keyboard.type("is-my-ORDER@")
    await page.getByText(/of 1 results/).waitFor()
    await page.getByRole("row").nth(1).click()
    await page.getByRole("main").getByText("and Medusa has the payment").waitFor()
    await page
      .getByRole("main")
      .getByRole("link", { name: /^#\d+$/ })
      .waitFor()
    expect(clicks.length + 2).toBeLessThanOrEqual(3)
    // Browsers and logs remember addresses.
    expect(addresses.filter((address) => /is-my-order/i.test(address))).toEqual([])
  })

  it("last month is in an Excel file after at most four clicks", async () => {
    const page = await dashboard.logIn()
    await dashboard.visit(page, SECTION)
    const { clicks, click } = clicker(page)
    await click("link", "Transactions")
    await click("button", "Export")
    await click("radio", "Last month")
    const [file] = await Promise.all([page.waitForEvent("download"), click("button", "Download")])
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
    expect(clicks.length).toBeLessThanOrEqual(4)
  })

  it("a saved card is paid out to after at most five clicks, and the next step is a button", async () => {
    const page = await dashboard.logIn()
    await dashboard.visit(page, SECTION)
    const { clicks, click } = clicker(page)
    await click("link", "Payouts")
    await click("link", "New payout")
    await click("radio", /4242/)
    await page.getByLabel("Amount in rubles").fill("1599")
    await click("button", "Continue")
    await click("button", /^Send ₽/)
    await page.waitForURL(/payouts\/pspo_/)
    expect(clicks.length).toBeLessThanOrEqual(5)
    await page.getByRole("main").getByText("Sent", { exact: true }).waitFor()
    await page.getByRole("link", { name: "New payout" }).click()
    await page.waitForURL(/payouts\/new$/)
  })

  it("a refused check is no success, and says who mends it", async () => {
    const page = await dashboard.logIn()
    const { connection } = texts.en.paymentService
    const faults = `${demo.addresses.service}/__simulator/faults`
    await axios.post(faults, { on: "export", kind: "status", status: 401, times: "always" })
    await dashboard.visit(page, CONNECTION)
    await page.getByRole("button", { name: connection.check }).click()
    await page.getByText(connection.refused, { exact: true }).first().waitFor()
    await page.getByRole("main").getByText(connection.who.credentials).waitFor()
    expect(await page.getByText(connection.checked, { exact: true }).count()).toBe(0)
    await axios.delete(faults)
    for (const part of [connection.owner, connection.developer]) {
      await page.getByRole("heading", { name: part }).waitFor()
    }
  })

  it("the overview, the connection and a payment's page tell that payments cannot be opened, and why (promise 10)", async () => {
    const admin = await dashboard.client()
    const faults = `${demo.addresses.service}/__simulator/faults`
    const shopper = payouts.shopper()
    const { id: cartId } = await shopper.cart()
    const collection = await shopper.collection(cartId)
    const body = { message: "no requisites for this sum" }
    await axios.post(faults, { on: "create", kind: "body", status: 400, body, times: "always" })
    for (let tried = 0; tried < 5; tried++) {
      expect((await shopper.choose(collection, "sbp")).status).toBe(400)
    }
    const { data } = await admin.get<{ transactions: { id: string }[] }>(
      `/admin/payment-service/transactions?cart_id=${cartId}`
    )
    const page = await dashboard.logIn("ru")
    const kind = texts.ru.paymentService.problemKinds.payments_not_opened
    await dashboard.expectSound(page, "", "ru")
    await page.getByText(kind).waitFor()
    await dashboard.expectSound(page, `/transactions/${data.transactions[0]?.id ?? ""}`, "ru")
    await page.getByRole("status").getByText(body.message).waitFor()
    await dashboard.expectSound(page, CONNECTION, "ru")
    await page.getByText(body.message).waitFor()
    await page.getByRole("link", { name: kind }).click()
    await dashboard.expectUsable(page, "main")
    await page.getByText(body.message).first().waitFor()
    await axios.delete(faults)
    expect((await shopper.choose(collection, "sbp")).status).toBe(200)
  })

  it("a smaller sum is accepted after at most four clicks", async () => {
    const admin = await dashboard.client()
    const paid = await payouts.paidBy("smaller@shopper.test", { amount: 1_001 })
    const problem = await eventually("its problem", async () => {
      const { data } = await admin.get<{ problems: { id: string }[] }>(
        `/admin/payment-service/problems?transaction_id=${paid}&status=open`
      )
      return data.problems[0]
    })
    const page = await dashboard.logIn()
    await dashboard.visit(page, SECTION)
    const { clicks, click } = clicker(page)
    await click("link", "Problems")
    await click("link", /₽1,001\.00 were paid instead/)
    await click("button", "Accept the amount")
    await page.getByRole("dialog").waitFor()
    await click("button", "Accept the amount")
    await page.getByText("The payment was accepted").first().waitFor()
    expect(clicks.length).toBeLessThanOrEqual(4)
    const { data } = await admin.get<{ problem: { resolution: string } }>(
      `/admin/payment-service/problems/${problem.id}`
    )
    expect(data.problem.resolution).toBe("accepted")
  })

  describe("a refund", () => {
    const { refund } = texts.en.paymentService

    /** A paid order with its one payment, and what Medusa has booked as given back of it. */
    const paidOrder = async (email: string) => {
      const admin = await dashboard.client()
      const transactionId = await payouts.paidBy(email)
      const { order_id: orderId, amount } = await eventually("an order that is paid", async () => {
        const { data } = await admin.get<{ transaction: Shown }>(
          `/admin/payment-service/transactions/${transactionId}`
        )
        return data.transaction.standing === "settled" ? data.transaction : undefined
      })
      const refunds = async () => {
        const fields = "*payment_collections.payments,*payment_collections.payments.refunds"
        const { data } = await admin.get<{ order: Order }>(
          `/admin/orders/${orderId}?fields=${fields}`
        )
        const [payment] = data.order.payment_collections.flatMap(({ payments }) => payments)
        return payment?.refunds.map((one) => one.amount)
      }
      return { transactionId, orderId, amount: Number(amount), refunds }
    }
    const prefilled = async (page: Page) => {
      const field = page.getByRole("dialog").getByLabel("Amount", { exact: true })
      return Number((await field.inputValue()).replace(",", ""))
    }

    it("goes from the order's page to a card after at most five clicks, and is booked", async () => {
      const { orderId, amount, refunds } = await paidOrder("to-card@shopper.test")
      const page = await dashboard.logIn()
      await dashboard.visit(page, `/app/orders/${orderId}`)
      const ours = page.getByRole("region", { name: texts.en.paymentService.name })
      await ours.getByRole("button", { name: refund.label }).click()
      const { clicks, click } = clicker(page)
      expect(await prefilled(page)).toBe(amount)
      await click("button", refund.toPayout)
      await page.getByText(texts.en.paymentService.payout.card.shopsOwn).waitFor()
      await click("radio", /4242/)
      await click("button", "Continue")
      await click("button", /^Send ₽/)
      await page.waitForURL(/payouts\/pspo_/)
      expect(1 + clicks.length).toBeLessThanOrEqual(5)
      await eventually("it is booked", async () => (await refunds())?.[0] === Math.floor(amount))
    })

    it("that was made outside is booked from the payment's page after at most five clicks", async () => {
      const { transactionId, amount, refunds } = await paidOrder("outside@shopper.test")
      const page = await dashboard.logIn()
      await dashboard.visit(page, `${SECTION}/transactions/${transactionId}`)
      const { clicks, click } = clicker(page)
      await click("button", refund.label)
      expect(await prefilled(page)).toBe(amount)
      await click("radio", refund.outside)
      const form = page.getByRole("dialog")
      const [sum, note] = [form.getByRole("textbox").first(), form.getByRole("textbox").last()]
      const whole = await sum.inputValue()
      await sum.fill("0")
      await page.getByRole("button", { name: refund.record }).click()
      // A wrong sum and a missing note are told at once.
      for (const said of [refund.most.split("{{")[0] ?? "", texts.en.paymentService.required]) {
        await form.getByText(said).waitFor()
      }
      await sum.fill(whole)
      await note.fill("In cash")
      const asked: string[] = []
      page.on("request", (one) => one.method() === "POST" && asked.push(one.url()))
      clicks.push(refund.record)
      // A second click comes before the page shows that the first one is at work: it is recorded once, and that is told.
      await page.getByRole("button", { name: refund.record }).evaluate((button: HTMLElement) => {
        button.click()
        button.click()
      })
      await page.getByRole("dialog").waitFor({ state: "detached" })
      expect(clicks.length).toBeLessThanOrEqual(5)
      expect(await refunds()).toEqual([amount])
      const ends = asked.map((url) => url.replace(/^.*\//, ""))
      expect(ends.filter((end) => end.startsWith("refund"))).toEqual(["refund", "refunded-outside"])
      await page.getByRole("main").getByText(standings.refunded, { exact: true }).first().waitFor()
    })

    it("that is being sent, or of which nobody knows, is told on the order, its payment and the problem", async () => {
      const { transactionId, orderId, amount } = await paidOrder("unknown@shopper.test")
      const page = await dashboard.logIn()
      await dashboard.visit(page, `/app/orders/${orderId}`)
      const ours = page.getByRole("region", { name: texts.en.paymentService.name })
      await ours.getByRole("button", { name: refund.label }).click()
      await page.getByRole("dialog").getByRole("button", { name: refund.toPayout }).click()
      await page.getByRole("radio", { name: /1881/ }).click()
      await payouts.fault({ kind: "drop_after" })
      await page.getByRole("button", { name: "Continue" }).click()
      await payouts.send(page)
      await badge(page, "Unknown")
      const admin = await dashboard.client()
      const { data } = await admin.get<{ problems: { id: string }[] }>(
        `/admin/payment-service/problems?transaction_id=${transactionId}&status=open`
      )
      const sum = `₽${Math.floor(amount).toLocaleString("en-US")}.00`
      for (const path of [
        `/app/orders/${orderId}`,
        `${SECTION}/transactions/${transactionId}`,
        `${SECTION}/problems/${data.problems[0]?.id ?? ""}`,
      ]) {
        await dashboard.visit(page, path)
        await page.getByRole("main").getByText(`A refund of ${sum} is being sent`).waitFor()
      }
    })
  })

  it("an order's payments and the saved cards have their places until they are read", async () => {
    const admin = await dashboard.client()
    const { data } = await admin.get<{ transactions: { order_id: string }[] }>(SETTLED)
    const page = await dashboard.logIn()
    const waits = async (path: string, within: string) => {
      let read = () => {}
      const isRead = new Promise<void>((resolve) => (read = resolve))
      await page.route(/payment-service\/(payments|cards)\?/, async (route) => {
        await isRead
        await route.continue()
      })
      await page.goto(`${demo.addresses.backend}${path}`)
      const place = page.locator(within).getByRole("status", { name: "Loading" }).last()
      await place.waitFor()
      read()
      await place.waitFor({ state: "detached" })
      await page.unrouteAll()
    }
    await waits(`/app/orders/${data.transactions[0]?.order_id ?? ""}`, "main")
    await page.getByRole("region", { name: texts.en.paymentService.name }).waitFor()
    await waits(`${SECTION}/payouts/new`, "[role=dialog]")
    await page.getByRole("radio", { name: /4242/ }).waitFor()
  })

  it("names of a subscription's codes are offered to be kept once they are seen", async () => {
    const page = await dashboard.logIn()
    const { subscriptions } = texts.en.paymentService
    await dashboard.visit(page, `${SECTION}/subscriptions`)
    await page.locator("tbody tr").first().waitFor()
    const interval = page.getByRole("columnheader", { name: subscriptions.fields.interval })
    expect(await interval.count()).toBe(0)
    await page.locator("tbody tr").first().getByRole("link").last().click()
    // A direct link offers them, too.
    await page.waitForURL(/subscriptions\/[\da-f-]{36}$/)
    await page.reload()
    await page.getByRole("button", { name: subscriptions.keep.action }).click()
    await page.getByText(texts.en.paymentService.settings.saved).first().waitFor()
    await page.goBack()
    await interval.waitFor()
  })

  it("problems are read on a phone without scrolling sideways", async () => {
    const page = await dashboard.logIn("ru", PHONE)
    await dashboard.visit(page, `${SECTION}/problems?status=%22closed%22`)
    const row = page.locator("tbody tr").first()
    await row.waitFor()
    const [pinned, width] = await page.evaluate(() => {
      const cells = Array.from(document.querySelectorAll("main td, main th"))
      const table = document.querySelector("main table")?.parentElement
      return [
        cells.filter((cell) => getComputedStyle(cell).position === "sticky").length,
        (table?.scrollWidth ?? 0) - (table?.clientWidth ?? 0),
      ] as const
    })
    expect([pinned, width]).toEqual([0, 0])
    await dashboard.expectUsable(page, "main")
  })
}

interface Order {
  payment_collections: { payments: { refunds: { amount: number }[] }[] }[]
}

interface Shown {
  standing: string
  order_id: string
  amount: string
}
