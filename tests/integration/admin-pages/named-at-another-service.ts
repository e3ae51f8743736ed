import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

import type { Passes } from "../passes"
import { TIMEOUTS } from "../../../src/service/client"
import { eventually, type TestStore, withOptions } from "../store"
import { setUntilTheTestEnds } from "../until-the-test-ends"
import { followCalls } from "./named-by-callbacks"

const SECOND = 1_000

type Answer = (response: ServerResponse) => void

/** A service of other words than the simulator's, which shares no code with it. */
async function anotherService() {
  const answers = new Map<string, Answer>()
  const asked: { id: string }[] = []
  const server = createServer((request, response) => {
    const id = /^\/subscription\/([^/?]+)$/.exec(request.url ?? "")?.[1] ?? ""
    asked.push({ id })
    const answer = answers.get(id) ?? ((to) => to.writeHead(404).end())
    answer(response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    answers,
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

const known =
  (id: string, changes: object = {}): Answer =>
  (response) => {
    response.end(
      JSON.stringify({
        id,
        status: "Приостановлена",
        amount: 1490.5,
        currencyCode: "RUB",
        intervalUnit: "Quartal",
        intervalCount: 2,
        description: "",
        startAt: "2026-01-31T00:00:00Z",
        nextChargeAt: null,
        lastChargeAt: null,
        createdAt: "2026-01-31T00:00:00.1234567Z",
        customerEmail: null,
        chargeMetrics: null,
        ...changes,
      })
    )
  }
const withStatus =
  (status: number, body = ""): Answer =>
  (response) =>
    response.writeHead(status).end(body)

/** Callbacks of another service, and whoever else has the token, name ids of every kind. */
export function namedAtAnotherService(store: TestStore, passesNow: () => Passes): void {
  let service: Awaited<ReturnType<typeof anotherService>>
  beforeAll(async () => {
    service = await anotherService()
  })
  beforeEach(() => {
    service.answers.clear()
    service.asked.splice(0)
    setUntilTheTestEnds(TIMEOUTS, { readMs: 1_500 })
  })
  afterAll(() => service.close())
  withOptions(store, () => ({
    baseUrl: service.url,
    subscriptions: { callbacks: true },
  }))

  const call = async (body: unknown) => (await store.http.post(store.callbackUrl, body)).status
  const told = () =>
    store.events
      .filter(({ name }) => name === "payment_service.subscription_updated")
      .map(({ data }) => String(data.subscription_id).toLowerCase())
  const askedFor = (id: string) => service.asked.filter((one) => one.id === id).length
  /** Asks for what is due after so many seconds, as two processes at once do. */
  const after = async (seconds: number) => {
    passesNow().advance(seconds * SECOND)
    await Promise.all([passesNow().runJob(), passesNow().runJob()])
  }
  const answering = (answer: (id: string) => Answer) => {
    const id = randomUUID()
    service.answers.set(id, answer(id))
    return id
  }

  it("in its own words, and each answer that is none does no harm", async () => {
    const one = answering((id) => known(id))
    const nobodys = randomUUID()
    const refused = answering(() => withStatus(400, '{"error":"not a subscription"}'))
    const nonsense = answering(() => withStatus(200, "<html>"))
    const others = answering(() => known(randomUUID()))
    const charged = { chargesTotal: 7, chargesSuccess: 6, chargesFailed: 1, totalAmount: 8943 }
    const other = answering((id) => known(id.toUpperCase(), { chargeMetrics: charged }))
    const body = { Событие: "x", "id подписки": one, list: [nobodys, [refused]], nonsense }
    expect(await call({ ...body, others, other })).toBe(200)
    const calls = followCalls(store)
    await after(4)
    await eventually("two are told", async () => told().length === 2)
    expect(new Set(told())).toEqual(new Set([one, other]))
    for (let times = 0; times < 3; times++) await after(600)
    expect([one, other, nobodys, refused].map(askedFor)).toEqual([1, 1, 1, 1])
    expect(Math.min(...[nonsense, others].map(askedFor))).toBeGreaterThanOrEqual(4)
    expect(told()).toHaveLength(2)
    const gaps = calls.gaps()
    expect(gaps).toHaveLength(service.asked.length - 1)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(SECOND)
  })

  it.each<[string, Answer]>([
    ["with 500", withStatus(500)],
    ["not at all", () => undefined],
  ])("without keeping off others for long for one that is answered %s", async (_, answer) => {
    const stuck = answering(() => answer)
    await call({ stuck })
    await after(4)
    for (let times = 0; times < 3; times++) await after(600)
    expect(askedFor(stuck)).toBe(4)
    const one = answering((id) => known(id))
    // Both are due now, and the other one is asked for first.
    passesNow().advance(600 * SECOND)
    await call({ one })
    await after(4)
    expect([stuck, one].map(askedFor)).toEqual([5, 1])
    await eventually("it is told", async () => told().includes(one))
  })

  it("once for the same one a hundred times at once", async () => {
    const one = answering((id) => known(id))
    const answers = await Promise.all(Array.from({ length: 100 }, () => call({ id: one })))
    expect(new Set(answers)).toEqual(new Set([200]))
    await after(4)
    await after(60)
    expect(service.asked.map(({ id }) => id)).toEqual([one])
  })
}
