import type { AccountOptions, Accounts, PayoutRow } from "../modules/payment-service"
import type { SettlePorts } from "../payments/core"
import { RefusedAction } from "../refusals/refused"
import { PaymentServiceError } from "../service/errors"
import type { RowPlace } from "../settings/accounts"
import { text } from "../texts"
import { type DigestKey, digestsOf, isComparable } from "../values/digests"
import { cardDigits, lastFour, maskedCard, withoutCardNumbers } from "./rules/card-text"
import {
  isUnsent,
  judge,
  type PayoutAction,
  type PayoutRefusal,
  type PayoutRules,
  revised,
} from "./rules/payout"
import { cardFacts, type LockedPayout, type PayoutAdmin } from "./statements/payouts"

// Who may pay out, from which account, and to which card.

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
  const [first, ...others] = accounts.named
  if (asked !== null) {
    const id = accounts.ids.length ? asked : ONLY_ACCOUNT
    return { id, options: withSigningSecret(accounts.find(asked), "account_unknown") }
  }
  if (!first || others.length) throw new PayoutRefused("account_needed")
  return { id: first.id ?? ONLY_ACCOUNT, options: withSigningSecret(first.options) }
}

/** The account that took a payment, if it can pay out. It is preferred for paying that payment back. */
export function accountThatTook(accounts: Accounts, row: RowPlace): string | null {
  const options = accounts.findForRow(row)
  const named = accounts.named.find((one) => one.options === options)
  return named?.options.signingSecret === undefined ? null : (named.id ?? ONLY_ACCOUNT)
}

/** @throws PayoutRefused when the account that sends a payout is gone, or has no signing secret */
export const accountFor = (accounts: Accounts, row: PayoutRow) =>
  withSigningSecret(accounts.findForRow(row))

function withSigningSecret(account: AccountOptions | null, ifNone: PayoutRefusal = "account_gone") {
  if (!account) throw new PayoutRefused(ifNone)
  if (account.signingSecret === undefined) throw new PayoutRefused("no_signing_secret")
  return account
}

const NO_SAVED_CARD = { card_id: null, card_brand: null, card_label: null }

/** @throws PayoutRefused when there is no such account, it has no signing secret, or the service does not list its cards */
export async function listSavedCards(
  accounts: Accounts,
  asked: string | null,
  onlyActive: boolean
) {
  const { id: account, options } = accountOf(accounts, asked)
  const { cards } = await readCards(accounts, options, onlyActive)
  return cards.map(({ cardId: card_id, brand, label, status, last4 }) => {
    return { card_id, masked: maskedCard(last4), last4, brand, label, status, account }
  })
}

async function readCards(accounts: Accounts, account: AccountOptions, onlyActive = false) {
  try {
    const listed = await accounts.client(account).listCards({ onlyActive })
    const cards = listed.cards.map((card) => ({
      ...card,
      // A list may give the last four digits in either field.
      last4: lastFour(card.last4) ?? lastFour(card.masked),
      // People choose brand and label, and may have written a number into them.
      brand: card.brand && withoutCardNumbers(card.brand),
      label: card.label && withoutCardNumbers(card.label),
    }))
    return { ...listed, cards }
  } catch (error) {
    if (!(error instanceof PaymentServiceError)) throw error
    const { kind, topic } = error
    if (topic === "feature" || kind === "not_found") throw new PayoutRefused("feature_off")
    // The specification does not show the status of a refused signature, but nothing else in this request can be wrong.
    const isSignature = kind === "unauthorized" || kind === "invalid"
    throw new PayoutRefused(isSignature ? "secret_refused" : "service_down")
  }
}

