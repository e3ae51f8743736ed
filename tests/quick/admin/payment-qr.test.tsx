import { renderToStaticMarkup } from "react-dom/server"
import { renderSVG } from "uqr"

import { ToPay } from "../../../admin/components/payments/to-pay"
import type { ShownTransaction } from "../../../admin/lib/answers"

// Jest cannot load the dashboard's packages as they are.
jest.mock("@medusajs/dashboard/components", () => ({}))
jest.mock("../../../admin/components/cards", () => ({
  Line: ({ children }: { children: string }) => children,
}))
jest.mock("../../../admin/components/link-to", () => ({
  Id: ({ value }: { value: string }) => value,
}))
jest.mock("../../../admin/lib/format", () => ({ useFormat: () => ({ t: (key: string) => key }) }))

const REDIRECT = "https://pay.test/1"

const shown = (changes: Pick<ShownTransaction, "qr" | "redirect">) =>
  renderToStaticMarkup(
    <ToPay
      transaction={{ standing: "payable", expires_at: null, ...changes } as ShownTransaction}
    />
  )
/** The text of the drawn code. */
const isCodeOf = (text: string, page: string) =>
  page.includes(encodeURIComponent(renderSVG(text, { border: 2 })).replaceAll("'", "&#x27;"))

describe("what the customer pays by", () => {
  it("is drawn as a code of the bank's text, else of the service's address", () => {
    expect(isCodeOf("bank", shown({ qr: "bank", redirect: REDIRECT }))).toBe(true)
    for (const qr of [null, "", "  "]) {
      expect(isCodeOf(REDIRECT, shown({ qr, redirect: REDIRECT }))).toBe(true)
    }
  })

  it.each([
    ["that is too fine to read", 600],
    ["that fits into none", 5_000],
  ])("is drawn as a code of the service's address instead of one %s", (_, length) => {
    const page = shown({ qr: "x".repeat(length), redirect: REDIRECT })
    expect(isCodeOf(REDIRECT, page)).toBe(true)
  })

  it("is a fine code rather than none, and its address alone where no text fits into one", () => {
    const long = `${REDIRECT}?${"x".repeat(600)}`
    expect(isCodeOf(long, shown({ qr: null, redirect: long }))).toBe(true)
    const longer = `${REDIRECT}?${"x".repeat(5_000)}`
    const page = shown({ qr: longer, redirect: longer })
    expect(page).toContain(longer)
    expect(page).not.toContain("<img")
  })

  it("is nothing where there is neither", () => {
    expect(shown({ qr: "", redirect: null })).toBe("")
  })
})
