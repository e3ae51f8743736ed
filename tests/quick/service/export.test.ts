import { setTimeout as pause } from "node:timers/promises"

import fc from "fast-check"

import type { CallOptions } from "../../../src/service/client"
import { elementsOf } from "../../../src/service/export"
import { readRecord } from "../../../src/service/schemas"
import {
  clientFor,
  collect,
  drip,
  failureOf,
  json,
  recordsOf,
  ScriptedService,
  silence,
  text,
  type Answer,
} from "./scripted-service"

const service = new ScriptedService()
beforeAll(() => service.start())
afterAll(() => service.stop())

const span = { from: new Date("2025-11-01T00:00:00Z"), to: new Date("2025-11-30T00:00:00Z") }

function record(index: number) {
  return {
    recordId: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    createdAt: "2025-11-21 03:32:56",
    amount: index + 0.5,
    currencyCode: "RUB",
    status: "CANCELED",
    paymentMethod: "SBPQR",
    description: "Заказ",
    payload: "",
  }
}
const records = [record(0), record(1), record(2)]

function exported(options?: CallOptions) {
  return recordsOf(clientFor(service.origin).exportTransactions(span, options))
}

const expected = records.map((one) =>
  expect.objectContaining({ recordId: one.recordId, amount: String(one.amount) })
)

describe("an export comes", () => {
  it.each<[string, Answer]>([
    ["as an array", json(records)],
    ["in white space", text(` \r\n\t${JSON.stringify(records)}\n`)],
    ["after a byte order mark", text(`\uFEFF${JSON.stringify(records)}`)],
  ])("%s", async (_name, answer) => {
    service.answer(answer)
    expect(await collect(exported())).toEqual(expected)
    expect(service.received).toHaveLength(1)
  })
})

describe("an export is malformed", () => {
  it.each<[string, string]>([
    ["empty", ""],
    ["white space", "  \n"],
    ["a byte order mark", "\uFEFF"],
    ["HTML", "<html><a href='/x'>here</a></html>"],
    ["a word", "OK"],
    ["a sentence", "see /files/1.json"],
    ["an object", JSON.stringify({ link: "/files/1.json" })],
    ["broken JSON text", '"/files'],
    ["a long text", "/".repeat(10_000)],
  ])("when it is %s", async (_name, body) => {
    service.answer(text(body))
    expect(await failureOf(collect(exported()))).toMatchObject({
      kind: "malformed",
      mayHaveTakenEffect: false,
    })
    expect(service.received).toHaveLength(1)
  })

  it("at no record: batches have them whole, and what can be read of odd ones", async () => {
    const odd = {
      recordId: "no, id",
      amount: "1.5",
      currencyCode: "RUB",
      status: 7,
      description: "Tea",
      payload: "x".repeat(300),
    }
    service.answer(json([record(0), odd, { recordId: 7 }, "text"]))
    const batches = await collect(clientFor(service.origin).exportTransactions(span))
    expect(batches.flat()).toEqual([record(0), odd, { recordId: 7 }, "text"])
    const [whole, ...others] = batches.flat().map(readRecord)
    expect(whole).toMatchObject({ recordId: record(0).recordId, amount: "0.5" })
    expect(others).toMatchObject([
      { recordId: "no, id", amount: null, currencyCode: "RUB", status: null, description: "Tea" },
      { recordId: "7", amount: null, odd: { field: "recordId" } },
      { recordId: "", odd: { field: "" } },
    ])
    expect(others[0]).toMatchObject({
      payload: `${"x".repeat(199)}…`,
      odd: { field: "recordId", reason: expect.stringContaining("not as specified") },
    })
  })

  const array = JSON.stringify(records)
  it.each([...["[", "[{]", "[]]"], ...[array.slice(0, -1), `${array.slice(0, -1)},`, `${array}x`]])(
    "in the middle of %j",
    async (body) => {
      service.answer(text(body))
      expect(await failureOf(collect(exported()))).toMatchObject({ kind: "malformed" })
    }
  )

  it("when a record is as deep as it is long", async () => {
    service.answer(text(`[{"deep":${"[".repeat(200_000)}`))
    expect(await failureOf(collect(exported()))).toMatchObject({ kind: "malformed" })
  })

  it("when a record does not end", async () => {
    service.answer((response) => {
      response.write('[{"description":"')
      const more = () => response.write("x".repeat(64 * 1024)) && setImmediate(more)
      response.on("drain", more).on("error", () => undefined)
      more()
    })
    const error = await failureOf(collect(exported()))
    expect(error).toMatchObject({ kind: "malformed" })
    expect(error.message).toContain("more than 4 MB")
  })
})

