import { AsyncLocalStorage } from "node:async_hooks"
import { setTimeout as sleep } from "node:timers/promises"

import { turnsOf } from "../../../src/workflows/settle/turns"

const NEVER = new Promise<void>(() => undefined)

it("begins no more work at once than there are turns, in the order in which it came", async () => {
  const inTurn = turnsOf(2, { longestMs: 60_000, most: 20 })
  const begun: number[] = []
  const ends: (() => void)[] = []
  const works = [0, 1, 2, 3].map((number) =>
    inTurn(async () => {
      begun.push(number)
      await new Promise<void>((resolve) => (ends[number] = resolve))
      return number
    })
  )
  await sleep(20)
  expect(begun).toEqual([0, 1])
  ends[1]?.()
  expect(await works[1]).toBe(1)
  await sleep(20)
  expect(begun).toEqual([0, 1, 2])
  ends[0]?.()
  ends[2]?.()
  await Promise.all([works[0], works[2]])
  await sleep(20)
  ends[3]?.()
  expect(await Promise.all(works)).toEqual([0, 1, 2, 3])
})

it("lets the next work begin when some hangs, and answers it when it ends after all", async () => {
  const inTurn = turnsOf(1, { longestMs: 30, most: 20 })
  let end = (): void => undefined
  const slow = inTurn(() => new Promise<string>((resolve) => (end = () => resolve("late"))))
  void inTurn(() => NEVER)
  await inTurn(() => Promise.resolve())
  end()
  expect(await slow).toBe("late")
})

it("begins nothing more while too much of what has begun does not end", async () => {
  const inTurn = turnsOf(1, { longestMs: 10, most: 3 })
  let begun = 0
  const ends: (() => void)[] = []
  for (let work = 0; work < 5; work++) {
    void inTurn(() => {
      begun++
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  }
  while (begun < 3) await sleep(5)
  await sleep(100)
  expect(begun).toBe(3)
  ends[0]?.()
  while (begun < 4) await sleep(5)
  await sleep(100)
  expect(begun).toBe(4)
})

it("hands on what work throws, and goes on", async () => {
  const inTurn = turnsOf(1, { longestMs: 60_000, most: 20 })
  const failing = inTurn(() => Promise.reject(new Error("in words")))
  const next = inTurn(() => Promise.resolve("next"))
  await expect(failing).rejects.toThrow("in words")
  expect(await next).toBe("next")
})

it("does queued work in the context of who asked for it, and not of who has just finished", async () => {
  const inTurn = turnsOf(1, { longestMs: 60_000, most: 2 })
  const request = new AsyncLocalStorage<string>()
  const work = async () => {
    await sleep(5)
    return request.getStore()
  }
  const asked = ["first", "second", "third"]
  const seen = asked.map((name) => request.run(name, () => inTurn(work)))
  expect(await Promise.all(seen)).toEqual(asked)
})
