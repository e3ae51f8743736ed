import type { AccountOptions, Accounts, PayoutRow } from "../../modules/payment-service"
import type { PayoutActor } from "../../modules/payment-service/payout-transaction"
import type { PayoutRules } from "../../settlement/payouts/deeds"
import { knowsNumber } from "../../settlement/payouts/same-request"
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

/** @throws PayoutRefused when this admin has no right to act */
export function requireMayAct(accounts: Accounts, admin: PayoutAdmin): void {
  if (!mayAct(accounts, admin)) throw new PayoutRefused("not_permitted")
}

/**
 * The account that sends a payout.
 *
 * @throws PayoutRefused when it is gone, or has no signing secret
 */
export function accountFor(
  accounts: Accounts,
  row: PayoutRow
): AccountOptions & { signingSecret: string } {
  const account = accounts.findForRow(row)
  if (!account) throw new PayoutRefused("account_gone")
  return withSigningSecret(account)
}

/** @throws PayoutRefused when it has none */
export function withSigningSecret(
  account: AccountOptions
): AccountOptions & { signingSecret: string } {
  const { signingSecret } = account
  if (signingSecret === undefined) throw new PayoutRefused("no_signing_secret")
  return { ...account, signingSecret }
}
