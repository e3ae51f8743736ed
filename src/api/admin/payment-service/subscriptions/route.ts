import { findCustomerIdsByEmails } from "../../../../medusa/search"
import { paymentServiceModule } from "../../../../modules/payment-service"
import { listedSubscriptionView, listSubscriptions } from "../../../../subscriptions"
import { type Asked, inReadersLanguage } from "../in-readers-language"
import { codeOf, codesOf, merchantOf, ownerOf } from "../merchants"
import type { QueryOf } from "../validators"

/**
 * Lists the service's subscriptions of a merchant, in its order and with its numeric codes. What cannot be read of one is null, and
 * `unreadable` counts those left out. `customer_id` is the customer with the same e-mail address.
 */
export const GET = inReadersLanguage(async (req: Asked<unknown, QueryOf<"subscriptions">>) => {
  const { account, status, ...period } = req.validatedQuery
  const accounts = await paymentServiceModule(req.scope).accounts()
  const merchant = merchantOf(accounts, account)
  const codes = {
    statusCodes: codesOf(merchant, "subscriptions.statusCodes"),
    intervalCodes: codesOf(merchant, "subscriptions.intervalCodes"),
  }
  const code =
    status === undefined ? undefined : Number(codeOf(merchant, "subscriptions.statusCodes", status))
  const client = accounts.client(merchant.accounts[0])
  const { subscriptions, ...found } = await listSubscriptions(client, { ...period, status: code })
  const emails = subscriptions.flatMap(({ customerEmail }) => customerEmail ?? [])
  const customers = await findCustomerIdsByEmails(req.scope, emails)
  return {
    subscriptions: subscriptions.map((subscription) => ({
      ...listedSubscriptionView(subscription),
      status_label: labelOf(subscription.status, codes.statusCodes),
      interval_label: labelOf(subscription.intervalUnit, codes.intervalCodes),
      customer_id: customers.get(subscription.customerEmail?.toLowerCase() ?? "") ?? null,
      charges_count: subscription.chargesCount,
    })),
    ...found,
    offset: period.offset,
    ...ownerOf(accounts, account, merchant),
    codes,
    accounts: accounts.ids,
  }
})

function labelOf(code: number | null, byLabel: Record<string, string>): string | null {
  return Object.keys(byLabel).find((label) => Number(byLabel[label]) === code) ?? null
}
