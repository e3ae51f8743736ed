import {
  clientFor,
  collect,
  failureOf,
  ScriptedService,
  text,
  type Answer,
} from "./scripted-service"

const service = new ScriptedService()
beforeAll(() => service.start())
afterAll(() => service.stop())

const span = { from: new Date("2025-11-01T00:00:00Z"), to: new Date("2025-11-30T00:00:00Z") }
const record = (index: number, description: string) =>
  `{"recordId":"00000000-0000-4000-8000-00000000000${index}","createdAt":"2025-11-21 03:32:56",` +
  `"amount":${index}.50,"currencyCode":"RUB","status":"PAID","paymentMethod":"SBPQR",` +
  `"description":${description},"payload":null}`
const RECORDS = [
  record(1, '"a \\"quoted\\" ] } , \\\\"'),
  record(2, '"\\u044f я"'),
  '{"recordId":7,"own":[[{}],{"x":"]"}]}',
]
const LIST = `[ ${RECORDS.join(" ,\n")}\t]\r\n`

/** In pieces of so many bytes, which may end anywhere, in the middle of a character too. */
const inPieces =
  (whole: string, size: number): Answer =>
  (response) => {
    const bytes = Buffer.from(whole)
    for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size))
    response.end()
  }

const bytesOf = () => clientFor(service.origin).exportBytes(span)
const sourcesOf = () => clientFor(service.origin).exportSources(span)

describe.each([1, 5, 64, 10_000])("an export in pieces of %i bytes", (size) => {
  it("is handed on as it is, with the number of its records", async () => {
    service.answer(inPieces(LIST, size))
    const parts = await collect(bytesOf())
    expect(Buffer.concat(parts.map(({ bytes }) => bytes)).toString()).toBe(LIST)
    expect(parts.reduce((sum, { records }) => sum + records, 0)).toBe(RECORDS.length)
  })

  it("is cut into its records' own bytes, also those that cannot be read", async () => {
    service.answer(inPieces(LIST, size))
    const found = (await collect(sourcesOf())).flat()
    expect(found.map(({ bytes }) => bytes.toString())).toEqual(RECORDS)
    expect(found.map(({ record }) => record?.description ?? null)).toEqual([
      ...['a "quoted" ] } , \\', "я я", null],
    ])
  })

  it.each([
    ["ends half-way", LIST.slice(0, -12)],
    ["ends before its bracket", LIST.trimEnd().slice(0, -1)],
    ["is followed by something", `${LIST}[]`],
    ["ends in a string", `[${JSON.stringify("x").slice(0, -1)}]`],
  ])("that %s is not handed on as if it were whole", async (_, list) => {
    for (const exported of [bytesOf, sourcesOf]) {
      service.answer(inPieces(list, size))
      expect(await failureOf(collect<unknown>(exported()))).toMatchObject({
        kind: "malformed",
        message: expect.stringContaining("is not complete JSON"),
      })
    }
  })
})

it("is empty when there is nothing", async () => {
  service.answer(text("[]"))
  expect((await collect(bytesOf())).map(({ records }) => records)).toEqual([0])
  expect(await collect(sourcesOf())).toEqual([])
})

it("may be a link, and a record may not be endless", async () => {
  service.answer(text("/files/1.json"), text(LIST))
  expect((await collect(sourcesOf())).flat()).toHaveLength(RECORDS.length)
  service.answer(text(`[{"recordId":"${"x".repeat(5 * 1024 * 1024)}"}]`))
  expect(await failureOf(collect(sourcesOf()))).toMatchObject({
    message: expect.stringContaining("more than 4 MB"),
  })
})
