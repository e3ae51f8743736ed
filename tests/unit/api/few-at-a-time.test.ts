import { setTimeout as sleep } from "node:timers/promises"

import { fewAtATime } from "../../../src/api/hooks/payment-service/few-at-a-time"

describe("a few at a time", () => {
  it("runs as many as it may, in order, and goes on after one that failed", async () => {
    const inTurn = fewAtATime(2)
    const began: number[] = []
    let running = 0
    let most = 0
    const outcomes = await Promise.allSettled(
      [0, 1, 2, 3, 4].map((number) =>
        inTurn(async () => {
          began.push(number)
          most = Math.max(most, ++running)
          await sleep(2)
          running--
          if (number === 1) throw new Error("one that fails")
          return number
        })
      )
    )
    expect(began).toEqual([0, 1, 2, 3, 4])
    expect(most).toBe(2)
    expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual([
      true,
      false,
      true,
      true,
      true,
    ])
    expect(await inTurn(async () => "afterwards")).toBe("afterwards")
  })
})
