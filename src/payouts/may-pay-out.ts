import type { AccountOptions, Accounts, PayoutRow } from "../modules/payment-service"
import type { SettlePorts } from "../payments/core"
import { RefusedAction } from "../refusals/refused"
import { text } from "../texts"
import { isComparable } from "../values/digests"
import { judge, type PayoutAction, type PayoutRefusal, type PayoutRules } from "./rules/payout"
import type { PayoutAdmin } from "./statements/payouts"

/** A refused action on a payout. The text of a repetition warns, because nobody knows whether the first request went through. */
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

export interface Acting extends SettlePorts {
  accounts: Accounts
  admin: PayoutAdmin
}

/** @throws PayoutRefused for an API key (null), which only reads, when the options do not name this admin, or their user is too new */
export async function actingAs(admin: PayoutAdmin | null, ports: SettlePorts): Promise<Acting> {
  if (!admin) throw new PayoutRefused("not_signed_in")
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

/** Whether an action is still to be done, and not done already; `isSent` is what `mark` says. It throws when that is not allowed. */
export function isToBeDone(action: PayoutAction, row: PayoutRow, acting: Acting, isSent?: boolean) {
  const rules = rulesFor(acting.accounts, row)
  const judgement = judge(action, row, acting.admin.id, rules, isSent)
  if (judgement === "do" || judgement === "nothing") return judgement === "do"
  throw new PayoutRefused(judgement)
}

/** @throws PayoutRefused when the payout was changed since the admin, or a step before this one, saw it */
export function requireRevision({ revision }: PayoutRow, ...seen: number[]): void {
  if (seen.some((one) => one !== revision)) throw new PayoutRefused("changed_since")
}

/** The name of a single account without an id of its own. There any id is accepted, as by providers. */
export const ONLY_ACCOUNT = "main"

/** @throws PayoutRefused when no account with a signing secret has the given id; a single account need not be named */
export function accountOf(accounts: Accounts, asked: string | null) {
  const [first, ...others] = accounts.named()
  if (asked !== null) {
    const id = accounts.ids.length ? asked : ONLY_ACCOUNT
    return { id, options: withSigningSecret(accounts.find(asked), "account_unknown") }
  }
  if (!first || others.length) throw new PayoutRefused("account_needed")
  return { id: first.id ?? ONLY_ACCOUNT, options: withSigningSecret(first.options) }
}

/** @throws PayoutRefused when the account that sends a payout is gone, or has no signing secret */
export const accountFor = (accounts: Accounts, row: PayoutRow) =>
  withSigningSecret(accounts.findForRow(row))

function withSigningSecret(account: AccountOptions | null, ifNone: PayoutRefusal = "account_gone") {
  if (!account) throw new PayoutRefused(ifNone)
  if (account.signingSecret === undefined) throw new PayoutRefused("no_signing_secret")
  return account
}
