import { storableJson } from "../../../src/modules/payment-service/sql"

it("what Postgres refuses in JSON is replaced, and nothing else", () => {
  const half = "😀".slice(0, 1)
  const kept = { text: "Ты 😀 \\u0000", list: [1, null, true] }
  expect(JSON.parse(storableJson(kept))).toEqual(kept)
  expect(JSON.parse(storableJson({ detail: `a\0b${half}`, in: [`${half}c`] }))).toEqual({
    detail: "a\uFFFDb\uFFFD",
    in: ["\uFFFDc"],
  })
})
