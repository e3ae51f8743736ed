import type { ConfiguredMerchantAccount } from "../../../modules/payment-service/accounts"
import type { AccountOptions } from "../../../modules/payment-service/option-schema"
import { refused } from "../../../modules/payment-service/refused-deed"

/** The options that give the service's numeric codes labels. */
const OPTIONS = {
  "export.statusCodes": (account: AccountOptions) => account.export.statusCodes,
  "export.methodCodes": (account: AccountOptions) => account.export.methodCodes,
  "subscriptions.statusCodes": (account: AccountOptions) => account.subscriptions.statusCodes,
  "subscriptions.intervalCodes": (account: AccountOptions) => account.subscriptions.intervalCodes,
}
type CodesOption = keyof typeof OPTIONS

/** The codes of an option by their label, from all accounts of a merchant. */
export function codesOf(
  { accounts }: ConfiguredMerchantAccount,
  option: CodesOption
): Record<string, string> {
  return Object.assign({}, ...accounts.map(OPTIONS[option])) as Record<string, string>
}

/** The label of a code; null when no option lists it. */
export function labelOf(code: number | null, byLabel: Record<string, string>): string | null {
  return Object.keys(byLabel).find((label) => Number(byLabel[label]) === code) ?? null
}

/**
 * The code of a label, or of a code that is entered itself.
 *
 * @throws RefusedDeed when it is neither
 */
export function codeOf(
  merchant: ConfiguredMerchantAccount,
  option: CodesOption,
  name: string
): string {
  const byLabel = codesOf(merchant, option)
  const code = Object.hasOwn(byLabel, name) ? byLabel[name] : name
  if (!code || !/^\d{1,9}$/.test(code)) throw refused("no_such_code", { name, option })
  return code
}
