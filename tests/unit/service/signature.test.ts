import { authorizationHeader, sign, stringToSign } from "../../../src/service/signature"

// Digests and signatures were made with `openssl dgst -sha256 [-hmac …]`, not with the code under test.
const EMPTY_DIGEST = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
const SECRET = "whsec_test_signing_secret_0001"
const PAYOUT =
  '{"cardId":"3f0c8f9e-6b1d-4c58-9d53-0a4f0c6f2b11","amountRub":1500,"payoutMethod":"CARD","currencyRequested":"RUB"}'

describe("string to sign", () => {
  it("has an empty key and the digest of nothing for GET", () => {
    const text = stringToSign({
      method: "GET",
      path: "/api/v1/cards",
      timestamp: 1732160000,
      idempotencyKey: "",
    })
    expect(text).toBe(`GET\n/api/v1/cards\n1732160000\n\n${EMPTY_DIGEST}`)
    expect(sign(SECRET, text)).toBe("mNll4OoNbQnQMTg1njoMKBk72kEzMGhqbhCGfCFtOG0=")
  })

  it.each([
    ["/api/v1/payouts/card-rub", "IpHgvhdx/+i8k86/FqIM92/mgSsfOVO03fa+34Ep6wA="],
    ["/gateway/v2/api/v1/payouts/card-rub", "a/h8Isdwf28OjZQkT29cbi1WH3nXVfym93QJjjJnB80="],
  ])("covers method, path, time, key and body of POST %s", (path, signature) => {
    const idempotencyKey = "7e57c0de-0000-4000-8000-000000000001"
    const body = Buffer.from(PAYOUT)
    const text = stringToSign({ method: "POST", path, timestamp: 1732160000, idempotencyKey, body })
    expect(text.split("\n")).toEqual([
      "POST",
      path,
      "1732160000",
      idempotencyKey,
      "a80c1bdc9de0e4d4566b8bf55cdea12f2219d3db35c43055b9cd7855341fdeab",
    ])
    expect(sign(SECRET, text)).toBe(signature)
  })

  it("digests bytes, not characters", () => {
    const body = Buffer.from('{"note":"Привет"}')
    const text = stringToSign({
      method: "POST",
      path: "/",
      timestamp: 1,
      idempotencyKey: "k",
      body,
    })
    expect(
      text.endsWith("\n060c8314e5fa04be76980acfa3ca9c543eef1f847f98ee858600ad0211a6e92a")
    ).toBe(true)
  })
})

it("writes the Authorization header as specified", () => {
  expect(
    authorizationHeader({
      scheme: "SVC-HMAC",
      merchantId: "m-1",
      timestamp: 1732160000,
      signature: "c2ln",
    })
  ).toBe("SVC-HMAC kid=m-1, ts=1732160000, sig=c2ln")
})
