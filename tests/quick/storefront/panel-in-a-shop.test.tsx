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
