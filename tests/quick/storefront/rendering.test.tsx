import { act, render } from "@testing-library/react"
import axe from "axe-core"
import { type ReactElement, version } from "react"
import { version as domVersion } from "react-dom"
import { hydrateRoot } from "react-dom/client"
import { renderToString } from "react-dom/server"

import {
  PaymentLinkPanel,
  PaymentPanel,
  PaymentQr,
  type PaymentStatus,
} from "../../../storefront/index.js"
import { beforeEachVisit, LINK, NOW, pass, ScriptedStore, SESSION } from "./shop"

declare const REACT_VERSION: number

const REDIRECT = "https://pay.test/1"
/** It fits into a code, whose modules are too fine for a screen. */
const LONG = `ST00012|Purpose=${"x".repeat(1_500)}`

it("is tried with the React that it is meant to be tried with", () => {
  expect([version, domVersion].map((each) => Number.parseInt(each, 10))).toEqual([
    REACT_VERSION,
    REACT_VERSION,
  ])
})

describe("rendered on a server (promise 23)", () => {
  beforeEachVisit()

  const pages: [string, (store: ScriptedStore) => ReactElement][] = [
    ["a payment", (store) => <PaymentPanel sessionId={SESSION} reader={store} locale="ru" />],
    ["a payer's return", (store) => <PaymentPanel sessionId={SESSION} reader={store} returned />],
    ["a payment link", (store) => <PaymentLinkPanel collectionId={LINK} reader={store} />],
    ["a QR code", () => <PaymentQr text="https://qr.test/1" label="Code" />],
  ]

  it.each(pages)("%s is taken over by the browser without a difference", async (_, page) => {
    const errors = jest.spyOn(console, "error").mockImplementation(() => undefined)
    const recovered: unknown[] = []
    const store = new ScriptedStore()
    store.says({})
    store.saysLink({ session_id: SESSION })
    const html = renderToString(page(store))
    expect(store.questions).toHaveLength(0)
    expect(html).not.toContain("style=")
    const container = document.body.appendChild(document.createElement("div"))
    container.innerHTML = html
    const root = await act(async () =>
      hydrateRoot(container, page(store), {
        onRecoverableError: (error) => recovered.push(error),
      })
    )
    await pass(2_000)
    expect(recovered).toEqual([])
    expect(errors.mock.calls).toEqual([])
    await act(async () => root.unmount())
    container.remove()
    errors.mockRestore()
  })
})

describe("read by somebody who does not see it (promise 21)", () => {
  beforeEachVisit()

  const states: [string, Partial<PaymentStatus>][] = [
    ["pending", {}],
    ["crypto", { method: "crypto" }],
    ["checking", { expires_at: new Date(NOW - 1).toISOString() }],
    ["placing", { state: "paid" }],
    ["paid", { state: "paid", order_id: "order_01" }],
    ["canceled", { state: "canceled" }],
    ["expired", { state: "expired" }],
    ["problem", { state: "problem" }],
  ]

  async function expectNoViolations(container: HTMLElement): Promise<void> {
    jest.useRealTimers()
    const { violations } = await axe.run(container, {
      resultTypes: ["violations"],
      // Colours are the shop's, and jsdom draws none.
      rules: { "color-contrast": { enabled: false } },
    })
    expect(
      violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) }))
    ).toEqual([])
  }

  it.each(states)("a payment that is %s has no obstacle", async (_, status) => {
    const store = new ScriptedStore()
    store.says(status)
    const { container } = render(
      <main>
        <h1>Shop</h1>
        <PaymentPanel sessionId={SESSION} reader={store} changeMethod="/checkout" sign="★" />
      </main>
    )
    await pass(0)
    await expectNoViolations(container)
  })

  it("says what changes in a region that was there before", async () => {
    const store = new ScriptedStore()
    store.says({})
    const { getByRole } = render(<PaymentPanel sessionId={SESSION} reader={store} />)
    const region = getByRole("status")
    await pass(0)
    store.says({ state: "canceled" })
    await pass(2_000)
    expect(getByRole("status")).toBe(region)
    expect(region.textContent).toContain("The payment did not go through")
    expect(region.contains(document.querySelector('[data-part="countdown"]'))).toBe(false)
  })
})

describe("a QR code", () => {
  beforeEachVisit()

  it.each([
    ["the bank's text", "https://qr.nspk.test/AS10", "https://qr.nspk.test/AS10"],
    ["the page's address where the bank's text makes a code too fine to read", LONG, REDIRECT],
    ["the page's address where the bank's text fits into no code", "x".repeat(5_000), REDIRECT],
    ["the page's address where there is no other text", null, REDIRECT],
  ])("shows %s", async (_, qr, text) => {
    const store = new ScriptedStore()
    store.says({ method: "sbp", qr, redirect: REDIRECT })
    const { container } = render(<PaymentPanel sessionId={SESSION} reader={store} />)
    await pass(0)
    const { container: expected } = render(<PaymentQr text={text} label="Code" />)
    const path = (drawn: HTMLElement) => drawn.querySelector("svg path")?.getAttribute("d")
    expect(path(container)).toBe(path(expected))
  })
})
