import { MedusaError } from "@medusajs/framework/utils"

import type { Accounts } from "../../../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../../../modules/payment-service/accounts"
import type { ListingQuestion } from "../../../../workflows/listings/fetch-listing"
import type { RecordsQuery } from "./validators"

/**
 * The merchant of an account; by default of the first account.
 *
 * @throws MedusaError `INVALID_DATA` when there is no such account
 */
export function merchantOf(
  accounts: Accounts,
  account: string | undefined
): ConfiguredMerchantAccount {
  const merchants = accounts.merchantAccounts()
  const options = account === undefined ? undefined : accounts.get(account)
  const found = options
    ? merchants.find(({ accounts: sharing }) => sharing.includes(options))
    : merchants[0]
  if (!found) {
    throw new MedusaError(MedusaError.Types.INVALID_DATA, `There is no account ${account ?? ""}.`)
  }
  return found
}

/**
 * The question to the service, in which codes replace the labels of the options.
 *
 * @throws MedusaError `INVALID_DATA` when a code is neither a label nor a number
 */
export function questionOf(
  { accounts }: ConfiguredMerchantAccount,
  {
    from,
    to,
    time_zone,
    status = [],
    method = [],
  }: Pick<RecordsQuery, "from" | "to" | "time_zone" | "status" | "method">
): ListingQuestion {
  const { statusCodes, methodCodes } = codesOf(accounts)
  return {
    ...{ from, to, timeZone: time_zone },
    statusCodes: status.map((name) => codeOf("status", name, statusCodes)),
    methodCodes: method.map((name) => codeOf("method", name, methodCodes)),
  }
}

/** The codes of the export's filters by their label, of all accounts of a merchant. */
export function codesOf(accounts: ConfiguredMerchantAccount["accounts"]) {
  return {
    statusCodes: Object.assign({}, ...accounts.map((one) => one.export.statusCodes)) as Record<
      string,
      string
    >,
    methodCodes: Object.assign({}, ...accounts.map((one) => one.export.methodCodes)) as Record<
      string,
      string
    >,
  }
}

function codeOf(what: "status" | "method", name: string, byLabel: Record<string, string>): string {
  const code = Object.hasOwn(byLabel, name) ? byLabel[name] : name
  if (!code || !/^\d{1,9}$/.test(code)) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      `\`${what}\` must be a numeric code of the service, or a label that the option export.${what}Codes gives one: ${name}`
    )
  }
  return code
}
