import { render } from "@testing-library/react"

import { OpenPaymentLine, type PaymentStatus } from "../../../storefront/index.js"
import { beforeEachVisit, LINK, pass, ScriptedStore, SESSION } from "./shop"

beforeEachVisit()
afterEach(() => localStorage.clear())

/** The line as it shows a payment of this kind. */
async function shown(status: Partial<PaymentStatus>, sessionId: string | null = SESSION) {
  const store = new ScriptedStore()
  store.says(status)
  const paid: string[] = []
  const onPaid = (orderId: string) => void paid.push(orderId)
  render(<OpenPaymentLine sessionId={sessionId} reader={store} href="/pay" onPaid={onPaid} />)
  await pass(0)
  const line = document.querySelector<HTMLElement>('[data-part="open-payment"]')
  return { line, paid, asked: store.questions.length }
}

describe("the line about an open payment", () => {
  it("names the sum and the time left, and leads on", async () => {
    const { line } = await shown({})
    expect(line?.textContent).toBe(
      "A payment of ₽1,990.50 is open. Time left to pay: 15\u00a0min. Continue"
    )
    expect(line?.querySelector("a")?.getAttribute("href")).toBe("/pay")
  })

  it("says nothing of a payment that is over, and tells the shop of one that has its order", async () => {
    for (const state of ["canceled", "expired", "replaced"] as const) {
      expect((await shown({ state })).line).toBeNull()
    }
    const { line, paid } = await shown({ state: "paid", order_id: "order_01" })
    expect([line, paid]).toEqual([null, ["order_01"]])
  })

  it("knows by the cart's collection what this browser began, and then hides what pays for the cart (promise 19)", async () => {
    const store = new ScriptedStore()
    store.says({ return_id: "pstx_01" })
    const line = (sessionId: string | null, collectionId: string) => (
      <OpenPaymentLine
        sessionId={sessionId}
        collectionId={collectionId}
        reader={store}
        href="pay?session={session_id}"
      >
        <button>Pay</button>
      </OpenPaymentLine>
    )
    const { unmount } = render(line(SESSION, LINK))
    await pass(0)
    expect(document.querySelector("a")?.getAttribute("href")).toBe(`pay?session=${SESSION}`)
    expect(document.querySelector("button")).not.toBeNull()
    unmount()

    store.says({ return_id: "pstx_01", state: "problem" })
    const { rerender } = render(line(null, "pay_col_other"))
    await pass(0)
    expect(document.body.textContent).toBe("Pay")
    rerender(line(null, LINK))
    await pass(0)
    expect(document.body.textContent).toBe("The shop is looking at your payment. Details")
    expect(document.querySelector("a")?.getAttribute("href")).toBe(`pay?session=${SESSION}`)
  })
})
