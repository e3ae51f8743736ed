import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { findCustomerIdsByEmails } from "../../../../../medusa/search"
import { type Accounts, paymentServiceModule } from "../../../../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../../../../modules/payment-service/accounts"
import { reasonOf } from "../../../../../modules/payment-service/reason-of"
import type { Subscription } from "../../../../../service/client"
import { PaymentServiceError } from "../../../../../service/errors"
import { WHOLE_UUID } from "../../../../../service/uuid"
import { subscriptionView } from "../../../../../workflows/subscriptions/subscription-view"
import { inReadersLanguage } from "../../in-readers-language"
import { merchantOf } from "../../service-transactions/merchant-of"

/**
 * Asks the service for one subscription with its charges. Status and interval are the names that it gives;
 * `customer_id` is the customer with the same e-mail address.
 */
export const GET = inReadersLanguage(
  async (req: AuthenticatedMedusaRequest, res: MedusaResponse) => {
    const id = req.params.id ?? ""
    if (!WHOLE_UUID.test(id)) {
      throw new MedusaError(MedusaError.Types.NOT_FOUND, `${id} is not the id of a subscription.`)
    }
    const accounts = await paymentServiceModule(req.scope).accounts()
    const { account } = req.validatedQuery as { account?: string }
    const merchants =
      account === undefined ? accounts.merchantAccounts() : [merchantOf(accounts, account)]
    const failures: Error[] = []
    for (const merchant of merchants) {
      const subscription = await read(accounts, merchant, id).catch((error: unknown) => {
        // Another merchant's subscription is shown all the same.
        failures.push(error instanceof Error ? error : new Error(reasonOf(error)))
        return null
      })
      if (subscription) {
        const email = subscription.customerEmail
        const customers = await findCustomerIdsByEmails(req.scope, email === null ? [] : [email])
        res.json({
          subscription: {
            ...subscriptionView(subscription),
            customer_id: customers.get(email?.toLowerCase() ?? "") ?? null,
            merchant_id: merchant.merchantId,
          },
        })
        return
      }
    }
    if (failures[0]) throw failures[0]
    throw new MedusaError(
      MedusaError.Types.NOT_FOUND,
      `The payment service has no subscription ${id}.`
    )
  }
)

async function read(
  accounts: Accounts,
  merchant: ConfiguredMerchantAccount,
  id: string
): Promise<Subscription | null> {
  return await accounts
    .client(merchant.accounts[0])
    .getSubscription(id)
    .catch((error: unknown) => {
      if (error instanceof PaymentServiceError && error.kind === "not_found") return null
      throw error
    })
}
