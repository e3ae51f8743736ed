import { inspect } from "node:util"
import { redact, redactingLogger, registerSecret } from "../../../src/service/redact"
import { KeptLog } from "./scripted-service"

const CARD = "4111111111111111"

describe("registered secrets", () => {
  it("never appear, in whatever form", () => {
    registerSecret('s3cr+t/"va lue')
    registerSecret("5d0f3a52-8f0e-4b33-8d7c-6c0a1f4f9b77")
    for (const text of [
      'before s3cr+t/"va lue after',
      `?key=${encodeURIComponent('s3cr+t/"va lue')}`,
      JSON.stringify({ note: 's3cr+t/"va lue' }),
      "token 5D0F3A52-8f0e-4b33-8d7c-6c0a1f4f9b77",
    ]) {
      expect(redact(text)).toContain("***")
      expect(redact(text)).not.toMatch(/s3cr|va(%20| )lue|5d0f3a52/i)
    }
  })

  it("are ignored when they are so short that they are words", () => {
    registerSecret("test")
    expect(redact("a test")).toBe("a test")
  })
})

it.each([
  [
    "Authorization: SVC-HMAC kid=m, ts=1, sig=abc+/=\r\nAccept: x",
    "Authorization: ***\r\nAccept: x",
  ],
  ['{"Authorization":"SVC-HMAC kid=m, ts=1, sig=abc","a":1}', '{"Authorization":"***","a":1}'],
  [inspect({ "X-Secret": "abc def", a: 1 }), "{ 'X-Secret': '***', a: 1 }"],
  [inspect(["X-Secret", "abc", "Accept"]), "[ 'X-Secret', '***', 'Accept' ]"],
  ["curl -H 'X-Secret: abc' https://x.test", "curl -H 'X-Secret: ***' https://x.test"],
  ["ts=1, sig=q1w2/+=", "ts=1, sig=***"],
  ["call +7 (916) 000-11-22 or +79160001122", "call *** or ***"],
  ["1+12345678901 at 10:00:00.000+03:00", "1+12345678901 at 10:00:00.000+03:00"],
  ["POST /hooks/payment-service/AbC-123?x=1", "POST /hooks/payment-service/***?x=1"],
  ['{"qr":"https://qr.test/AS10","id":1}', '{"qr":"***","id":1}'],
  ['{"userName":"Ivan \\"Vanya\\" Petrov","x":1}', '{"userName":"***","x":1}'],
  [
    '{\\"userName\\":\\"Ivan \\\\\\"V\\\\\\" P\\",\\"x\\":1}',
    '{\\"userName\\":\\"***\\",\\"x\\":1}',
  ],
  [
    '{"userId": 12345, "client_ip": "10.0.0.1", "customerEmail":null}',
    '{"userId": ***, "client_ip": "***", "customerEmail":null}',
  ],
  ['{"qr":"cut off in the mid', '{"qr":"***"'],
  ["email=a@b.ru&x=1", "email=***&x=1"],
  ["write to иван.петров+1@почта.рф now", "write to *** now"],
  ["Ivan <ivan@mail.example.ru>, ok", "Ivan <***>, ok"],
])("%s", (text, expected) => {
  expect(redact(text)).toBe(expected)
})

describe("card numbers", () => {
  it.each([
    [`card ${CARD}.`, "card ***."],
    ["4111 1111 1111 1111", "***"],
    ["2200-7007-0000-0000 paid", null],
    ["card4111111111111111x", "card***x"],
    ["3782 822463 10005", "***"],
    ["sum 1000 4111 1111 1111 1111 now", "sum 1000 *** now"],
    ["6304000000000000000", "***"],
  ])("%s", (text, expected) => {
    if (expected === null) expect(redact(text)).toBe(text)
    else expect(redact(text)).toBe(expected)
  })

  it.each([
    "4111111111111112",
    "411111111111",
    "41111111111111110000",
    "11111111-1111-1111-1111-111111111111",
    "41111111-1111-1111-8111-111111111111",
    "1732160000006 1732160000014 1732160000022",
    "1732160000000007",
    "20251121033256 20251121033264",
    "2025-11-21 2025-11-22 2025-11-23",
    "2025-11-21T03:32:56.123Z",
    "payses_01JD5X7Q0W9YB2M3N4P5Q6R7S8",
  ])("are not seen in %s", (text) => {
    expect(redact(text)).toBe(text)
  })
})

it.each([
  ["letters", "a".repeat(100_000)],
  ["digits", "4".repeat(100_000)],
  ["digit groups", "4 ".repeat(50_000)],
  ["backslashes", `"qr":"${"\\".repeat(100_000)}`],
  ["escaped quotes", `\\"qr\\":\\"${'\\\\\\"'.repeat(25_000)}`],
  ["keys without value", "secret ".repeat(14_000)],
  ["local parts", "a.".repeat(50_000)],
  ["ats", "a@".repeat(50_000)],
  ["UUID beginnings", "0123abcd-".repeat(11_000)],
])("takes little time over 100 kB of %s", (_name, text) => {
  // Its own time, not that of a busy machine; what is not linear takes minutes.
  const before = process.cpuUsage()
  redact(text)
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
})

it("a redacting logger redacts at every level", () => {
  const kept = new KeptLog()
  const logger = redactingLogger(kept)
  for (const level of ["debug", "info", "warn", "error"] as const) logger[level](`card ${CARD}`)
  expect(kept.lines).toEqual(["debug card ***", "info card ***", "warn card ***", "error card ***"])
})
