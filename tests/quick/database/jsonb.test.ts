import { jsonb } from "../../../src/database/sql"

const stored = (value: unknown) => JSON.parse(jsonb(value).values[0] as string) as unknown

it("what Postgres refuses in JSON is replaced, and nothing else (promise 3)", () => {
  const half = "😀".slice(0, 1)
  const kept = { text: "Ты 😀 \\u0000", list: [1, null, true] }
  expect(stored(kept)).toEqual(kept)
  expect(stored({ detail: `a\0b${half}`, in: [`${half}c`] })).toEqual({
    detail: "a\uFFFDb\uFFFD",
    in: ["\uFFFDc"],
  })
})
