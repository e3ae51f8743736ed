import { findCustomerIdsByEmails } from "../../../../../medusa/search"
import { paymentServiceModule } from "../../../../../modules/payment-service"
import { notFound } from "../../../../../refusals/refused"
import { WHOLE_UUID } from "../../../../../service/schemas"
import { subscriptionView } from "../../../../../subscriptions"
import { type Asked, inReadersLanguage } from "../../in-readers-language"
import { askEachMerchant, merchantsOf } from "../../merchants"
import type { QueryOf } from "../../validators"

/** Asks the service for one subscription with its charges, in its own names; `customer_id` has the same e-mail address. */
export const GET = inReadersLanguage(async (req: Asked<unknown, QueryOf<"subscriptions/:id">>) => {
  const id = req.params.id ?? ""
  if (!WHOLE_UUID.test(id)) throw notFound("no_subscription_id", id)
  const accounts = await paymentServiceModule(req.scope).accounts()
  const merchants = merchantsOf(accounts, req.validatedQuery.account)
  const { found, failures } = await askEachMerchant(accounts, merchants, (client) =>
    client.getSubscription(id)
  )
  if (!found) throw failures[0]?.error ?? notFound("unknown_subscription", id)
  const { answer: subscription, merchant } = found
  const email = subscription.customerEmail ?? ""
  const customers = await findCustomerIdsByEmails(req.scope, email ? [email] : [])
  return {
    subscription: {
      ...subscriptionView(subscription),
      customer_id: customers.get(email.toLowerCase()) ?? null,
      merchant_id: merchant.merchantId,
    },
  }
})
