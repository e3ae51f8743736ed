import { cleanup, render, screen } from "@testing-library/react"

import {
  PaymentLinkPanel,
  PaymentPanel,
  type PaymentPanelProps,
} from "../../../storefront/index.js"
import { beforeEachVisit, LINK, pass, ScriptedStore, SESSION } from "./shop"

beforeEachVisit()

let store: ScriptedStore
beforeEach(() => {
  store = new ScriptedStore()
})
afterEach(() => {
  history.replaceState(null, "", "/")
  localStorage.clear()
})

async function show(props: Partial<PaymentPanelProps> = {}) {
  render(<PaymentPanel reader={store} {...props} />)
  await pass(0)
}

const panel = () => document.querySelector<HTMLElement>('[data-part="panel"]')
const title = () => screen.getByRole("heading", { level: 1 }).textContent

describe("a panel that is given no session (promise 23)", () => {
  it("shows the payment of its page's address", async () => {
    history.replaceState(null, "", `/pay?session=${SESSION}`)
    store.says({})
    await show()
    expect(panel()?.dataset.state).toBe("pending")
    expect(title()).toBe("Waiting for your payment")
  })

  it("knows a payer who comes back by it", async () => {
    history.replaceState(null, "", `/pay?session=${SESSION}&returned=true`)
    store.says({})
    await show()
    expect(title()).toBe("The payment is being confirmed")
  })

  it("knows the payment of a return address that was begun in this browser, and asks by that of another (promise 22)", async () => {
    history.replaceState(null, "", `/pay?session=${SESSION}`)
    store.says({ return_id: "pstx_01" })
    const { unmount } = render(<PaymentPanel reader={store} />)
    await pass(0)
    unmount()
    history.replaceState(null, "", "/pay?return=pstx_01")
    await show()
    expect(title()).toBe("The payment is being confirmed")
    expect(store.last.path).toContain(`/sessions/${SESSION}`)
    cleanup()

    localStorage.clear()
    const told = { order_id: null, redirect: null, qr: null, provider_id: null }
    store.says({ ...told, id: "pstx_01" }, "pstx_01")
    const onPaid = jest.fn()
    await show({ orderPage: "#/order/{order_id}", onPaid, changeMethod: "/checkout" })
    expect(title()).toBe("The payment is being confirmed")
    expect(panel()?.textContent).toContain("₽1,990.50")
    expect(panel()?.querySelector("a, button")).toBeNull()
    store.says({ ...told, state: "paid", order_display_id: 7, id: "pstx_01" }, "pstx_01")
    await pass(2_000)
    expect(panel()?.dataset.state).toBe("paid")
    expect(panel()?.textContent).toContain("₽1,990.50")
    expect(panel()?.textContent).toContain("Order 7")
    expect(location.hash).toBe("")
    expect(onPaid).not.toHaveBeenCalled()
    const questions = store.questions.length
    await pass(60_000)
    expect(store.questions).toHaveLength(questions)
  })

  it("leads a payer back to the payment link, or the order, where the payment was begun", async () => {
    history.replaceState(null, "", "/pay?return=pstx_01#order")
    store.saysLink({ session_id: "payses_08" })
    store.says({ return_id: "pstx_01" }, "payses_08")
    const { unmount } = render(<PaymentLinkPanel reader={store} collectionId={LINK} />)
    await pass(0)
    unmount()
    history.replaceState(null, "", "/pay?return=pstx_01")
    store.says({ state: "paid", order_display_id: 7, return_id: "pstx_01" }, "payses_08")
    await show()
    expect(panel()?.dataset.state).toBe("paid")
    expect(location.hash).toBe("#order")
  })

  it("leads on to the page of the order, once, and nowhere else", async () => {
    history.replaceState(null, "", `/pay?session=${SESSION}`)
    store.says({ state: "paid" })
    const onPaid = jest.fn()
    const entries = history.length
    await show({ orderPage: "#/order/{order_id}/confirmed", onPaid })
    expect(location.hash).toBe("")
    store.says({ state: "paid", order_id: "order/01" })
    await pass(2_000)
    expect(location.hash).toBe("#/order/order%2F01/confirmed")
    expect(history).toHaveLength(entries)
    location.hash = "elsewhere"
    await pass(60_000)
    expect(location.hash).toBe("#elsewhere")
    expect(onPaid.mock.calls).toEqual([["order/01"]])
  })

  it.each(["/pay", "/pay?session="])("finds no payment at %s, and asks nobody", async (address) => {
    history.replaceState(null, "", address)
    await show()
    expect(panel()?.dataset.state).toBe("unknown")
    expect(store.questions).toEqual([])
  })
})
