import { callbackIds } from "../../../src/modules/payment-service/callback-ids"

const A = "6f1c2f0a-8a52-4a0e-9f5b-2b6b1b7d9c01"
const B = "3f0c8f9e-6b1d-4c58-9d53-0a4f0c6f2b11"
const C = "00000000-0000-0000-0000-00000000000c"
const LIMIT = 16 * 1024
const nth = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`
const many = (count: number) => Array.from({ length: count }, (_, index) => nth(index))

it.each<[string, unknown, string[]]>([
  ["a field called id", { id: A }, [A]],
  ["a field called anything", { Zahlung: A }, [A]],
  ["the body itself", A, [A]],
  ["a list", [A, B], [A, B]],
  ["nested objects and lists", { data: [{ object: { transaction: [{ x: A }] } }], b: B }, [A, B]],
  ["upper case", { id: A.toUpperCase() }, [A]],
  ["mixed case of one id", [A.toUpperCase(), A, A.replace("f", "F")], [A]],
  ["duplicates, in the order of their first", [B, A, B, A], [B, A]],
  ["inside a sentence", { text: `transaction ${A} is paid` }, [A]],
  ["inside an address", { url: `https://pay.test/t/${A}?back=${B}#${C}` }, [A, B, C]],
  ["JSON as text", { data: JSON.stringify({ transactionId: A, other: [B] }) }, [A, B]],
  ["in braces", { id: `{${A}}` }, [A]],
  ["as a URN", { id: `urn:uuid:${A}` }, [A]],
  ["joined by commas", { ids: `${A},${B}` }, [A, B]],
  [
    "the nil UUID, which is one",
    { id: "00000000-0000-0000-0000-000000000000" },
    [nth(0).replace("4000-8000", "0000-0000")],
  ],
  ["a field before and after", { a: 1, b: null, id: A, c: true, d: [] }, [A]],
])("finds %s", (_, body, ids) => {
  expect(callbackIds(body)).toEqual(ids)
})

it.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a number", 42],
  ["a boolean", true],
  ["an empty text", ""],
  ["an empty object", {}],
  ["an empty list", []],
  ["numbers, which are no ids", { id: 6, ids: [1, 2, 1e21], amount: 1199.99 }],
  ["a UUID without dashes", { id: A.replaceAll("-", "") }],
  ["a digit too few", { id: A.slice(0, -1) }],
  ["letters that are no digits", { id: A.replace("f", "g") }],
  ["dashes elsewhere", { id: "6f1c2f0a8-a52-4a0e-9f5b-2b6b1b7d9c01" }],
  ["spread over two fields", { one: A.slice(0, 18), two: A.slice(18) }],
])("finds no id in %s", (_, body) => {
  expect(callbackIds(body)).toEqual([])
})

it("goes through a body in its order, whatever the nesting", () => {
  const body = { a: [nth(1), { x: nth(2), y: [nth(3)] }], b: nth(4), c: { d: { e: nth(5) } } }
  expect(callbackIds(body)).toEqual([1, 2, 3, 4, 5].map(nth))
})

it("stops at ten different ids", () => {
  expect(callbackIds(many(10))).toEqual(many(10))
  expect(callbackIds(many(11))).toEqual(many(10))
  expect(callbackIds(many(400))).toEqual(many(10))
  expect(callbackIds(many(12).join(" "))).toEqual(many(10))
  expect(callbackIds(Object.fromEntries(many(12).map((id, at) => [`k${at}`, id])))).toEqual(
    many(10)
  )
  expect(callbackIds([many(6).join(), many(13).join()])).toEqual(many(10))
})

it("counts an id once, however often it is named", () => {
  const body = [...Array.from({ length: 300 }, () => A), ...many(9)]
  expect(callbackIds(body)).toEqual([A, ...many(9)])
})

describe("a body of 16 kB made to hurt", () => {
  it.each<[string, string, string[]]>([
    ["lists in lists", "[".repeat(LIMIT / 2) + "]".repeat(LIMIT / 2), []],
    ["lists in lists around an id", `${"[".repeat(8_000)}"${A}"${"]".repeat(8_000)}`, [A]],
    ["objects in objects", `${'{"a":'.repeat(2_700)}"${A}"${"}".repeat(2_700)}`, [A]],
    ["a long flat list and an id", `[${"0,".repeat(8_000)}"${A}"]`, [A]],
    ["a long text without an id", JSON.stringify("a".repeat(LIMIT - 2)), []],
    ["almost ids", JSON.stringify("00000000-0000-0000-0000-".repeat(680)), []],
    ["dashes", JSON.stringify("-".repeat(LIMIT - 2)), []],
    ["many empty objects and an id", `[${"{},".repeat(5_000)}"${A}"]`, [A]],
  ])("%s", (_, text, ids) => {
    expect(text.length).toBeLessThanOrEqual(LIMIT)
    const body = JSON.parse(text) as unknown
    const startedAt = performance.now()
    expect(callbackIds(body)).toEqual(ids)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  it("unclosed is no JSON, and as text it is searched like any other", () => {
    const text = "[".repeat(LIMIT)
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
    expect(callbackIds(text)).toEqual([])
  })
})

it("is not led astray by names that objects have by nature", () => {
  const body = JSON.parse(`{"__proto__":{"id":"${A}"},"constructor":"${B}"}`) as unknown
  expect(callbackIds(body)).toEqual([A, B])
})

// The issue says "UUIDs found in the body"; names of fields are in the body too.
it("finds an id that is the name of a field", () => {
  expect(callbackIds({ transactions: { [A]: { status: "Done" } } })).toEqual([A])
})
