import { findCustomerIdsByEmails } from "../../../../../medusa/search"
import { notFound } from "../../../../../refusals/refused"
import { WHOLE_UUID } from "../../../../../service/schemas"
import * as subscriptions from "../../../../../subscriptions"
import { type AskedOf, inReadersLanguage, maySeeCustomers } from "../../in-readers-language"
import { askEachMerchant } from "../../merchants"

/** Asks the service for one subscription with its charges, in its own names; `customer_id` has the same e-mail address. */
export const GET = inReadersLanguage(async (req: AskedOf<"subscriptions/:id">, module) => {
  const id = req.params.id ?? ""
  if (!WHOLE_UUID.test(id)) throw notFound("no_subscription_id", id)
  const accounts = await module.accounts()
  const { account } = req.validatedQuery
  const { found, failures } = await askEachMerchant(accounts, account, (client) =>
    client.getSubscription(id)
  )
  if (!found) throw failures[0]?.error ?? notFound("unknown_subscription", id)
  const { answer: subscription, merchant } = found
  const email = subscription.customerEmail ?? ""
  const codes = merchant.accounts[0].subscriptions
  const isNamed =
    Object.hasOwn(codes.statusCodes, subscription.status) &&
    Object.hasOwn(codes.intervalCodes, subscription.intervalUnit)
  const client = accounts.client(merchant.accounts[0])
  const [customers, listed, seesCustomers] = await Promise.all([
    findCustomerIdsByEmails(req.scope, email ? [email] : []),
    isNamed ? null : subscriptions.findListed(client, subscription),
    maySeeCustomers(req),
  ])
  return {
    subscription: {
      ...subscriptions.subscriptionView(subscription, seesCustomers),
      customer_id: customers.get(email.toLowerCase()) ?? null,
      merchant_id: merchant.merchantId,
      /** Its codes, of which the options do not name each; null when they do, or when the service's list does not show it. */
      listed: listed && {
        ...subscriptions.listedSubscriptionView(listed, seesCustomers),
        ...subscriptions.labelsOf(listed, codes),
      },
    },
  }
})
