import { maskedAddress } from "../../../src/api/mask-log"

const GROUPS = ["4000", "0012", "3456", "7899"]
const PAYOUTS = "/admin/payment-service/payouts"

describe("an address of payouts in the log (promise 22)", () => {
  it.each([
    ...["", "%20", "+", "-", "%2D", ".", "%2E", "++", "%20%20", "%C2%A0", "%E2%80%AF", "%E2%80%91"],
    ...["%2520", "%25C2%25A0"],
  ])("has no card number with %j between its groups", (between) => {
    for (const address of [
      `${PAYOUTS}?order_id=${GROUPS.join(between)}&limit=20`,
      `${PAYOUTS}/${GROUPS.join(between)}/send`,
      `http://shop.test/app/payment-service/payouts?order_id=${GROUPS.join(between)}`,
    ]) {
      const masked = maskedAddress(address)
      expect(masked).toContain("****%207899")
      expect(decodeURIComponent(masked).replace(/\D/g, "")).not.toContain("40000012")
    }
  })

  it("has nothing of a search", () => {
    for (const searched of ["q=%D0%98%D0%B2%D0%B0%D0%BD", "q[]=Anna", "q%5B%5D=4000001234567899"]) {
      const masked = maskedAddress(`${PAYOUTS}?limit=20&${searched}&offset=0`)
      expect(masked).toMatch(/\?limit=20&q(?:=|\[|%5B)\*\*\*&offset=0$/)
    }
  })

  it.each([
    `${PAYOUTS}?note=%D0%98%D0%B2%D0%B0%D0%BD+5000&limit=20&offset=0&created_at[gte]=2026-11-22T21:00:00.000Z`,
    `${PAYOUTS}/pspo_01KAQ2F6Z8/send`,
    `${PAYOUTS}?id=0b9a6c1e-3c5d-4d0b-8c1a-5f3e2d1c0b9a`,
    `${PAYOUTS}?id=%`,
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  ])("is else as it came: %s", (address) => {
    expect(maskedAddress(address)).toBe(address)
  })
})
