import http from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import v8 from "node:v8"
import vm from "node:vm"
import type { CallOptions } from "../../../src/service/client"
import {
  clientFor,
  collect,
  drip,
  failureOf,
  json,
  KeptLog,
  ScriptedService,
  SECRET,
  silence,
  text,
  type Answer,
} from "./scripted-service"

const service = new ScriptedService()
const other = new ScriptedService()
beforeAll(() => Promise.all([service.start(), other.start()]))
afterAll(() => Promise.all([service.stop(), other.stop()]))

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

function exported(options?: CallOptions, prefix = "") {
  return clientFor(service.origin + prefix).exportTransactions(span, options)
}

const expected = records.map((one) =>
  expect.objectContaining({ recordId: one.recordId, amount: String(one.amount) })
)

describe("an export comes", () => {
  it.each<[string, Answer]>([
    ["as an array", json(records)],
    [
      "as an array after a byte order mark and white space",
      text(`\uFEFF \n ${JSON.stringify(records)}\n`),
    ],
    ["in single bytes", bytewise(JSON.stringify(records))],
  ])("%s", async (_name, answer) => {
    service.answer(answer)
    expect(await collect(exported())).toEqual(expected)
    expect(service.received).toHaveLength(1)
  })

  it.each<[string, string, string]>([
    ["a bare link", "ORIGIN/files/1.json?sig=a%2Fb", "/files/1.json?sig=a%2Fb"],
    ["a link as JSON", '"ORIGIN/files/1.json"', "/files/1.json"],
    ["a link as JSON with white space", '\n "ORIGIN/files/1.json" \n', "/files/1.json"],
    ["a link relative to the host", "/files/1.json", "/files/1.json"],
    ["a link relative to the base address", "files/1.json", "/gateway/files/1.json"],
    ["a link below with dots", '"./files/../1.json"', "/gateway/1.json"],
  ])("as %s", async (_name, link, asked) => {
    service.answer(text(link.replace("ORIGIN", service.origin)), json(records))
    expect(await collect(exported({}, "/gateway"))).toEqual(expected)
    expect(service.last).toMatchObject({ method: "GET", url: asked })
    expect(service.last.headers["x-secret"]).toBe(SECRET)
  })

  it("as a link elsewhere, which gets no credentials and is not logged", async () => {
    const log = new KeptLog()
    service.answer(text(`${other.origin}/token-abc/1.json?sig=def`))
    other.answer(json(records))
    const client = clientFor(service.origin, {}, { logger: log })
    expect(await collect(client.exportTransactions(span))).toEqual(expected)
    expect(other.last.headers).not.toHaveProperty("x-secret")
    expect(other.last.headers).not.toHaveProperty("x-merchantid")
    expect(other.last.headers).not.toHaveProperty("authorization")
    expect(log.lines.join("\n")).toMatch(/GET \(export file\) 200/)
    expect(log.lines.join("\n")).not.toContain("token-abc")
  })
})

describe("an export is malformed", () => {
  it.each<[string, string]>([
    ["empty", ""],
    ["white space", "  \n"],
    ["HTML", "<html><a href='/x'>here</a></html>"],
    ["a word", "OK"],
    ["a sentence", "see /files/1.json"],
    ["an object", JSON.stringify({ link: "/files/1.json" })],
    ["broken JSON text", '"/files'],
    ["a long text", "/".repeat(10_000)],
    ["a file address", "file:///etc/passwd"],
    ["a data address", "data:application/json,[]"],
    ["a script", "javascript:/x/"],
  ])("when it is %s", async (_name, body) => {
    service.answer(text(body))
    expect(await failureOf(collect(exported()))).toMatchObject({
      kind: "malformed",
      mayHaveTakenEffect: false,
    })
    expect(service.received).toHaveLength(1)
  })

  it("when the link leads to a link, or on", async () => {
    service.answer(text("/files/1.json"), text("/files/2.json"))
    expect(await failureOf(collect(exported()))).toMatchObject({ kind: "malformed" })
    expect(service.received).toHaveLength(2)
    service.answer(text("/files/1.json"), text("", 302, { location: other.origin }))
    other.answer(json(records))
    expect(await failureOf(collect(exported()))).toMatchObject({
      kind: "malformed",
      httpStatus: 302,
    })
    expect(other.received).toHaveLength(0)
  })

  it("after the records, at one whose index and field are named", async () => {
    service.answer(json([record(0), { ...record(1), amount: "1.5" }, record(2)]))
    const seen: string[] = []
    const error = await failureOf(async () => {
      for await (const one of exported()) seen.push(one.recordId)
    })
    expect(seen).toEqual([record(0).recordId, record(2).recordId])
    expect(error).toMatchObject({ kind: "malformed", field: "amount" })
    expect(error.message).toContain("record 1 whose amount")
  })

  it.each(["[", "[1]", JSON.stringify(records).slice(0, -1), `${JSON.stringify(records)}x`, "[{]"])(
    "in the middle of %j",
    async (body) => {
      service.answer(text(body))
      expect(await failureOf(collect(exported()))).toMatchObject({ kind: "malformed" })
    }
  )

  it("when a record does not end", async () => {
    service.answer((response) => {
      response.write('[{"description":"')
      const more = () => response.write("x".repeat(64 * 1024)) && setImmediate(more)
      response.on("drain", more).on("error", () => undefined)
      more()
    })
    const error = await failureOf(collect(exported()))
    expect(error).toMatchObject({ kind: "malformed" })
    expect(error.message).toContain("more than 1 MB")
  })
})

