import { renderToStaticMarkup } from "react-dom/server"
import { renderSVG } from "uqr"

import { ToPay } from "../../../admin/components/transaction-links"
import type { ShownTransaction } from "../../../admin/lib/api"

// Jest cannot load the dashboard's packages as they are.
jest.mock("@medusajs/dashboard/components", () => ({}))
jest.mock("@medusajs/ui", () => ({ Text: ({ children }: { children: string }) => children }))
jest.mock("../../../admin/components/link-to", () => ({}))
jest.mock("../../../admin/components/transaction-details", () => ({
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
/** What the code that is drawn says: the picture is that of a text. */
const isCodeOf = (text: string, page: string) =>
  page.includes(encodeURIComponent(renderSVG(text, { border: 2 })).replaceAll("'", "&#x27;"))

describe("what the customer pays by", () => {
  it("is drawn as a code of the bank's text, else of the service's address", () => {
    expect(isCodeOf("bank", shown({ qr: "bank", redirect: REDIRECT }))).toBe(true)
    for (const qr of [null, "", "  "]) {
      expect(isCodeOf(REDIRECT, shown({ qr, redirect: REDIRECT }))).toBe(true)
    }
  })

  it("is its address alone where a text is too long for any code", () => {
    const page = shown({ qr: "x".repeat(5_000), redirect: REDIRECT })
    expect(page).toContain(REDIRECT)
    expect(page).not.toContain("<img")
  })

  it("is nothing where there is neither", () => {
    expect(shown({ qr: "", redirect: null })).toBe("")
  })
})
