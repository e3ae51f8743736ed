import type { AccountOptions, Accounts } from "../../modules/payment-service"
import { PayoutRefused } from "./refused"

/** The name of a single account without an id of its own. There any id is accepted, as by providers. */
export const ONLY_ACCOUNT = "main"

/**
 * The account with the given id; a single account need not be named.
 *
 * @throws PayoutRefused when the account is not clear or does not exist
 */
export function accountOf(
  accounts: Accounts,
  asked: string | null
): { id: string; options: AccountOptions } {
  const [first, ...others] = accounts.named()
  if (asked === null) {
    if (!first || others.length) throw new PayoutRefused("account_needed")
    return { id: first.id ?? ONLY_ACCOUNT, options: first.options }
  }
  const options = accounts.find(asked)
  if (!options) throw new PayoutRefused("account_unknown")
  return { id: accounts.ids.length ? asked : ONLY_ACCOUNT, options }
}
