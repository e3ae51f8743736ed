import { findCustomerIdsByEmails } from "../../../../medusa/search"
import { labelsOf, listedSubscriptionView, listSubscriptions } from "../../../../subscriptions"
import { type AskedOf, inReadersLanguage, maySeeCustomers } from "../in-readers-language"
import { codeOf, merchantOf, shownAccount } from "../merchants"

export const GET = inReadersLanguage(async (req: AskedOf<"subscriptions">, module) => {
  const { account, status, ...period } = req.validatedQuery
  const accounts = await module.accounts()
  const merchant = merchantOf(accounts, account)
  const { callbacks, ...codes } = merchant.accounts[0].subscriptions
  const code = status && Number(codeOf(codes.statusCodes, "subscriptions.statusCodes", status))
  const client = accounts.client(merchant.accounts[0])
  const asked = { ...period, status: code || undefined }
  const { subscriptions, ...found } = await listSubscriptions(client, asked)
  const emails = subscriptions.flatMap(({ customerEmail }) => customerEmail ?? [])
  const [customers, seesCustomers] = await Promise.all([
    findCustomerIdsByEmails(req.scope, emails),
    maySeeCustomers(req),
  ])
  return {
    subscriptions: subscriptions.map((subscription) => ({
      ...listedSubscriptionView(subscription, seesCustomers),
      ...labelsOf(subscription, codes),
      customer_id: customers.get(subscription.customerEmail?.toLowerCase() ?? "") ?? null,
      charges_count: subscription.chargesCount,
    })),
    ...found,
    offset: period.offset,
    account: shownAccount(accounts, account),
    merchant_id: merchant.merchantId,
    codes,
    accounts: accounts.ids,
  }
})
