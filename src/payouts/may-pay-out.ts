import type { AccountOptions, Accounts, PayoutRow } from "../modules/payment-service"
import type { SettlePorts } from "../payments/core"
import { RefusedAction } from "../refusals/refused"
import { text } from "../texts"
import { isComparable } from "../values/digests"
import { judge, type PayoutAction, type PayoutRules } from "./rules/actions"
import type { PayoutRefusal } from "./rules/outcome"
import type { PayoutActor } from "./statements/payouts"

/**
 * A refused action on a payout, with a text that says what to do. Nobody knows of a repeated payout whether its first request went
 * through, so no text invites a second payout, and that of a repetition warns of it.
 */
export class PayoutRefused extends RefusedAction {
  constructor(
    readonly refused: PayoutRefusal,
    isRepetition = false
  ) {
    const { code, ...facts } = typeof refused === "string" ? { code: refused } : refused
    const refusal = text("payoutRefusals", code, facts)
    const words = isRepetition ? text("payoutPhrases", "repetition", { refusal }) : refusal
    super(code, words, typeof refused === "object" ? refused : {})
  }
}

/** An admin who acts on payouts; `since` is when this user of the store was made. */
export interface PayoutAdmin extends PayoutActor {
  since: Date
}

/** The context of an admin's act: the ports, the accounts of the options, and the admin, who may act. */
export interface Acting extends SettlePorts {
  accounts: Accounts
  admin: PayoutAdmin
}

/** @throws PayoutRefused when the options do not name this admin, or their user was made a moment ago */
export async function actingAs(admin: PayoutAdmin, ports: SettlePorts): Promise<Acting> {
  const accounts = await ports.module.accounts()
  const bar = barOf(accounts, admin, ports.module.clock.now())
  if (bar !== null) throw new PayoutRefused(bar)
  return { ...ports, accounts, admin }
}

/** An admin could invite themselves as another user, so there is a day in which others can see that user. */
const NEW_USER_MS = 24 * 60 * 60_000

/** Why an admin may not act on payouts, or null. Where Medusa's roles are switched on, they are asked for besides. */
export function barOf(accounts: Accounts, { id, since }: PayoutAdmin, now: Date) {
  if (!accounts.store.payouts.users.includes(id)) return "not_permitted"
  return now.getTime() - since.getTime() < NEW_USER_MS ? "user_too_new" : null
}

/** The rules for a payout, by the present options. */
export function rulesFor(accounts: Accounts, row: PayoutRow): PayoutRules {
  return { ...accounts.store.payouts, hindrance: hindranceOf(accounts, row) }
}

function hindranceOf(accounts: Accounts, row: PayoutRow): PayoutRules["hindrance"] {
  const account = accounts.findForRow(row)
  if (!account) return "account_gone"
  if (account.signingSecret === undefined) return "no_signing_secret"
  if (row.card_id !== null || isComparable(row.card_mac, accounts.cardKeys(account))) return null
  return "secret_was_reset"
}

/**
 * Whether an action is still to be done, and not done already.
 *
 * @param isSent what is said by the action `mark`
 * @throws PayoutRefused when it is not allowed
 */
export function isToBeDone(
  action: PayoutAction,
  row: PayoutRow,
  { accounts, admin }: Acting,
  isSent?: boolean
): boolean {
  const judgement = judge(action, row, admin.id, rulesFor(accounts, row), isSent)
  if (judgement === "do" || judgement === "nothing") return judgement === "do"
  throw new PayoutRefused(judgement)
}

/** @throws PayoutRefused when another admin has changed the payout since this one saw it */
export function requireRevision(row: PayoutRow, seen: number): void {
  if (seen !== row.revision) throw new PayoutRefused("changed_since")
}

/** The name of a single account without an id of its own. There any id is accepted, as by providers. */
export const ONLY_ACCOUNT = "main"

/** @throws PayoutRefused when there is no account with the given id; a single account need not be named */
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

/** @throws PayoutRefused when the account that sends a payout is gone, or has no signing secret */
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