/** The columns of a payout about its card. Without approval, a number is typed for each sending only, unless it is given. */
export async function cardOf(
  accounts: Accounts,
  account: AccountOptions,
  id: string,
  { card_id, card_number: typed }: { card_id: string | null; card_number: string | null }
) {
  const isTypedLater = card_id === null && typed === null && !accounts.store.payouts.approval
  if (isTypedLater) return { ...NO_SAVED_CARD, card_mac: null, card_last4: null }
  const { kept } = recipientOf({ id, card_id }, typed, accounts.cardKeys(account))
  return card_id === null
    ? { ...NO_SAVED_CARD, ...kept }
    : { ...(await readCard(accounts, account, card_id)), card_mac: null }
}

/**
 * Checks, right before a request, that a saved card still has the digits that the payout has, because nobody knows a card by its id.
 * Other digits are written into a payout that was not sent, whose approval they end: whoever met them cannot approve them alone.
 */
export async function requireSameCard(acting: Acting, seen: PayoutRow): Promise<void> {
  const { module, accounts, admin } = acting
  if (seen.card_id === null) return
  const card = await readCard(accounts, accountFor(accounts, seen), seen.card_id)
  if (card.card_last4 === seen.card_last4) return
  await module.payouts.change(seen.id, async (payout) => {
    const { row } = payout
    if (row.revision !== seen.revision || !isUnsent(row)) return
    await payout.update({ ...card, ...revised(row, accounts.store.payouts.approval, admin.id) })
    await payout.note("edited", { ...cardFacts(payout.row), note: row.note }, null)
  })
  throw new PayoutRefused("changed_since")
}

async function readCard(accounts: Accounts, account: AccountOptions, cardId: string) {
  const { cards, unreadable } = await readCards(accounts, account)
  const [card, another] = cards.filter((one) => one.cardId.toLowerCase() === cardId.toLowerCase())
  // The card may be one of the unreadable entries, or either of two that have its id.
  if (another || (!card && unreadable > 0)) throw new PayoutRefused("card_unread")
  if (!card) throw new PayoutRefused("card_gone")
  if (card.status !== "ACTIVE") throw new PayoutRefused("card_not_active")
  // Nobody could say to which card that is.
  if (card.last4 === null) throw new PayoutRefused("card_unread")
  return {
    card_id: card.cardId,
    card_last4: card.last4,
    card_brand: card.brand,
    card_label: card.label,
  }
}

/**
 * The recipient of a payout as its request names it. A typed number is in memory for that request only; of it are kept the first of
 * its digests, and the last four digits.
 */
export function recipientOf(
  { id, card_id: cardId }: Pick<PayoutRow, "id" | "card_id">,
  typed: string | null,
  keys: DigestKey[]
) {
  if (cardId !== null) {
    if (typed !== null) throw new PayoutRefused("card_number_not_needed")
    return { recipient: { cardId }, macs: null, kept: {} }
  }
  if (typed === null) throw new PayoutRefused("card_number_needed")
  const cardNumber = cardDigits(typed)
  if (cardNumber === null) throw new PayoutRefused("card_number_invalid")
  const macs = digestsOf(keys, id, cardNumber)
  const kept = { card_mac: macs[0] ?? null, card_last4: cardNumber.slice(-4) }
  return { recipient: { cardNumber }, macs, kept }
}

/** Nobody finds a number by trying: the last four digits are known, and the first six may be guessed. */
const MOST_WRONG_NUMBERS = 5

/** Compares a typed number with this payout's. A wrong one is entered in the journal, so the refusal is returned, not thrown. */
export async function whyOtherNumber(payout: LockedPayout, typed: string | null, acting: Acting) {
  const { accounts, admin } = acting
  const { row } = payout
  const keys = accounts.cardKeys(accountFor(accounts, row))
  const { macs } = recipientOf(row, typed, keys)
  if (macs === null) return null
  if ((await payout.countWrongNumbers()) >= MOST_WRONG_NUMBERS) return "too_many_numbers"
  if (!isComparable(row.card_mac, keys)) return "number_not_typed"
  if (macs.some((mac) => mac === row.card_mac)) return null
  await payout.note("wrong_number", {}, admin)
  return "other_card_number"
}
