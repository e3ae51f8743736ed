import { inspect } from "node:util"
import { redact, redactFacts, redactingLogger, registerSecret } from "../../../src/service/redact"
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
])("%s", (text, expected) => {
  expect(redact(text)).toBe(expected)
})

describe("card numbers", () => {
  it.each([
    [`card ${CARD}.`, "card ***."],
    ["4111 1111 1111 1111", "***"],
    ["2200-7007-0000-0000 paid", "*** paid"],
    ["sum 1000 4111 1111 1111 1111 now", "sum *** 1111 now"],
    ["6304000000000000000", "***"],
  ])("%s", (text, expected) => {
    expect(redact(text)).toBe(expected)
  })

  it.each([
    "41111111111111110000",
    "11111111-1111-1111-1111-111111111111",
    "41111111-1111-1111-8111-111111111111",
    "1732160000006 1732160000014 1732160000022",
    "41111111-1111-1111-1111-1111aaaa1111",
    "20251121033256 20251121033264",
    "2025-11-21 2025-11-22 2025-11-23",
    "2025-11-21T03:32:56.123Z",
    "payses_01JD5X7Q0W9YB2M3N4P5Q6R7S8",
  ])("are not seen in %s", (text) => {
    expect(redact(text)).toBe(text)
  })
})

const LONGEST = 10_000

describe("a long text", () => {
  it("is cut", () => {
    const longest = "a ".repeat(LONGEST / 2)
    expect(redact(longest)).toBe(longest)
    expect(redact(`${longest}a`)).toMatch(/^[a ]{9000}…$/)
  })

  it("shows nothing of what is to be masked where it is cut", () => {
    const long = "a-long-secret-at-the-cut".repeat(40)
    registerSecret("a-secret-at-the-cut")
    registerSecret(long)
    for (const hidden of [
      "a-secret-at-the-cut",
      long,
      "4111 1111 1111 1111",
      "ivan.petrov@mail.example.ru",
      "+7 (916) 000-11-22",
      'userName: "Ivan Petrov"',
      "sig=q1w2e3r4",
    ]) {
      for (let at = LONGEST - hidden.length - 1; at <= LONGEST; at++) {
        const text = `${".".repeat(at - 1)} ${hidden} and more${".".repeat(50)}`
        expect(redact(text)).toMatch(/^\.+…$/)
      }
    }
  })
})

describe("takes little time (promise 12)", () => {
  const long = (unit: string) => (length: number) =>
    unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
  const shapes: [string, (length: number) => string][] = [
    ...["a", "4 ", "4111-1111-1111-1112-", '"qr":"a', "secret= ", "a@b.c,", `${"a".repeat(64)} `],
    ...["+1 (2", "canary-a-secret-that-is-not-"],
  ].map((unit) => [unit, long(unit)])
  shapes.push(
    ["one value of backslashes", (length) => `"qr":"${"\\".repeat(length - 6)}`],
    ["one domain", (length) => `a@b${".c".repeat((length - 3) / 2)}`]
  )
  const MB = 1_000_000

  it.each(shapes)("of %j", (_unit, shape) => {
    registerSecret("canary-a-secret-that-is-not-there")
    const before = process.cpuUsage()
    redact(shape(MB))
    for (let times = 0; times < 100; times++) redact(shape(LONGEST))
    // It takes a fraction of this, and more if it grew with the square of the length.
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000)
  })
})

it("facts are redacted text by text, and keep their amounts, whose digits may look like a card's", () => {
  registerSecret("canary-of-facts")
  const owed = { amount: "666.6666666666666", currency: "RUB" }
  const facts = { owed, reasons: [{ detail: "canary-of-facts refused" }], count: 3, none: null }
  expect(redactFacts(facts)).toEqual({ ...facts, reasons: [{ detail: "*** refused" }] })
})

it("a redacting logger redacts at every level", () => {
  const kept = new KeptLog()
  const logger = redactingLogger(kept)
  for (const level of ["debug", "info", "warn", "error"] as const) logger[level](`card ${CARD}`)
  expect(kept.lines).toEqual(["debug card ***", "info card ***", "warn card ***", "error card ***"])
})
