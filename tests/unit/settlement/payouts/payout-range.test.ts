import { payoutBody } from "../../../../src/service/payout-body"
import { LARGEST_PAYOUT, SMALLEST_PAYOUT } from "../../../../src/settlement/payouts/payout"

const cardId = "0b6f3a52-58a1-4a63-9a2f-3a0c1f5f2a11"

it.each([SMALLEST_PAYOUT, LARGEST_PAYOUT])(
  "the client takes a payout of %i rubles",
  (amountRub) => {
    expect(payoutBody({ cardId, amountRub })).toMatchObject({ amountRub })
  }
)

it.each([SMALLEST_PAYOUT - 1, LARGEST_PAYOUT + 1])("and none of %i rubles", (amountRub) => {
  expect(() => payoutBody({ cardId, amountRub })).toThrow("whole rubles")
})
