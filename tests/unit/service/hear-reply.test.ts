import { clockAhead } from "../../../src/service/hear-reply"

it("the service's clock is told in whole seconds, and was read between question and answer", () => {
  const date = new Date("2026-11-23T12:00:00Z")
  expect(clockAhead(date.getTime() + 10_000, date.getTime() + 11_000, date)).toBe(10)
})
