import type http from "node:http"
import net from "node:net"
import { setImmediate as nextTurn } from "node:timers/promises"
import { inspect } from "node:util"
import { gzipSync } from "node:zlib"
import type { CallOptions, PaymentServiceClient } from "../../../src/service/client"
import { topicOf } from "../../../src/service/errors"
import {
  clientFor,
  drip,
  failureOf,
  json,
  KeptLog,
  MERCHANT,
  reset,
  ScriptedService,
  SECRET,
  SIGNING_SECRET,
  silence,
  text,
  type Answer,
} from "./scripted-service"

const ID = "6f1c2f0a-8a52-4a0e-9f5b-2b6b1b7d9c01"
const CARD = "41111111111112" // Too short to be masked, so that only care keeps it out of texts.

const service = new ScriptedService()
const log = new KeptLog()
const errors: string[] = []
beforeAll(() => service.start())
afterAll(() => service.stop())
// A request that was given up may still be on its way to the service, which is in this process.
afterEach(async () => {
  for (let turn = 0; turn < 20; turn++) await nextTurn()
})

const details = { id: ID, status: "PENDING", paymentDetails: { amount: 10, currency: "RUB" } }
const breakOff: Answer = (response) => {
  response.writeHead(200, { "content-length": 100 }).write('{"id":')
  setTimeout(() => response.socket?.destroy(), 10)
}
const payer = { userId: "canary-user-17", userName: "Пётр Канарейкин", clientIp: "203.0.113.77" }

type Method = "get" | "create" | "payout" | "cards"
const methods: Method[] = ["get", "create", "payout", "cards"]

function call(
  client: PaymentServiceClient,
  method: Method,
  options?: CallOptions
): Promise<unknown> {
  switch (method) {
    case "get":
      return client.getTransaction(ID, options)
    case "cards":
      return client.listCards({}, options)
    case "payout":
      return client.preparePayout({ cardNumber: CARD, amountRub: 1000 }, "key-1").send(options)
    case "create":
      return client.createTransaction(
        {
          paymentMethod: 2,
          amount: "10",
          currency: "RUB",
          description: "Order",
          returnUrl: "https://shop.test/ok",
          failedUrl: "https://shop.test/no",
          payload: "row_1",
          metadata: payer,
        },
        options
      )
  }
}

async function fail(method: Method, options?: CallOptions, origin = service.origin) {
  const error = await failureOf(call(clientFor(origin, {}, { logger: log }), method, options))
  errors.push(
    inspect(error, { depth: 10, showHidden: true }),
    JSON.stringify(error),
    error.stack ?? ""
  )
  return error
}

const changes = (method: Method) => method === "create" || method === "payout"

