import type { Accounts } from "../../../src/modules/payment-service"
import { type Reader, readPlaces } from "../../../src/payments/read-places"

const HANGING = "hanging@https://pay.test"
const OTHER = "other@https://pay.test"
const ofMerchants = (...merchants: string[]) =>
  ({ merchantAccounts: () => merchants }) as unknown as Accounts

const answers: (() => void)[] = []
const begin = (accounts: Accounts, merchant: string, by: Reader, timeoutMs = 60_000) =>
  readPlaces.take(
    accounts,
    merchant,
    { timeoutMs, by },
    () => new Promise<void>((answer) => answers.push(answer))
  )
const answerAll = async (reads: Promise<void>[]) => {
  for (const answer of answers.splice(0)) answer()
  await Promise.all(reads)
}

it("a merchant that hangs takes only its share of the places (promise 25)", async () => {
  const accounts = ofMerchants(HANGING, OTHER)
  const hanging = Array.from({ length: 4 }, () => begin(accounts, HANGING, "queue"))
  expect(readPlaces.isFree(accounts, HANGING, "queue")).toBe(false)
  expect(readPlaces.isFree(accounts, OTHER, "queue")).toBe(true)
  const beside = begin(accounts, OTHER, "beside")
  await answerAll([...hanging, beside])
})

it("reads beside a busy queue get the next places, and leave it two (promises 5 and 25)", async () => {
  const accounts = ofMerchants(OTHER)
  const queued = Array.from({ length: 8 }, () => begin(accounts, OTHER, "queue"))
  await expect(begin(accounts, OTHER, "beside", 20)).rejects.toThrow("being looked at")
  const beside = Array.from({ length: 8 }, () => begin(accounts, OTHER, "beside"))
  expect(answers).toHaveLength(8)
  answers.shift()?.()
  await queued[0]
  await new Promise(setImmediate)
  // The queue would have taken the free place again.
  expect(answers).toHaveLength(8)
  expect(readPlaces.isFree(accounts, OTHER, "queue")).toBe(false)
  await answerAll(queued)
  await new Promise(setImmediate)
  expect(answers).toHaveLength(6)
  expect(readPlaces.isFree(accounts, OTHER, "queue")).toBe(true)
  const others = [begin(accounts, OTHER, "queue"), begin(accounts, OTHER, "queue")]
  expect(answers).toHaveLength(8)
  while (answers.length) {
    answers.shift()?.()
    await new Promise(setImmediate)
  }
  await Promise.all([...beside, ...others])
})
