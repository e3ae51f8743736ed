import type { AccountOptions, Accounts, PayoutRow } from "../../modules/payment-service"
import type { PayoutActor } from "../../modules/payment-service/payout-transaction"
import { judge, type PayoutDeed, type PayoutRules } from "../../settlement/payouts/deeds"
import { knowsNumber } from "../../settlement/payouts/same-request"
import type { Ports } from "../../transactions/ports"
import { PayoutRefused } from "./refused"

/** An admin who acts on payouts. */
export interface PayoutAdmin extends PayoutActor {
  email: string
}

/** The rules for a payout, by the present options. */
export function rulesFor(accounts: Accounts, row: PayoutRow): PayoutRules {
  const { enabled, approval } = accounts.store.payouts
  const account = accounts.findForRow(row)
  const signingSecret = account?.signingSecret
  const unsigned = signingSecret === undefined ? ("no_signing_secret" as const) : null
  return {
    enabled,
    approval,
    knowsNumber: knowsNumber(row, signingSecret),
    hindrance: account ? unsigned : "account_gone",
  }
}

/** Whether `payouts.users` lets this admin act; without it, every admin may. */
export function mayAct({ store }: Accounts, { id, email }: Pick<PayoutAdmin, "id" | "email">) {
  const { users } = store.payouts
  return !users || users.some((user) => user === id || user.toLowerCase() === email.toLowerCase())
}

/**
 * @returns the accounts of the options
 * @throws PayoutRefused when this admin has no right to act
 */
export async function requireMayAct({ module }: Ports, admin: PayoutAdmin): Promise<Accounts> {
  const accounts = await module.accounts()
  if (!mayAct(accounts, admin)) throw new PayoutRefused("not_permitted")
  return accounts
}

/**
 * Whether a deed changes something, or is done already.
 *
 * @throws PayoutRefused when it is not allowed
 */
export function isToBeDone(
  deed: PayoutDeed,
  row: PayoutRow,
  accounts: Accounts,
  admin: PayoutAdmin
): boolean {
  const judgement = judge(deed, row, admin.id, rulesFor(accounts, row))
  if (judgement === "do" || judgement === "nothing") return judgement === "do"
  throw new PayoutRefused(judgement, deed === "send_again")
}

/** The name of a single account without an id of its own. There any id is accepted, as by providers. */
export const ONLY_ACCOUNT = "main"

/**
 * The account with the given id; a single account need not be named.
 *
 * @throws PayoutRefused when the account is not clear or does not exist
 */
export function accountOf(accounts: Accounts, asked: string | null) {
  const [first, ...others] = accounts.named()
  if (asked === null) {
    if (!first || others.length) throw new PayoutRefused("account_needed")
    return { id: first.id ?? ONLY_ACCOUNT, options: first.options }
  }
  const options = accounts.find(asked)
  if (!options) throw new PayoutRefused("account_unknown")
  return { id: accounts.ids.length ? asked : ONLY_ACCOUNT, options }
}

/**
 * The account that sends a payout.
 *
 * @throws PayoutRefused when it is gone, or has no signing secret
 */
export function accountFor(accounts: Accounts, row: PayoutRow) {
  const account = accounts.findForRow(row)
  if (!account) throw new PayoutRefused("account_gone")
  return withSigningSecret(account)
}

/** @throws PayoutRefused when it has none */
export function withSigningSecret(account: AccountOptions) {
  const { signingSecret } = account
  if (signingSecret === undefined) throw new PayoutRefused("no_signing_secret")
  return { ...account, signingSecret }
}