it("the elements of a list are those of JSON.parse, wherever its text is cut (promise 13)", async () => {
  const element = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
    fc.record({ text: fc.constantFrom('},{"', "\\", '"]', "[{", "") }),
    fc.jsonValue({ maxDepth: 1 })
  )
  const cuts = fc.array(fc.nat(200), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.array(element), cuts, fc.boolean(), async (array, cuts, isSpaced) => {
      const text = JSON.stringify(array, undefined, isSpaced ? 1 : undefined)
      const found = (await collect(elementsOf(cutAt(text, cuts)))).flat()
      expect(found).toEqual(JSON.parse(text))
    }),
    { numRuns: 500 }
  )
})

async function* cutAt(text: string, cuts: number[]) {
  const places = [...cuts, text.length].map((cut) => Math.min(cut, text.length))
  let from = 0
  for (const to of places.toSorted((one, other) => one - other)) {
    yield text.slice(from, to)
    from = to
  }
}

describe("an export is never silent for longer than allowed (promise 25)", () => {
  it.each<[string, Answer, number]>([
    ["before it begins", silence, 0],
    ["before the first record", (response) => response.write("["), 0],
    ["in a record", (response) => response.write(JSON.stringify(records).slice(0, -9)), 2],
    [
      "between records",
      (response) => response.write(`${JSON.stringify(records).slice(0, -1)},`),
      3,
    ],
    ["after the last record", (response) => response.write(JSON.stringify(records)), 2],
  ])("%s, and what came is handed on", async (_name, answer, count) => {
    service.answer(answer)
    const seen: unknown[] = []
    const error = await failureOf(async () => {
      for await (const one of exported({ timeoutMs: 500 })) {
        seen.push(one)
        await pause(300)
      }
    })
    expect(error).toMatchObject({ kind: "timeout", mayHaveTakenEffect: false })
    expect(seen).toEqual(expected.slice(0, count))
  })

  it("however long it takes in all", async () => {
    // Each wait of the client begins after that of the service, so that a busy machine does not matter.
    const pieces = JSON.stringify(records).match(/.{1,16}/g) ?? []
    service.answer(slowly(pieces, 60))
    expect(await collect(exported({ timeoutMs: 800 }))).toEqual(expected)
  })

  it("but one that drips goes on until its caller's signal", async () => {
    service.answer(drip)
    const error = await failureOf(
      collect(exported({ timeoutMs: 10_000, signal: AbortSignal.timeout(300) }))
    )
    expect(error.message).toContain("given up")
  })

  it("and a connection that breaks is unavailable", async () => {
    service.answer((response) => {
      response.write(JSON.stringify([record(0)]).slice(0, -1))
      setTimeout(() => response.socket?.destroy(), 30)
    })
    expect(await failureOf(collect(exported()))).toMatchObject({ kind: "unavailable" })
  })
})

/** Sends a piece every so many milliseconds. */
function slowly(pieces: string[], everyMs: number): Answer {
  return (response) => {
    const [next, ...rest] = pieces
    response.write(next)
    if (!rest.length) return void response.end()
    setTimeout(() => slowly(rest, everyMs)(response, service.last), everyMs)
  }
}
