import type { AccountOptions, Accounts } from "../../modules/payment-service"
import { PayoutRefused } from "./refused"

/** The name of the account where there is one without an id of its own; there any id is taken, as providers do. */
export const ONLY_ACCOUNT = "main"

/**
 * The account that somebody asks for; where there is one only, it need not be named.
 *
 * @throws PayoutRefused when it is not clear, or there is none
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