describe.each(methods)("%s: a reply of the service", (method) => {
  it.each([
    [400, "invalid", false],
    [409, "invalid", "payout"],
    [422, "invalid", false],
    [401, "unauthorized", false],
    [403, "unauthorized", false],
    [404, "not_found", false],
    // A payout may have gone through before it is answered so.
    [425, "invalid", "payout"],
    [402, "invalid", "payout"],
    [408, "timeout", true],
    [429, "rate_limited", "payout"],
    [500, "unavailable", true],
    [503, "unavailable", true],
    [302, "malformed", true],
  ] as const)("%i is %s", async (status, kind, effect) => {
    service.answer(json({ error: "no" }, status))
    const error = await fail(method, { retries: 0 })
    expect(error).toMatchObject({
      kind,
      httpStatus: status,
      mayHaveTakenEffect: effect === "payout" ? method === "payout" : effect && changes(method),
    })
    expect(error.message).toContain(`${status}`)
    expect(service.received).toHaveLength(1)
  })

  it.each<[string, Answer]>([
    ["HTML", text("<html>Welcome</html>", 200, { "content-type": "text/html" })],
    ["truncated JSON", text('{"id":"6f1c', 200)],
    ["nothing", text("")],
    ["204", text("", 204)],
    ["another shape", json({ ok: true })],
    ["2 MB", json({ ...details, description: "x".repeat(2 << 20) })],
    ["2 MB, packed", text(gzipSync(" ".repeat(2 << 20)), 200, { "content-encoding": "gzip" })],
  ])("with %s is malformed and not asked for again", async (_name, answer) => {
    service.answer(answer)
    const error = await fail(method)
    expect(error).toMatchObject({ kind: "malformed", mayHaveTakenEffect: changes(method) })
    expect(service.received).toHaveLength(1)
  })

  it.each<[string, Answer, CallOptions, string]>([
    ["never comes", silence, { timeoutMs: 150 }, "timeout"],
    ["drips", drip, { timeoutMs: 200 }, "timeout"],
    ["nobody waits for", silence, { signal: AbortSignal.timeout(50) }, "timeout"],
    ["breaks off before it begins", reset, { retries: 0 }, "unavailable"],
    ["breaks off in the middle", breakOff, { retries: 0 }, "unavailable"],
  ])("that %s is no answer", async (_name, answer, options, kind) => {
    service.answer(answer)
    const error = await fail(method, options)
    expect(error).toMatchObject({ kind, mayHaveTakenEffect: changes(method) })
  })
})

it("a byte order mark at the beginning of a reply, and nowhere else, is read over", async () => {
  const reply = JSON.stringify(details)
  service.answer(text(`\uFEFF${reply}`))
  await call(clientFor(service.origin), "get")
  for (const body of [`\uFEFF\uFEFF${reply}`, ` \uFEFF${reply}`, `${reply}\uFEFF`]) {
    service.answer(text(body))
    expect(await fail("get")).toMatchObject({ kind: "malformed" })
  }
})

it.each<[Method, string, string]>([
  ...methods.map((method): [Method, string, string] => [method, "refuses", "127.0.0.1"]),
  ["payout", "refuses at every address", "localhost"],
  ["create", "is unknown", "service.invalid"],
])("%s: a host that %s is unavailable, without effect", async (method, _, host) => {
  const origin = (await unusedOrigin()).replace("127.0.0.1", host)
  const error = await fail(method, { retries: 0 }, origin)
  expect(error).toMatchObject({ kind: "unavailable", mayHaveTakenEffect: false })
  if (host === "127.0.0.1") expect(error.message).toContain("could not be reached (ECONNREFUSED)")
})

describe("retries", () => {
  it.each<[string, Answer]>([
    ["503", json({}, 503)],
    ["429", json({}, 429)],
    ["408", json({}, 408)],
    ["a reset", reset],
  ])("of a read overcome %s", async (_name, answer) => {
    service.answer(answer, answer, json(details))
    expect(await call(clientFor(service.origin), "get")).toMatchObject({ id: ID })
    expect(service.received).toHaveLength(3)
  })

  it.each(["create", "payout"] as const)(
    "are not made of a %s that was sent (promise 15)",
    async (method) => {
      for (const answer of [json({}, 503), json({}, 429), reset]) {
        service.answer(answer)
        await fail(method, { retries: 5 })
        expect(service.received).toHaveLength(1)
      }
    }
  )

  it("are made of a creation that was not sent, and not of a payout", async () => {
    const origin = await unusedOrigin()
    const lines = async (method: Method) => {
      const before = log.lines.length
      await fail(method, { retries: 2 }, origin)
      return log.lines.length - before
    }
    expect(await lines("create")).toBe(3)
    expect(await lines("payout")).toBe(1)
  })

  it("of a read get what is left of its five seconds (promise 10)", async () => {
    // Only the time of our own limits is moved by hand; requests and answers really happen.
    const doNotFake = ["Date", "hrtime", "nextTick", "setImmediate", "clearImmediate"] as const
    jest.useFakeTimers({ doNotFake: [...doNotFake, "queueMicrotask"] })
    const asked: http.ServerResponse[] = []
    service.answer((response) => void asked.push(response))
    const times = async (count: number) => {
      while (asked.length < count) await nextTurn()
    }
    const failure = fail("get")
    await times(1)
    await jest.advanceTimersByTimeAsync(3_000)
    asked[0]?.writeHead(503).end("{}")
    await times(2)
    await jest.advanceTimersByTimeAsync(1_999)
    expect(asked[1]?.destroyed).toBe(false)
    await jest.advanceTimersByTimeAsync(1)
    jest.useRealTimers()
    expect(await failure).toMatchObject({ kind: "timeout" })
  })
})

