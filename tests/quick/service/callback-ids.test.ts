import { callbackIds as idsIn, isAddressCheck } from "../../../src/service/callback-ids"

const A = "6f1c2f0a-8a52-4a0e-9f5b-2b6b1b7d9c01"
const B = "3f0c8f9e-6b1d-4c58-9d53-0a4f0c6f2b11"
const C = "00000000-0000-0000-0000-00000000000c"
const LIMIT = 16 * 1024
const nth = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`
/** In the body as JSON. */
const callbackIds = (body: unknown) => idsIn(JSON.stringify([body]))
const many = (count: number) => Array.from({ length: count }, (_, index) => nth(index))

it.each<[string, unknown, string[]]>([
  ["a field called id", { id: A }, [A]],
  ["a list", [A, B], [A, B]],
  ["nested objects and lists", { data: [{ object: { transaction: [{ x: A }] } }], b: B }, [A, B]],
  ["upper case", { id: A.toUpperCase() }, [A]],
  ["duplicates, in the order of their first", [B, A, B, A], [B, A]],
  ["inside a sentence", { text: `transaction ${A} is paid` }, [A]],
  ["inside an address", { url: `https://pay.test/t/${A}?back=${B}#${C}` }, [A, B, C]],
  ["JSON as text", { data: JSON.stringify({ transactionId: A, other: [B] }) }, [A, B]],
  ["a UUID without dashes, which it gets", { id: A.replaceAll("-", "").toUpperCase() }, [A]],
  ["one id with and without dashes", { id: A.replaceAll("-", ""), other: A }, [A]],
])("finds %s", (_, body, ids) => {
  expect(callbackIds(body)).toEqual(ids)
})

it.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a number", 42],
  ["an empty object", {}],
  ["numbers, which are no ids", { id: 6, ids: [1, 2, 1e21], amount: 1199.99 }],
  ["64 hex digits, which are a digest", { digest: A.replaceAll("-", "").repeat(2) }],
  ["32 hex digits within a word", { id: `x${A.replaceAll("-", "")}` }],
  ["letters that are no digits", { id: A.replace("f", "g") }],
  ["dashes elsewhere", { id: "6f1c2f0a8-a52-4a0e-9f5b-2b6b1b7d9c01" }],
  ["spread over two fields", { one: A.slice(0, 18), two: A.slice(18) }],
])("finds no id in %s", (_, body) => {
  expect(callbackIds(body)).toEqual([])
})

it("stops at ten different ids (promise 12)", () => {
  expect(callbackIds(many(10))).toEqual(many(10))
  expect(callbackIds(many(11))).toEqual(many(10))
  expect(callbackIds(many(400))).toEqual(many(10))
  expect(callbackIds(many(12).join(" "))).toEqual(many(10))
  expect(callbackIds(Object.fromEntries(many(12).map((id, at) => [`k${at}`, id])))).toEqual(
    many(10)
  )
  expect(callbackIds([many(6).join(), many(13).join()])).toEqual(many(10))
})

describe("a body of 16 kB made to hurt", () => {
  it.each<[string, string, string[]]>([
    ["lists in lists around an id", `${"[".repeat(8_000)}"${A}"${"]".repeat(8_000)}`, [A]],
    ["objects in objects", `${'{"a":'.repeat(2_700)}"${A}"${"}".repeat(2_700)}`, [A]],
    ["a long flat list and an id", `[${"0,".repeat(8_000)}"${A}"]`, [A]],
    ["a long text without an id", JSON.stringify("a".repeat(LIMIT - 2)), []],
    ["almost ids", JSON.stringify("00000000-0000-0000-0000-".repeat(680)), []],
    ["many empty objects and an id", `[${"{},".repeat(5_000)}"${A}"]`, [A]],
  ])("%s", (_, text, ids) => {
    expect(text.length).toBeLessThanOrEqual(LIMIT)
    const startedAt = performance.now()
    expect(idsIn(text)).toEqual(ids)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  it.each(["%", "%2", "%22", "0".repeat(31), `${"0".repeat(32)} `, `${A.slice(0, -1)} `])(
    "many times %p is searched at once",
    (part) => {
      const startedAt = performance.now()
      idsIn(part.repeat(LIMIT / part.length))
      expect(performance.now() - startedAt).toBeLessThan(1_000)
    }
  )
})

const inForm = (id: string) => new URLSearchParams({ data: JSON.stringify({ id }) }).toString()
it.each<[string, string]>([
  ["a form", `status=ok&id=${A}`],
  ["JSON in a field of a form", inForm(A)],
  ["a form that writes dashes as signs", `id=${A.replaceAll("-", "%2d")}`],
  ["a form of many parts", `--x\r\ncontent-disposition: form-data; name="id"\r\n\r\n${A}\r\n--x--`],
  ["half a JSON", `{"id":"${A}"`],
])("finds an id in %s", (_, text) => {
  expect(idsIn(text)).toEqual([A])
})

it.each(["", "{}", "[]", "null", '"ping"', '{"event":"test"}', '{ "event": { "name": "ping" } }'])(
  "takes %p for a check of the address",
  (text) => {
    expect(isAddressCheck(text)).toBe(true)
  }
)

it.each([
  ["12"],
  ['{"transactionId":12}'],
  ['{"event":"test","amount":1}'],
  ["{"],
  [JSON.stringify("x".repeat(1_000))],
])("takes %p for a callback that cannot be read", (text) => {
  expect(isAddressCheck(text)).toBe(false)
})
