import type { Accounts } from "../../../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../../../modules/payment-service/accounts"
import { refused } from "../../../../modules/payment-service/refused-deed"
import { meaningOf, type StatusMeaning } from "../../../../settlement/transaction-state"
import type { ListingQuestion } from "../../../../workflows/listings/merchant-exports"
import { codeOf } from "../labelled-codes"
import type { RecordsQuery } from "./validators"

/**
 * The merchant of an account; by default of the first account.
 *
 * @throws RefusedDeed when there is no such account
 */
export function merchantOf(
  accounts: Accounts,
  account: string | undefined
): ConfiguredMerchantAccount {
  const merchants = accounts.merchantAccounts()
  const options = account === undefined ? null : accounts.find(account)
  const found =
    account === undefined
      ? merchants[0]
      : merchants.find(({ accounts: sharing }) => sharing.some((one) => one === options))
  if (!found) throw refused("no_such_account", { account: account ?? "" })
  return found
}

/** The owner of a list of the service: the account that was asked for, else the first, and its merchant. */
export const ownerOf = (
  { ids }: Accounts,
  account: string | undefined,
  { merchantId }: ConfiguredMerchantAccount
) => ({ account: ids.find((id) => id === account) ?? ids[0] ?? null, merchant_id: merchantId })

/** The meaning of a status by the options of any of a merchant's accounts. */
export const meaningAt = ({ accounts }: ConfiguredMerchantAccount, status: string): StatusMeaning =>
  accounts
    .map(({ statuses }) => meaningOf(status, statuses))
    .find((meaning) => meaning !== "unknown") ?? "unknown"

/**
 * The merchant of an account, or all merchants.
 *
 * @throws RefusedDeed when there is no such account
 */
export const merchantsOf = (
  accounts: Accounts,
  account: string | undefined
): ConfiguredMerchantAccount[] =>
  account === undefined ? accounts.merchantAccounts() : [merchantOf(accounts, account)]

/**
 * The question to the service, in which codes replace the labels of the options.
 *
 * @throws RefusedDeed when a code is neither a label nor a number
 */
export function questionOf(
  merchant: ConfiguredMerchantAccount,
  {
    from,
    to,
    time_zone,
    status = [],
    method = [],
  }: Pick<RecordsQuery, "from" | "to" | "time_zone" | "status" | "method">
): ListingQuestion {
  return {
    from,
    to,
    timeZone: time_zone,
    statusCodes: status.map((name) => codeOf(merchant, "export.statusCodes", name)),
    methodCodes: method.map((name) => codeOf(merchant, "export.methodCodes", name)),
  }
}
