import { PaymentServiceClient } from "../../../../src/service/client"
import { LARGEST_PAYOUT, SMALLEST_PAYOUT } from "../../../../src/settlement/payouts/payout"

const client = new PaymentServiceClient({
  baseUrl: "https://service.test",
  merchantId: "m-1",
  secret: "secret-of-m-1",
})
const cardId = "0b6f3a52-58a1-4a63-9a2f-3a0c1f5f2a11"

it.each([SMALLEST_PAYOUT, LARGEST_PAYOUT])(
  "the client takes a payout of %i rubles",
  (amountRub) => {
    const { body } = client.preparePayout({ cardId, amountRub }, "key-1")
    expect(JSON.parse(body.toString())).toMatchObject({ amountRub })
  }
)

it.each([SMALLEST_PAYOUT - 1, LARGEST_PAYOUT + 1])("and none of %i rubles", (amountRub) => {
  expect(() => client.preparePayout({ cardId, amountRub }, "key-1")).toThrow("whole rubles")
})