describe("Retry-After", () => {
  it("in seconds is waited for", async () => {
    service.answer(json({}, 429, { "retry-after": "1" }), json(details))
    const startedAt = performance.now()
    await call(clientFor(service.origin), "get")
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000)
  })

  it("beyond the budget fails at once, and is passed on", async () => {
    service.answer(json({}, 429, { "retry-after": "120" }))
    const startedAt = performance.now()
    expect(await fail("get")).toMatchObject({ kind: "rate_limited", retryAfterMs: 120_000 })
    expect(performance.now() - startedAt).toBeLessThan(60_000)
    expect(service.received).toHaveLength(1)
  })
})

it.each(methods)(
  "%s: a redirect is not followed, with credentials or without (promise 22)",
  async (method) => {
    const other = new ScriptedService()
    await other.start()
    other.answer(json(details))
    for (const [status, location] of [
      [301, `${other.origin}/`],
      [302, "/elsewhere"],
      [303, `${other.origin}/`],
      [307, `${other.origin}/`],
      [308, `${service.origin}/elsewhere`],
    ] as const) {
      service.answer(text("", status, { location }))
      const error = await fail(method)
      expect(error).toMatchObject({ kind: "malformed", httpStatus: status })
      expect(service.received).toHaveLength(1)
    }
    expect(other.received).toHaveLength(0)
    await other.stop()
  }
)

it.each<[string, Answer, number | null]>([
  ["told in whole seconds", json(details), 10],
  ["told of a refusal, too", json({}, 401), 10],
  ["unknown without Date", (response) => json(details)(response, service.last), null],
])("the service's clock is %s", async (_name, answer, ahead) => {
  const date = Date.parse("2026-11-23T12:00:00Z")
  service.answer((response, request) => {
    if (ahead === null) response.sendDate = false
    else response.setHeader("date", new Date(date).toUTCString())
    answer(response, request)
  })
  const heard: unknown[] = []
  const clock = jest.spyOn(Date, "now").mockReturnValue(date + 10_400)
  const client = clientFor(service.origin)
  await client.getTransaction(ID, { onReply: (reply) => heard.push(reply) }).catch(() => undefined)
  clock.mockRestore()
  expect(heard).toEqual([expect.objectContaining({ clockAheadSeconds: ahead })])
})

