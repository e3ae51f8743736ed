import type { Accounts } from "../../../modules/payment-service"
import { meaningOf, type StatusMeaning } from "../../../payments/rules/transaction"
import type { ListingQuestion } from "../../../reconciliation"
import { asError } from "../../../refusals/reason-of"
import { refused, refusedPayment } from "../../../refusals/refused"
import type { PaymentServiceClient } from "../../../service/client"
import { nullIfNotFound } from "../../../service/errors"
import type { AccountOptions, ConfiguredMerchant } from "../../../settings"
import type { QueryOf } from "./validators"

/** The merchant of an account, by default of the first one; an account that is not there is refused. */
export function merchantOf(accounts: Accounts, account: string | undefined) {
  const options = account === undefined ? undefined : accounts.find(account)
  const found = accounts
    .merchantAccounts()
    .find((merchant) => options === undefined || merchant.accounts.some((one) => one === options))
  if (!found && account === undefined) throw refusedPayment("not_set_up")
  if (!found) throw refused("no_such_account", { account: account ?? "" })
  return found
}

/** The merchant of an account, or all merchants. */
export const merchantsOf = (accounts: Accounts, account: string | undefined) =>
  account === undefined ? accounts.merchantAccounts() : [merchantOf(accounts, account)]

/** The owner of a list of the service: the account that was asked for, else the first, and its merchant. */
export const ownerOf = (
  { ids }: Accounts,
  account: string | undefined,
  { merchantId }: ConfiguredMerchant
) => ({ account: ids.find((id) => id === account) ?? ids[0] ?? null, merchant_id: merchantId })

/** The meaning of a status by the options of any of a merchant's accounts. */
export const meaningAt = ({ accounts }: ConfiguredMerchant, status: string): StatusMeaning =>
  accounts
    .map(({ statuses }) => meaningOf(status, statuses))
    .find((meaning) => meaning !== "unknown") ?? "unknown"

/**
 * Asks the service as one merchant after another for the object with an id, until one of them knows it. Where `found` is null,
 * `failures` are the merchants that may know it, because they could not be asked.
 */
export async function askEachMerchant<T>(
  accounts: Accounts,
  merchants: ConfiguredMerchant[],
  question: (client: PaymentServiceClient) => Promise<T>
) {
  const failures: { merchant: ConfiguredMerchant; error: Error }[] = []
  for (const merchant of merchants) {
    try {
      const answer = await nullIfNotFound(question(accounts.client(merchant.accounts[0])))
      if (answer !== null) return { found: { answer, merchant }, failures: [] }
    } catch (error) {
      failures.push({ merchant, error: asError(error) })
    }
  }
  return { found: null, failures }
}

/** The options that give the service's numeric codes labels. */
const CODES = {
  "export.statusCodes": (account: AccountOptions) => account.export.statusCodes,
  "export.methodCodes": (account: AccountOptions) => account.export.methodCodes,
  "subscriptions.statusCodes": (account: AccountOptions) => account.subscriptions.statusCodes,
  "subscriptions.intervalCodes": (account: AccountOptions) => account.subscriptions.intervalCodes,
}

/** The codes of an option by their label, from all accounts of a merchant. */
export const codesOf = ({ accounts }: ConfiguredMerchant, option: keyof typeof CODES) =>
  Object.assign({}, ...accounts.map(CODES[option])) as Record<string, string>

export const subscriptionCodesOf = (merchant: ConfiguredMerchant) => ({
  statusCodes: codesOf(merchant, "subscriptions.statusCodes"),
  intervalCodes: codesOf(merchant, "subscriptions.intervalCodes"),
})

/** The code of a label, or of a code that is entered itself. */
export function codeOf(
  merchant: ConfiguredMerchant,
  option: keyof typeof CODES,
  name: string
): string {
  const byLabel = codesOf(merchant, option)
  const code = Object.hasOwn(byLabel, name) ? byLabel[name] : name
  if (!code || !/^\d{1,9}$/.test(code)) throw refused("no_such_code", { name, option })
  return code
}

/** The question to the service, in which codes replace the labels of the options. */
export const questionOf = (
  merchant: ConfiguredMerchant,
  query: Pick<QueryOf<"service-transactions">, "from" | "to" | "time_zone" | "status" | "method">
): ListingQuestion => ({
  from: query.from,
  to: query.to,
  timeZoneId: query.time_zone,
  statuses: query.status?.map((name) => codeOf(merchant, "export.statusCodes", name)) ?? [],
  paymentMethods: query.method?.map((name) => codeOf(merchant, "export.methodCodes", name)) ?? [],
})
