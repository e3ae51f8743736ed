import type { Accounts } from "../../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../../modules/payment-service/accounts"
import { reasonOf } from "../../../modules/payment-service/reason-of"
import type { PaymentServiceClient } from "../../../service/client"
import { PaymentServiceError } from "../../../service/errors"

/**
 * Asks the service as one merchant after another for the object with an id, until one of them knows it.
 *
 * @returns null when no merchant knows it
 * @throws the first merchant's error, when no other merchant knows it
 */
export async function askEachMerchant<T>(
  accounts: Accounts,
  merchants: ConfiguredMerchantAccount[],
  question: (client: PaymentServiceClient) => Promise<T>
): Promise<{ answer: T; merchant: ConfiguredMerchantAccount } | null> {
  const failures: Error[] = []
  for (const merchant of merchants) {
    try {
      const answer = await question(accounts.client(merchant.accounts[0]))
      return { answer, merchant }
    } catch (error) {
      if (error instanceof PaymentServiceError && error.kind === "not_found") continue
      failures.push(error instanceof Error ? error : new Error(reasonOf(error)))
    }
  }
  if (failures[0]) throw failures[0]
  return null
}