describe("the reason of a refusal", () => {
  it("is quoted without what the payer told us", async () => {
    const message = `amount too small for ${payer.userName} at ${payer.clientIp}`
    const coded = (letter: string) => `\\u0${letter.charCodeAt(0).toString(16)}`
    const said = JSON.stringify({ message, userId: payer.userId })
    const escaped = said.replace(/[а-яё]/gi, coded)
    service.answer(text(escaped, 400))
    const error = await fail("create")
    expect(error.message).toContain("amount too small for *** at ***")
    expect(error.message).not.toMatch(/Канарейкин|203\.0\.113|canary/)
  })

  it("that names a used key leaves open whether a payout was made", async () => {
    service.answer(json({ message: "This idempotency key has been used already." }, 422))
    expect(await fail("payout")).toMatchObject({ topic: "key", mayHaveTakenEffect: true })
  })

  it("that nobody has read to its end leaves that open, too, and so does a page about a used key", async () => {
    const refused = { mayHaveTakenEffect: true }
    service.answer(json({ message: "x".repeat(20_000) }, 400))
    expect(await fail("payout")).toMatchObject({ ...refused, topic: "unread" })
    service.answer((response) => {
      response.writeHead(400, { "content-length": "100" }).write("Idempotency k")
      setTimeout(() => response.destroy(), 50)
    })
    expect(await fail("payout")).toMatchObject({ ...refused, topic: "unread" })
    service.answer(text("<html>This idempotency key was used</html>", 400))
    expect(await fail("payout")).toMatchObject({ ...refused, topic: "key", detail: undefined })
    service.answer(text("<html>Insufficient funds</html>", 400))
    const page = await fail("payout")
    expect([page.topic, page.mayHaveTakenEffect]).toEqual([undefined, false])
  })

  it("is not quoted when it is about a payer whom we do not know here", async () => {
    service.answer(text(`nothing for ${payer.userName} at ${payer.clientIp}`, 400))
    expect((await fail("get")).message).not.toContain("nothing for")
  })

  it("is short, and is not quoted when it is a page or concerns a typed card number", async () => {
    service.answer(text("y".repeat(5_000), 400))
    expect((await fail("create")).message.length).toBeLessThan(300)
    service.answer(text("<html>Bad Request</html>", 400))
    expect((await fail("create")).message).not.toContain("html")
    service.answer(text(`card ${CARD} is bad`, 400))
    expect((await fail("payout")).message).not.toContain("bad")
  })
})

it("the log has method, path, status and duration of every attempt", async () => {
  log.lines.length = 0
  service.answer(json({}, 503), json(details))
  await call(clientFor(service.origin, {}, { logger: log }), "get")
  service.answer(json({ ok: 1 }))
  await fail("create")
  service.answer(reset)
  await fail("payout")
  const lines = [
    `^warn Payment Service GET /transaction/${ID} 503 \\d+ ms \\(unavailable\\)$`,
    `^debug Payment Service GET /transaction/${ID} 200 \\d+ ms$`,
    "^warn Payment Service POST /transaction/process 200 \\d+ ms \\(malformed\\)$",
    "card-rub no reply \\d+ ms \\(unavailable\\)$",
  ]
  expect(log.lines).toEqual(lines.map((line) => expect.stringMatching(new RegExp(line))))
})

afterAll(() => {
  // Everything that was logged or thrown in this file.
  const everything = [...log.lines, ...errors].join("\n")
  expect(errors.length).toBeGreaterThan(80)
  for (const secret of [SECRET, SIGNING_SECRET, CARD, MERCHANT, "sig=", ...Object.values(payer)]) {
    expect(everything).not.toContain(secret)
  }
})

async function unusedOrigin(): Promise<string> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 1}`
}

it.each([
  ["The USDT balance is too low.", "balance"],
  ['{"error":{"code":"insufficient_balance"}}', "balance"],
  ["Недостаточно средств для выплаты на карту", "balance"],
  ["Payouts are not enabled for this merchant.", "feature"],
  ["Выплаты не подключены", "feature"],
  ["amountRub must be at most 87500", "amount"],
  ["cardId is not an active card of this merchant.", "card"],
  ["Карта заблокирована", "card"],
  ["This idempotency key has been used already.", "key"],
  ["Idempotency-Key: duplicate value", "key"],
  ['{"code":"duplicate_request"}', "key"],
  ["Ключ идемпотентности уже использован", "key"],
  ["Выплата уже обработана", "key"],
  ["Дубликат запроса", "key"],
  // The address of the request is no statement about the card.
  ['{"path":"/api/v1/payouts/card-rub","error":"Bad Request"}', undefined],
  ["Bad Request", undefined],
])("the refusal %s is about %s (promise 15)", (text, topic) => {
  expect(topicOf(text)).toBe(topic)
})
