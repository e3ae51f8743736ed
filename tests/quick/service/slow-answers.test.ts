import type http from "node:http"
import {
  clientFor,
  failureOf,
  json,
  ScriptedService,
  silence,
  type Answer,
} from "./scripted-service"

const ID = "6f1c2f0a-8a52-4a0e-9f5b-2b6b1b7d9c01"

const service = new ScriptedService()
beforeAll(() => service.start())
afterAll(() => service.stop())

// Only the time of our own limits is moved by hand; requests and answers really happen.
beforeEach(() => {
  jest.useFakeTimers({
    doNotFake: ["Date", "hrtime", "nextTick", "queueMicrotask", "setImmediate", "clearImmediate"],
  })
})
afterEach(() => jest.useRealTimers())

/** An answer that is given by the test, some time after its request has arrived. */
function held() {
  let answer: Answer = silence
  const arrived = new Promise<http.ServerResponse>((resolve) => {
    answer = resolve
  })
  return { answer, arrived }
}

it("a retry gets what is left of the budget", async () => {
  const [first, second] = [held(), held()]
  service.answer(first.answer, second.answer)
  const failure = failureOf(clientFor(service.origin).getTransaction(ID))
  const refused = await first.arrived
  await jest.advanceTimersByTimeAsync(3_000)
  json({}, 503)(refused, service.last)
  const response = await second.arrived
  await jest.advanceTimersByTimeAsync(1_999)
  expect(response.destroyed).toBe(false)
  await jest.advanceTimersByTimeAsync(1)
  expect(await failure).toMatchObject({ kind: "timeout" })
})
