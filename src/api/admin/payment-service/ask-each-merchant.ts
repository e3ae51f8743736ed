import type { Accounts } from "../../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../../modules/payment-service/accounts"
import { asError, refusalOf } from "../../../modules/payment-service/reason-of"
import type { PaymentServiceClient } from "../../../service/client"
import { PaymentServiceError } from "../../../service/errors"
import { refusalText } from "../../../settlement/problems/refusals"

interface Failure {
  merchant: ConfiguredMerchantAccount
  error: Error
}

/**
 * Asks the service as one merchant after another for the object with an id, until one of them knows it. `found` is null when none
 * is known to know it; `failures` are then the merchants that may, because they could not be asked.
 */
export async function askEachMerchant<T>(
  accounts: Accounts,
  merchants: ConfiguredMerchantAccount[],
  question: (client: PaymentServiceClient) => Promise<T>
) {
  const failures: Failure[] = []
  for (const merchant of merchants) {
    try {
      const answer = await question(accounts.client(merchant.accounts[0]))
      return { found: { answer, merchant }, failures: [] }
    } catch (error) {
      const isUnknown = error instanceof PaymentServiceError && error.kind === "not_found"
      if (isUnknown) continue
      failures.push({ merchant, error: asError(error) })
    }
  }
  return { found: null, failures }
}

/** The account whose question failed, and the reason: a code with its text, and the technical message. `account` is null in a store with one. */
export function failureView(accounts: Accounts, { merchant, error }: Failure) {
  const refusal = refusalOf(error)
  const [options] = merchant.accounts
  return {
    account: accounts.named().find((named) => named.options === options)?.id ?? null,
    merchant_id: merchant.merchantId,
    ...refusal,
    messages: refusalText(refusal),
  }
}
