import { act, fireEvent, render, screen } from "@testing-library/react"
import { hydrateRoot } from "react-dom/client"
import { renderToString } from "react-dom/server"

import { PaymentPanel, type PaymentPanelProps } from "../../../storefront/index.js"
import { beforeEachVisit, pass, ScriptedStore, SESSION } from "./shop"

beforeEachVisit()

let store: ScriptedStore
beforeEach(() => {
  store = new ScriptedStore()
})
afterEach(() => history.replaceState(null, "", "/"))

async function show(props: Partial<PaymentPanelProps> = {}) {
  render(<PaymentPanel reader={store} {...props} />)
  await pass(0)
}

const panel = () => document.querySelector<HTMLElement>('[data-part="panel"]')
const title = () => screen.getByRole("heading", { level: 1 }).textContent

describe("a panel that is given no session", () => {
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

  it("puts a further attempt there, which a reload shows again", async () => {
    history.replaceState(null, "", `/pay?lang=ru&session=${SESSION}&returned=true#top`)
    store.says({ state: "canceled" })
    store.says({ id: "payses_02" }, "payses_02")
    store.answers["POST /store/payment-collections"] = {
      payment_collection: {
        payment_sessions: [
          { id: "payses_02", provider_id: "pp_sbp_main", status: "pending", data: {} },
        ],
      },
    }
    const onSession = jest.fn()
    const entries = history.length
    await show({ onSession })
    fireEvent.click(screen.getByRole("button"))
    await pass(0)
    expect(panel()?.dataset.state).toBe("pending")
    expect(location.href).toMatch(/\/pay\?lang=ru&session=payses_02#top$/)
    expect(history).toHaveLength(entries)
    expect(onSession.mock.calls).toEqual([["payses_02"]])
  })

  it("follows the address when the shopper goes back to another payment", async () => {
    history.replaceState(null, "", `/pay?session=${SESSION}`)
    store.says({})
    store.says({ id: "payses_02", state: "canceled" }, "payses_02")
    await show()
    history.replaceState(null, "", "/pay?session=payses_02")
    await act(async () => void window.dispatchEvent(new PopStateEvent("popstate")))
    await pass(0)
    expect(panel()?.dataset.state).toBe("canceled")
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

  it("is taken over from a server, which knows no address, without a difference", async () => {
    history.replaceState(null, "", `/pay?session=${SESSION}`)
    const errors = jest.spyOn(console, "error").mockImplementation(() => undefined)
    store.says({})
    const page = <PaymentPanel reader={store} />
    const container = document.body.appendChild(document.createElement("div"))
    container.innerHTML = renderToString(page)
    expect(panel()?.dataset.state).toBe("loading")
    const recovered: unknown[] = []
    const root = await act(async () =>
      hydrateRoot(container, page, { onRecoverableError: (error) => recovered.push(error) })
    )
    await pass(0)
    expect(panel()?.dataset.state).toBe("pending")
    expect([recovered, errors.mock.calls]).toEqual([[], []])
    await act(async () => root.unmount())
    container.remove()
    errors.mockRestore()
  })
})