describe("an export takes no longer than allowed", () => {
  it("to begin", async () => {
    service.answer(silence)
    expect(await failureOf(collect(exported({ timeoutMs: 150 })))).toMatchObject({
      kind: "timeout",
    })
  })

  it.each<[string, Answer]>([
    ["to say what it is", drip],
    ["between records", (response) => response.write(JSON.stringify([record(0)]).slice(0, -1))],
    [
      "to complete a record that drips",
      (response) => {
        response.write('[{"description":"')
        const timer = setInterval(() => response.write("x"), 20)
        response.on("close", () => clearInterval(timer))
      },
    ],
  ])("%s", async (_name, answer) => {
    service.answer(answer)
    const startedAt = performance.now()
    const error = await failureOf(collect(exported({ timeoutMs: 200, retries: 0 })))
    expect(error).toMatchObject({ kind: "timeout", mayHaveTakenEffect: false })
    expect(performance.now() - startedAt).toBeLessThan(800)
  })

  it("but as long as its consumer likes", async () => {
    service.answer(json(records))
    let count = 0
    for await (const one of exported({ timeoutMs: 100 })) {
      expect(one.recordId).toBe(record(count++).recordId)
      await pause(120)
    }
    expect(count).toBe(3)
  })

  it("and ends with its caller's signal", async () => {
    service.answer((response) => response.write(JSON.stringify([record(0)]).slice(0, -1)))
    const error = await failureOf(collect(exported({ signal: AbortSignal.timeout(100) })))
    expect(error).toMatchObject({ kind: "timeout" })
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

describe("a long export", () => {
  const total = 50_000

  it("is read record by record, without keeping them", async () => {
    service.answer((response) => many(response, total))
    const heap: number[] = []
    let count = 0
    for await (const one of exported()) {
      if (one.recordId !== record(count).recordId)
        throw new Error(`record ${count} is ${one.recordId}`)
      if (++count % (total / 5) === 0) heap.push(heapAfterCollection())
    }
    expect(count).toBe(total)
    const growth = (heap.at(-1) ?? 0) - (heap[0] ?? 0)
    expect(growth).toBeLessThan(4 * 1024 * 1024)
  }, 60_000)

  it("ends when the loop ends, and is sent no faster than it is taken", async () => {
    let sent = 0
    let closed = false
    service.answer((response) => {
      response.on("close", () => (closed = true))
      many(response, 2 * total, () => sent++)
    })
    for await (const one of exported()) {
      expect(one.recordId).toBe(record(0).recordId)
      await pause(300)
      expect(sent).toBeLessThan(total)
      break
    }
    await pause(50)
    expect(closed).toBe(true)
    expect(sent).toBeLessThan(total)
  })
})

it("an export that is refused says why, and is tried again when it may help", async () => {
  service.answer(json({}, 401))
  expect(await failureOf(collect(exported()))).toMatchObject({ kind: "unauthorized" })
  service.answer(json({}, 503), json(records))
  expect(await collect(exported())).toHaveLength(3)
  service.answer(text("/files/gone.json"), json({}, 404))
  expect(await failureOf(collect(exported()))).toMatchObject({ kind: "not_found" })
  expect(
    await failureOf(
      collect(clientFor(service.origin).exportTransactions({ ...span, to: new Date("x") }))
    )
  ).toMatchObject({
    kind: "invalid",
    field: "to",
  })
})

/** Sends records at the pace of the reader. */
function many(response: http.ServerResponse, total: number, onSent: () => void = () => undefined) {
  let index = 0
  const more = () => {
    while (index < total && !response.destroyed) {
      const separator = index === 0 ? "[" : ","
      const hasRoom = response.write(separator + JSON.stringify(record(index++)))
      onSent()
      if (!hasRoom) return
    }
    response.end("]")
  }
  response.on("drain", more)
  more()
}

function heapAfterCollection(): number {
  v8.setFlagsFromString("--expose-gc")
  const collectGarbage = vm.runInNewContext("gc") as () => void
  collectGarbage()
  return process.memoryUsage().heapUsed
}

function bytewise(body: string): Answer {
  return (response) => {
    response.socket?.setNoDelay(true)
    const bytes = Buffer.from(body)
    let index = 0
    const more = () => {
      if (index >= bytes.length) return void response.end()
      response.write(bytes.subarray(index, ++index))
      setImmediate(more)
    }
    more()
  }
}
