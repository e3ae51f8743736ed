import { partsOfProvider } from "../../../src/payments/rules/transaction"
import { METHOD_PROVIDERS } from "../../../src/providers/payment-service"
import { METHODS } from "../../../src/texts"

it("offers SBP and crypto, each under a name of its own in both languages (promise 21)", () => {
  const identifiers = METHOD_PROVIDERS.map(({ identifier }) => identifier)
  expect(identifiers).toEqual(["sbp", "crypto"])
  expect(METHODS).toEqual(identifiers)
})

it.each<[unknown, string | null]>([
  ["pp_sbp_main", "main"],
  ["pp_sbp_two_words", "two_words"],
  ["pp_sbp_crypto", "crypto"],
  ["pp_sbp", ""],
  ["pp_sbpx_main", null],
  ["sbp_main", null],
  ["pp_system_default", null],
  ["pp_stripe_sbp_main", null],
  [null, null],
  [5, null],
])("%p is of account %p (promise 26)", (providerId, account) => {
  expect(partsOfProvider(providerId)?.account ?? null).toBe(account)
})
