import type { Accounts } from "../../../modules/payment-service"
import type { ListingQuestion } from "../../../reconciliation"
import { asError, refused, refusedPayment } from "../../../refusals/refused"
import type { PaymentServiceClient } from "../../../service/client"
import { nullIfNotFound } from "../../../service/errors"
import type { ConfiguredMerchant } from "../../../settings"
import type { QueryOf } from "./validators"

/**
 * The merchant of an account, by default of the first one; an account that is not there is refused. Where several accounts share a
 * merchant, the first one says what the merchant's statuses and codes mean.
 */
export function merchantOf(accounts: Accounts, account: string | undefined) {
  const options = account === undefined ? undefined : accounts.find(account)
  const found = accounts
    .merchantAccounts()
    .find((merchant) => options === undefined || merchant.accounts.some((one) => one === options))
  if (!found && account === undefined) throw refusedPayment("not_set_up")
  if (!found) throw refused("no_such_account", { account: account ?? "" })
  return found
}

export const merchantsOf = (accounts: Accounts, account: string | undefined) =>
  account === undefined ? accounts.merchantAccounts() : [merchantOf(accounts, account)]

/** The account whose list of the service is shown: the one asked for, else the first. */
export const shownAccount = ({ ids }: Accounts, account: string | undefined) =>
  ids.find((id) => id === account) ?? ids[0] ?? null

/** Asks the service as one merchant after another, or as the account's, until one knows the object. Else, `failures` are those that could not be asked. */
export async function askEachMerchant<T>(
  accounts: Accounts,
  account: string | undefined,
  question: (client: PaymentServiceClient) => Promise<T>
) {
  const failures: { merchant: ConfiguredMerchant; error: Error }[] = []
  for (const merchant of merchantsOf(accounts, account)) {
    try {
      const answer = await nullIfNotFound(question(accounts.client(merchant.accounts[0])))
      if (answer !== null) return { found: { answer, merchant }, failures: [] }
    } catch (error) {
      failures.push({ merchant, error: asError(error) })
    }
  }
  return { found: null, failures }
}

/** The code of a label, or of a code that is entered itself. */
export function codeOf(byLabel: Record<string, string>, option: string, name: string): string {
  const code = Object.hasOwn(byLabel, name) ? byLabel[name] : name
  if (!code || !/^\d{1,9}$/.test(code)) throw refused("no_such_code", { name, option })
  return code
}

export function questionOf(
  merchant: ConfiguredMerchant,
  query: Pick<QueryOf<"service-transactions">, "from" | "to" | "time_zone" | "status" | "method">
): ListingQuestion {
  const { from, to, time_zone: timeZoneId, status = [], method = [] } = query
  const { statusCodes, methodCodes } = merchant.accounts[0].export
  const statuses = status.map((name) => codeOf(statusCodes, "export.statusCodes", name))
  const paymentMethods = method.map((name) => codeOf(methodCodes, "export.methodCodes", name))
  return { from, to, timeZoneId, statuses, paymentMethods }
}
