import { findCustomerIdsByEmails } from "../../../../medusa/search"
import { paymentServiceModule } from "../../../../modules/payment-service"
import { listSubscriptions } from "../../../../workflows/subscriptions/list-subscriptions"
import { subscriptionFields } from "../../../../workflows/subscriptions/subscription-view"
import { inReadersLanguage } from "../in-readers-language"
import { codeOf, codesOf, labelOf } from "../labelled-codes"
import { queryOf } from "../query-fields"
import { merchantOf, ownerOf } from "../service-transactions/merchant-of"
import type { SubscriptionsQuery } from "./validators"

/**
 * Lists the service's subscriptions of a merchant, in the service's order. Status and interval are its numeric codes, with their
 * labels from the options or null; what cannot be read of one is null, and `unreadable` counts those left out. `customer_id` is
 * the customer with the same e-mail address.
 */
export const GET = inReadersLanguage(async (req, res) => {
  const module = paymentServiceModule(req.scope)
  const { account, status, from, to, limit, offset } = queryOf(req) as SubscriptionsQuery
  const accounts = await module.accounts()
  const merchant = merchantOf(accounts, account)
  const codes = {
    statusCodes: codesOf(merchant, "subscriptions.statusCodes"),
    intervalCodes: codesOf(merchant, "subscriptions.intervalCodes"),
  }
  const code =
    status === undefined ? undefined : Number(codeOf(merchant, "subscriptions.statusCodes", status))
  const question = { status: code, from, to, limit, offset }
  const found = await listSubscriptions(accounts.client(merchant.accounts[0]), question)
  const emails = found.subscriptions.flatMap(({ customerEmail }) => customerEmail ?? [])
  const customers = await findCustomerIdsByEmails(req.scope, emails)
  res.json({
    subscriptions: found.subscriptions.map((subscription) => ({
      ...subscriptionFields(subscription),
      status_label: labelOf(subscription.status, codes.statusCodes),
      interval_label: labelOf(subscription.intervalUnit, codes.intervalCodes),
      customer_id: customers.get(subscription.customerEmail?.toLowerCase() ?? "") ?? null,
      charges_count: subscription.chargesCount,
    })),
    unreadable: found.unreadable,
    count: found.count,
    limit: found.limit,
    offset,
    ...ownerOf(accounts, account, merchant),
    codes,
    accounts: accounts.ids,
  })
})
