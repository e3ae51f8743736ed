import type { Accounts } from "../../../src/modules/payment-service"
import { readPlaces } from "../../../src/payments/read-places"

const HANGING = "hanging@https://pay.test"
const OTHER = "other@https://pay.test"
const accounts = { merchantAccounts: () => [HANGING, OTHER] } as unknown as Accounts

const isFree = (merchant: string, kept?: number) => readPlaces.isFree(accounts, merchant, kept)
const read = async (merchant: string, answer: Promise<string>) =>
  await readPlaces.take(accounts, merchant, { timeoutMs: 50, kept: 2 }, () => answer)

it("a merchant that hangs takes only its share of the places, and some are left to the queue (promise 25)", async () => {
  let goOn: (answer: string) => void = () => undefined
  const hanging = new Promise<string>((answer) => (goOn = answer))
  const reads = [read(HANGING, hanging), read(HANGING, hanging)]
  await expect(read(HANGING, hanging)).rejects.toThrow("being looked at")
  expect([isFree(HANGING, 1), isFree(HANGING, 2)]).toEqual([true, false])
  expect(await read(OTHER, Promise.resolve("answer"))).toBe("answer")
  goOn("late")
  expect(await Promise.all(reads)).toEqual(["late", "late"])
  expect(isFree(HANGING, 2)).toBe(true)
})
