import { render, screen } from "@testing-library/react"

import { PaymentPanel, type PaymentPanelProps } from "../../../storefront/index.js"
import { beforeEachVisit, pass, ScriptedStore, SESSION } from "./shop"

beforeEachVisit()

let store: ScriptedStore
beforeEach(() => {
  store = new ScriptedStore()
})

async function show(props: Partial<PaymentPanelProps> = {}) {
  render(<PaymentPanel sessionId={SESSION} reader={store} {...props} />)
  await pass(0)
}

const part = (name: string) => document.querySelector<HTMLElement>(`[data-part="${name}"]`)
const title = () => screen.getByRole("heading", { level: 2 }).textContent

describe("what a shop makes its own", () => {
  it("is every sentence, in its own language", async () => {
    store.says({ state: "canceled" })
    await show({ locale: "ru", texts: { payAgain: "Ещё раз за {amount}" } })
    expect(title()).toBe("Оплата не прошла")
    expect(screen.getByRole("button").textContent).toBe("Ещё раз за 1\u00a0990,50\u00a0₽")
  })

  it("is the attributes of each part", async () => {
    store.says({})
    await show({
      slots: { panel: { className: "card" }, qr: { className: "w-60", "data-testid": "qr" } },
    })
    expect(part("panel")?.className).toBe("card")
    expect(screen.getByTestId("qr").getAttribute("class")).toBe("w-60")
    expect(document.querySelectorAll("[style]")).toHaveLength(0)
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

it("keeps two panels on one page apart", async () => {
  store.says({})
  store.says({ state: "paid", order_id: "order_02" }, "payses_02")
  const onPaid = jest.fn()
  render(
    <>
      <PaymentPanel sessionId={SESSION} reader={store} onPaid={onPaid} />
      <PaymentPanel sessionId="payses_02" reader={store} onPaid={onPaid} />
    </>
  )
  await pass(4_000)
  const states = [...document.querySelectorAll<HTMLElement>('[data-part="panel"]')].map(
    ({ dataset }) => dataset.state
  )
  expect(states).toEqual(["pending", "paid"])
  expect(onPaid.mock.calls).toEqual([["order_02"]])
  const names = [...document.querySelectorAll("[id]")].map(({ id }) => id)
  expect(new Set(names).size).toBe(names.length)
})
