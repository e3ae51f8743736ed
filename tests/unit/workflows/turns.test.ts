import { setTimeout as sleep } from "node:timers/promises"

import { turnsOf } from "../../../src/workflows/settle/turns"

const NEVER = new Promise<void>(() => undefined)

it("begins no more work at once than there are turns, in the order in which it came", async () => {
  const inTurn = turnsOf(2, 60_000)
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
  const inTurn = turnsOf(1, 30)
  let end = (): void => undefined
  const slow = inTurn(() => new Promise<string>((resolve) => (end = () => resolve("late"))))
  void inTurn(() => NEVER)
  await inTurn(() => Promise.resolve())
  end()
  expect(await slow).toBe("late")
})

it("hands on what work throws, and goes on", async () => {
  const inTurn = turnsOf(1, 60_000)
  const failing = inTurn(() => Promise.reject(new Error("in words")))
  const next = inTurn(() => Promise.resolve("next"))
  await expect(failing).rejects.toThrow("in words")
  expect(await next).toBe("next")
})
