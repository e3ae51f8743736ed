import { MedusaError } from "@medusajs/framework/utils"

import { toMedusaError } from "../../../src/payments/read-transaction"
import { medusaRefusal, type RefusalCode } from "../../../src/problems/rules/reasons"
import { PaymentServiceError, type PaymentServiceErrorKind } from "../../../src/service/errors"

const { INVALID_DATA, NOT_FOUND, UNEXPECTED_STATE } = MedusaError.Types
const CANARY = "canary 7f3a from the service"

it.each<[PaymentServiceErrorKind, string, RegExp, RefusalCode]>([
  ["invalid", INVALID_DATA, /did not accept this payment.*choose another way to pay/, "invalid"],
  ["unauthorized", UNEXPECTED_STATE, /not available at the moment.*choose another/, "unauthorized"],
  ["not_found", NOT_FOUND, /does not know this payment.*do not pay again/, "not_found"],
  ["rate_limited", UNEXPECTED_STATE, /too many requests.*try again in a minute/, "rate_limited"],
  ["unavailable", UNEXPECTED_STATE, /try again in a minute/, "no_answer"],
  ["timeout", UNEXPECTED_STATE, /try again in a minute/, "no_answer"],
  ["link_refused", UNEXPECTED_STATE, /try again in a minute/, "no_answer"],
  ["file_refused", UNEXPECTED_STATE, /try again in a minute/, "no_answer"],
  ["malformed", UNEXPECTED_STATE, /try again in a minute/, "no_answer"],
])(
  "%s becomes %s with a sentence for a shopper, which has a code (promises 6 and 22)",
  (kind, type, sentence, code) => {
    const error = toMedusaError(new PaymentServiceError(kind, CANARY, { detail: CANARY }))
    expect(error).toBeInstanceOf(MedusaError)
    expect(error).toHaveProperty("type", type)
    expect(error.message).toMatch(sentence)
    expect(error.message).toMatch(/\.$/)
    expect(error.message).not.toContain("canary")
    expect(medusaRefusal(error.message).code).toBe(code)
  }
)

it("tells nobody to wait for a payment that the service did not open, because the address was wrong (promise 6)", () => {
  const { message } = toMedusaError(new PaymentServiceError("not_found", CANARY), true)
  expect(message).toMatch(/did not accept this payment.*choose another way to pay/)
})
