import { fireEvent, render, screen } from "@testing-library/react"
import type { ReactElement } from "react"

import { PaymentPanel, type PaymentPanelProps } from "../../../storefront/index.js"
import { beforeEachVisit, LINK, NOW, pass, ScriptedStore, SESSION, widenScreen } from "./shop"

beforeEachVisit()

let store: ScriptedStore
beforeEach(() => {
  store = new ScriptedStore()
})

async function show(props: Partial<PaymentPanelProps> = {}) {
  const panel = (more: Partial<PaymentPanelProps> = {}): ReactElement => (
    <PaymentPanel sessionId={SESSION} reader={store} {...props} {...more} />
  )
  const shown = render(panel())
  await pass(0)
  return { ...shown, change: (more: Partial<PaymentPanelProps>) => shown.rerender(panel(more)) }
}

const part = (name: string) => document.querySelector<HTMLElement>(`[data-part="${name}"]`)
const state = () => part("panel")?.dataset.state
const title = () => screen.getByRole("heading", { level: 2 }).textContent
const click = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }))

describe("a payment that waits for its payer (promise 23)", () => {
  it("shows the sum, the time left, the code and a way to pay here, on a wide screen", async () => {
    store.says({})
    await show()
    expect(state()).toBe("pending")
    expect(title()).toBe("Waiting for your payment")
    expect(part("amount")?.textContent).toBe("₽1,990.50")
    expect(part("countdown")?.textContent).toBe("15:00")
    expect(screen.getByRole("img", { name: "QR code of the payment" }).tagName).toBe("svg")
    expect(document.querySelectorAll("img, image, use, foreignObject")).toHaveLength(0)
    const link = screen.getByRole("link", { name: "Open the payment on this device" })
    expect(link.getAttribute("href")).toBe("https://pay.test/1")
    await pass(61_000)
    expect(part("countdown")?.textContent).toBe("13:59")
  })

  it("offers the link to copy, and the code for another device, where the payment is opened by a link", async () => {
    const written: string[] = []
    const clipboard = { writeText: async (text: string) => void written.push(text) }
    Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true })
    await widenScreen(false)
    store.says({ method: "crypto", usdt_rate: "80" })
    await show()
    expect(part("estimate")?.textContent).toBe("about 24.88\u00a0USDT")
    click("Copy the link")
    await pass(0)
    expect(written).toEqual(["https://pay.test/1"])
    expect(part("copy")?.textContent).toBe("Copy the link ✓")
    expect(part("qr")).toBeNull()
    click("Show the QR code")
    expect(part("qr")).not.toBeNull()
  })

  it("opens a method that only a newer store knows by its link", async () => {
    store.says({ method: "card" as never })
    await show()
    expect(screen.getByRole("link", { name: "Open payment" })).toBeTruthy()
    expect(part("qr")).toBeNull()
  })

  it("hides what was replaced, and offers to pay the sum of now", async () => {
    store.says({
      state: "replaced",
      amount: "2490.00",
      qr: null,
      redirect: null,
      payable_again: true,
    })
    await show()
    expect(state()).toBe("replaced")
    expect(part("qr")).toBeNull()
    expect(part("open")).toBeNull()
    expect(screen.getByRole("button", { name: "Pay ₽2,490" })).toBeTruthy()
  })

  it("goes on with the attempt that replaced it, instead of beginning another", async () => {
    const open_attempt = { session_id: "payses_02", method: "crypto" as const }
    store.says({ state: "replaced", qr: null, redirect: null, payable_again: true, open_attempt })
    await show()
    expect(part("pay-again")).toBeNull()
    store.says({ method: "crypto" }, "payses_02")
    click("Continue: Crypto (USDT)")
    await pass(0)
    expect(part("open")).not.toBeNull()
  })

  it("names sum, time and a short number while the shop looks at it, and the way to the shop", async () => {
    store.says({ state: "problem", paid_at: "2026-03-01T12:00:00Z", reference: "6f1c2f0a" })
    await show({ contact: <a href="mailto:help@shop.test">help@shop.test</a>, shopPage: "/" })
    expect(part("reference")?.textContent).toContain("Payment of ₽1,990.50, no.\u00a06f1c2f0a")
    expect(part("reference")?.textContent).toContain("Mar 1, 2026")
    expect(screen.getByRole("link", { name: "help@shop.test" })).toBeTruthy()
    expect(screen.getByRole("link", { name: "Back to the shop" }).getAttribute("href")).toBe("/")
    expect(part("pay-again")).toBeNull()
  })

  it.each(["javascript:alert(1)", "data:text/html,x", "bank:pay?1", "  JavaScript:alert(1)"])(
    "opens no address like %s",
    async (address) => {
      store.says({ redirect: address, qr: address })
      await show()
      expect(screen.queryByRole("link")).toBeNull()
      expect(part("qr")).not.toBeNull()
    }
  )

  it("checks when the time is over, offers no way to pay then, and believes the store alone", async () => {
    store.says({ expires_at: new Date(NOW + 3_000).toISOString() })
    await show({ changeMethod: "/checkout" })
    await pass(4_000)
    expect(state()).toBe("checking")
    expect(part("countdown")).toMatchObject({
      textContent: "checking…",
      dataset: { state: "checking" },
    })
    expect(part("qr")).toBeNull()
    expect(screen.queryByRole("link")).toBeNull()
    expect(screen.queryByRole("button")).toBeNull()
    store.says({ state: "paid", order_id: "order_01" })
    await pass(2_000)
    expect(state()).toBe("paid")
  })

  it("is being confirmed for a payer who has come back, with the payment one click away", async () => {
    store.says({})
    await show({ returned: true })
    expect(title()).toBe("The payment is being confirmed")
    expect(part("qr")).toBeNull()
    screen.getByRole("button", { name: "Back to the payment" }).focus()
    click("Back to the payment")
    expect(part("qr")).not.toBeNull()
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 2 }))
  })
})

