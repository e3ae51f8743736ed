import { fireEvent, render, screen } from "@testing-library/react"

import { PaymentLinkPanel, type PaymentLinkPanelProps } from "../../../storefront/index.js"
import { beforeEachVisit, LINK, pass, ScriptedStore } from "./shop"

beforeEachVisit()

let store: ScriptedStore
beforeEach(() => {
  store = new ScriptedStore()
})

async function show(props: Partial<PaymentLinkPanelProps> = {}) {
  const shown = render(<PaymentLinkPanel collectionId={LINK} reader={store} {...props} />)
  await pass(0)
  return shown
}

const part = (name: string) => document.querySelector<HTMLElement>(`[data-part="${name}"]`)
const state = () => part("panel")?.dataset.state
const text = () => part("panel")?.textContent ?? ""

describe("a payment link", () => {
  it("says what is to be paid, lets a method be chosen, and goes on as the payment", async () => {
    const onSession = jest.fn()
    store.saysLink({})
    store.opens("payses_09", "pp_crypto_main")
    store.says({ method: "crypto", order_display_id: 7 }, "payses_09")
    await show({ onSession })
    expect(state()).toBe("payable")
    expect(store.last.path).toBe(`/store/payment-service/payment-collections/${LINK}`)
    expect(text()).toContain("Order 7")
    expect(part("amount")?.textContent).toBe("₽500")
    const [sbp, crypto] = screen.getAllByRole<HTMLInputElement>("radio")
    expect(sbp?.checked).toBe(true)
    fireEvent.click(crypto!)
    const pay = screen.getByRole("button", { name: "Pay ₽500" })
    pay.focus()
    fireEvent.click(pay)
    fireEvent.click(pay)
    await pass(0)
    expect(store.asked("POST").map(({ body }) => body)).toEqual([{ provider_id: "pp_crypto_main" }])
    expect(onSession.mock.calls).toEqual([["payses_09"]])
    expect(state()).toBe("pending")
    expect(text()).toContain("Order 7")
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 2 }))
    expect(screen.getByRole("link", { name: "Go to payment in USDT" })).toBeTruthy()

    store.says({ state: "paid", order_display_id: 7 }, "payses_09")
    await pass(2_000)
    expect(state()).toBe("paid")
    expect(text()).toContain("Order 7")
  })

  it("lets another method be chosen for it", async () => {
    store.saysLink({ session_id: "payses_08" })
    store.says({ order_id: "order_01" }, "payses_08")
    await show()
    await pass(0)
    fireEvent.click(screen.getByRole("button", { name: "Choose another method" }))
    await pass(0)
    expect(state()).toBe("payable")
    expect(screen.getAllByRole("radio")).toHaveLength(2)
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 2 }))
  })

  it.each([
    ["nothing_owed", "There is nothing to pay"],
    ["paid", "This is paid already"],
    ["canceled", "This order was canceled"],
  ] as const)("that is %s says so and takes no money (promise 5)", async (said, title) => {
    store.saysLink({ state: said, providers: [], session_id: "payses_08" })
    await show()
    expect(state()).toBe(said)
    expect(screen.getByRole("heading", { level: 2 }).textContent).toBe(title)
    expect(screen.queryByRole("button")).toBeNull()
    expect(text()).toContain("Order 7")
    expect(text()).not.toContain("₽")
  })

  it("that nobody knows says so", async () => {
    await show()
    expect(state()).toBe("loading")
    await store.last.refuse(404)
    expect(state()).toBe("unknown")
    await pass(60_000)
    expect(store.questions).toHaveLength(1)
  })

  it("is asked about again when a payment is refused, because it may have been paid elsewhere", async () => {
    store.saysLink({})
    await show()
    fireEvent.click(screen.getByRole("button"))
    await pass(0)
    store.saysLink({ state: "paid", providers: [] })
    await store.last.refuse(400, "This order is paid already. Please do not pay again.")
    await pass(0)
    expect(state()).toBe("paid")
  })
})
