import type { Accounts } from "../../../src/modules/payment-service"
import { readPlaces } from "../../../src/payments/read-places"

const SECOND = 1_000
const HANGING = "hanging@https://pay.test"
const OTHER = "other@https://pay.test"
const accounts = { places: () => [HANGING, OTHER] } as Accounts

const isFree = (merchant: string, kept?: number) => readPlaces.isFree(accounts, merchant, kept)
const read = async (merchant: string, answer: Promise<string>) =>
  await readPlaces.take(accounts, merchant, { timeoutMs: 2 * SECOND, kept: 2 }, () => answer)

it("a merchant that hangs takes only its share of the places, and some are left to the queue (promise 25)", async () => {
  jest.useFakeTimers()
  let goOn: (answer: string) => void = () => undefined
  const hanging = new Promise<string>((answer) => (goOn = answer))
  const reads = Array.from({ length: 4 }, () => read(HANGING, hanging))
  const ends = Promise.allSettled(reads)
  expect(await read(OTHER, Promise.resolve("answer"))).toBe("answer")
  expect([isFree(HANGING, 1), isFree(HANGING, 2)]).toEqual([true, false])
  await jest.advanceTimersByTimeAsync(3 * SECOND)
  // Two have waited in vain for a place.
  goOn("late")
  expect((await ends).map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "rejected",
  ])
  expect(isFree(HANGING, 2)).toBe(true)
  jest.useRealTimers()
})