describe("a payment that has come (promise 5)", () => {
  it("is paid when the store says so and names the order, of which the shop hears once", async () => {
    const onPaid = jest.fn()
    store.says({ order_id: "order_01" })
    const { change } = await show({ onPaid })
    expect(onPaid).not.toHaveBeenCalled()
    store.says({ state: "paid", order_id: "order_01" })
    await pass(2_000)
    expect(state()).toBe("paid")
    expect(title()).toBe("Thank you!")
    change({ onPaid: (id) => void onPaid(id) })
    await pass(10_000)
    expect(onPaid.mock.calls).toEqual([["order_01"]])
  })

  it("is looked at by the shop when its order takes long", async () => {
    const onPaid = jest.fn()
    store.says({ state: "paid" })
    await show({ onPaid })
    expect(state()).toBe("placing")
    expect(screen.queryByRole("button")).toBeNull()
    await pass(40_000)
    expect(state()).toBe("problem")
    expect(part("note")?.textContent).toContain("do not pay again")
    expect(part("reference")?.textContent).toBe(`Payment of ₽1,990.50, no.\u00a0${SESSION}`)
    expect(onPaid).not.toHaveBeenCalled()
  })

  it("is no reason to pay again when a person has to look at it", async () => {
    store.says({ state: "problem", payable_again: true })
    await show({ changeMethod: "/checkout" })
    expect(state()).toBe("problem")
    expect(screen.queryByRole("button")).toBeNull()
    expect(screen.queryByRole("link")).toBeNull()
    expect(part("reference")).not.toBeNull()
  })
})

describe.each(["canceled", "expired"] as const)("a payment that is %s (promise 6)", (failed) => {
  it("is begun again by one click, and however often it is clicked only once", async () => {
    const onSession = jest.fn()
    store.says({ state: failed })
    await show({ onSession })
    expect(state()).toBe(failed)
    expect(part("note")?.textContent).toContain("Your cart is just as it was")
    const button = screen.getByRole("button", { name: "Pay ₽1,990.50 again" })
    button.focus()
    fireEvent.click(button)
    fireEvent.click(button)
    expect(button).toMatchObject({ textContent: "Preparing the payment…" })
    expect(button.getAttribute("aria-disabled")).toBe("true")
    expect(document.activeElement).toBe(button)
    await pass(0)
    fireEvent.click(button)
    const posts = store.asked("POST")
    expect(posts).toHaveLength(1)
    expect(posts[0]).toMatchObject({
      path: `/store/payment-collections/${LINK}/payment-sessions`,
      body: { provider_id: "pp_sbp_main" },
    })
    store.says({}, "payses_02")
    await posts[0]?.answer({
      payment_collection: {
        id: LINK,
        payment_sessions: [{ id: "payses_02", provider_id: "pp_sbp_main", status: "pending" }],
      },
    })
    await pass(0)
    expect(onSession.mock.calls).toEqual([["payses_02"]])
    expect(state()).toBe("pending")
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 2 }))
  })

  it("tells why it cannot be begun again, and lets it be tried once more", async () => {
    store.says({ state: failed })
    await show()
    click(/again/)
    await store.last.refuse(400, "This order is paid already. Please do not pay again.")
    expect(screen.getByRole("alert").textContent).toContain("This order is paid already")
    click(/again/)
    expect(screen.queryByRole("alert")).toBeNull()
    await store.last.fail()
    expect(screen.getByRole("alert").textContent).toContain("The shop does not answer")
  })
})

describe("an order that was placed before its payment", () => {
  it("is over when its time is", async () => {
    store.says({ state: "expired", order_id: "order_01", payable_again: false })
    await show()
    expect(part("note")?.textContent).toContain("the order is being canceled")
    expect(part("pay-again")).toBeNull()
  })
})

describe("a store that does not answer", () => {
  it("that knows no such payment says so", async () => {
    await show()
    expect(state()).toBe("loading")
    await store.last.refuse(404)
    expect(state()).toBe("unknown")
    expect(title()).toBe("We could not find this payment.")
  })
})

describe("what a shop makes its own (promise 21)", () => {
  it("is every sentence, in its own language", async () => {
    store.says({ state: "canceled" })
    await show({ locale: "ru", texts: { payAgain: "Ещё раз за {amount}" } })
    expect(title()).toBe("Оплата не прошла")
    expect(screen.getByRole("button").textContent).toBe("Ещё раз за 1\u00a0990,50\u00a0₽")
  })

  it("is signs, facts and whatever stands at the end, by the state", async () => {
    store.says({})
    await show({
      heading: 1,
      sign: ({ state: shown }) => `sign of ${shown}`,
      facts: "Two cups",
      children: ({ status }) => <p>{`for ${status?.amount ?? ""}`}</p>,
    })
    expect(screen.getByRole("heading", { level: 1 })).toBeTruthy()
    expect(part("sign")?.textContent).toBe("sign of pending")
    expect(part("sign")?.getAttribute("aria-hidden")).toBe("true")
    expect(part("facts")?.textContent).toContain("Two cups")
    expect(screen.getByText("for 1990.50")).toBeTruthy()
  })
})
