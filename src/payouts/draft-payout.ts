import type { AccountOptions, Accounts, PayoutRow, ProblemRow } from "../modules/payment-service"
import type { SettlePorts } from "../payments/ports"
import { isPayable } from "../problems/money-back"
import { RefusedAction } from "../refusals/refused"
import { PaymentServiceError } from "../service/errors"
import type { RowMerchant } from "../settings/accounts"
import { text } from "../texts"
import { type DigestKey, digestsOf, isComparable } from "../values/digests"
import { cardDigits, lastFour, maskedCard, withoutCardNumbers } from "./rules/card-text"
import * as rules from "./rules/payout"
import type { PayoutAction, PayoutRefusal } from "./rules/payout"
import { cardFacts, type LockedPayout, newPayoutId, type PayoutAdmin } from "./statements/payouts"

// The draft of a payout and its approval: checks of the user, of the account that pays, and of the card.

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

/** Whether the account, its signing secret, and the key that knows a typed number are still there. */
export function isRepeatable(accounts: Accounts, row: PayoutRow): boolean {
  const account = accounts.findForRow(row)
  if (account?.signingSecret === undefined) return false
  return row.card_id !== null || isComparable(row.card_mac, accounts.cardKeys(account))
}

/** Whether an action is still to be done, and not done already; `isSent` is what `mark` says. It throws when that is not allowed. */
export function isToBeDone(action: PayoutAction, row: PayoutRow, acting: Acting, isSent?: boolean) {
  const judgement = rules.judge(action, row, acting.admin.id, acting.accounts.store.payouts, isSent)
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
function accountOf(accounts: Accounts, asked: string | null) {
  const [first, ...others] = accounts.named
  if (asked !== null) {
    const id = accounts.ids.length ? asked : ONLY_ACCOUNT
    return { id, options: withSigningSecret(accounts.find(asked), "account_unknown") }
  }
  if (!first || others.length) throw new PayoutRefused("account_needed")
  return { id: first.id ?? ONLY_ACCOUNT, options: withSigningSecret(first.options) }
}

/** The account that took a payment, if it can pay out. It is preferred for paying that payment back. */
export function accountThatTook(accounts: Accounts, row: RowMerchant): string | null {
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

/** @throws PayoutRefused when there is no such account, it has no signing secret, or the service does not list its cards */
export async function listSavedCards(
  accounts: Accounts,
  asked: string | null,
  onlyActive: boolean
) {
  const { id: account, options } = accountOf(accounts, asked)
  const { cards } = await readCards(accounts, options, onlyActive)
  return cards.map(
    ({ card_id, card_last4: last4, card_brand: brand, card_label: label, status }) => {
      return { card_id, masked: maskedCard(last4), last4, brand, label, status, account }
    }
  )
}

async function readCards(accounts: Accounts, account: AccountOptions, onlyActive = false) {
  try {
    const { cards, unreadable } = await accounts.client(account).listCards({ onlyActive })
    const read = cards.map(({ cardId: card_id, status, last4, masked, brand, label }) => ({
      card_id,
      status,
      // A list may give the last four digits in either field.
      card_last4: lastFour(last4) ?? lastFour(masked),
      // People choose brand and label, and may have written a number into them.
      card_brand: brand && withoutCardNumbers(brand),
      card_label: label && withoutCardNumbers(label),
    }))
    return { cards: read, unreadable }
  } catch (error) {
    if (!(error instanceof PaymentServiceError)) throw error
    const { kind, topic } = error
    if (topic === "feature" || kind === "not_found") throw new PayoutRefused("feature_off")
    // The specification does not show the status of a refused signature, but nothing else in this request can be wrong.
    const isSignature = kind === "unauthorized" || kind === "invalid"
    throw new PayoutRefused(isSignature ? "secret_refused" : "service_down")
  }
}

const NO_SAVED_CARD = { card_id: null, card_brand: null, card_label: null }

/** The columns of a payout about its card. Without approval, a number is typed for each sending only, unless it is given. */
async function cardOf(
  accounts: Accounts,
  account: AccountOptions,
  id: string,
  { card_id, card_number: typed }: { card_id: string | null; card_number: string | null }
) {
  const isTypedLater = card_id === null && typed === null && !accounts.store.payouts.approval
  if (isTypedLater) return { ...NO_SAVED_CARD, card_mac: null, card_last4: null }
  const { kept } = recipientOf({ id, card_id }, typed, accounts.cardKeys(account))
  if (card_id === null) return { ...NO_SAVED_CARD, ...kept }
  return { ...(await readCard(accounts, account, card_id)), card_mac: null }
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
    if (row.revision !== seen.revision || !rules.isUnsent(row)) return
    await payout.update({
      ...card,
      ...rules.revised(row, accounts.store.payouts.approval, admin.id),
    })
    await payout.note("edited", { ...cardFacts(payout.row), note: row.note }, null)
  })
  throw new PayoutRefused("changed_since")
}

async function readCard(accounts: Accounts, account: AccountOptions, cardId: string) {
  const { cards, unreadable } = await readCards(accounts, account)
  const [card, another] = cards.filter((one) => one.card_id.toLowerCase() === cardId.toLowerCase())
  // The card may be one of the unreadable entries, or either of two that have its id.
  if (another || (!card && unreadable > 0)) throw new PayoutRefused("card_unread")
  if (!card) throw new PayoutRefused("card_gone")
  const { status, ...columns } = card
  if (status !== "ACTIVE") throw new PayoutRefused("card_not_active")
  // Nobody could say to which card that is.
  if (columns.card_last4 === null) throw new PayoutRefused("card_unread")
  return columns
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
  if (!isComparable(row.card_mac, keys)) {
    return rules.isUnsent(row) ? "number_not_typed" : "secret_was_reset"
  }
  if (macs.some((mac) => mac === row.card_mac)) return null
  await payout.note("wrong_number", {}, admin)
  return "other_card_number"
}

/** Without a card's id its number is typed: with approval by who makes the payout and by who approves it, and for each sending. */
interface NewPayoutInput extends Pick<PayoutRow, "amount" | "note" | "order_id" | "problem_id"> {
  card_id: string | null
  card_number: string | null
  account: string | null
}

/** Writes down a payout with its key. Nothing is sent, and nothing is held for it: the sending looks at what is left. */
export async function makePayout(acting: Acting, input: NewPayoutInput): Promise<PayoutRow> {
  const { module, accounts, admin } = acting
  const { enabled, approval, timeZone } = accounts.store.payouts
  if (!enabled) throw new PayoutRefused("payouts_off")
  const { amount, note, order_id } = input
  const problem = await findProblem(acting, input)
  const row = problem && (await rowToPayBack(acting, problem))
  const preferred = row && accountThatTook(accounts, row)
  const { id: account, options } = accountOf(accounts, input.account ?? preferred)
  requireAmount(amount, accounts)
  const order = problem?.order_id ?? row?.order_id ?? null
  if (order && order_id && order !== order_id) throw new PayoutRefused("order_differs")
  const id = newPayoutId()
  return await module.payouts.make(
    {
      id,
      state: approval ? "awaiting_approval" : "draft",
      account,
      base_url: options.baseUrl,
      merchant_id: options.merchantId,
      amount,
      ...(await cardOf(accounts, options, id, input)),
      note: note && withoutCardNumbers(note),
      order_id: order_id ?? order,
      problem_id: problem?.id ?? null,
      transaction_row_id: row?.id ?? null,
      limit_day: rules.localDay(module.clock.now(), timeZone),
      made_by: admin.id,
      made_by_name: admin.name,
    },
    admin
  )
}

/** The problem that a payout pays back: the named one, or the only one of the named order; null when neither is named. */
async function findProblem({ module }: Acting, { problem_id, order_id }: NewPayoutInput) {
  if (problem_id !== null) {
    const [named] = await module.listProblems({ id: problem_id }, { take: 1 })
    if (!named) throw new PayoutRefused("problem_unknown")
    return named
  }
  if (order_id === null) return null
  const open = await module.listProblems({ order_id, closed_at: null }, { take: null })
  const [problem, ...others] = open.filter(isPayable)
  if (!problem) throw new PayoutRefused("no_refund_due")
  if (others.length) throw new PayoutRefused("several_problems")
  return problem
}

/** The payment whose money goes back. Whether it is still there, and how much is left, only the sending asks. */
async function rowToPayBack({ module }: Acting, problem: ProblemRow) {
  if (problem.closed_at) throw new PayoutRefused("problem_closed")
  if (problem.kind === "reversed") throw new PayoutRefused("taken_back")
  if (!isPayable(problem)) throw new PayoutRefused("not_to_pay_back")
  if (problem.currency?.toUpperCase() !== rules.PAYOUT_CURRENCY)
    throw new PayoutRefused("not_rubles")
  return await module.transactions.get(problem.transaction_row_id ?? "")
}

/** Nothing is edited before the admin sees its present revision. */
interface EditInput extends Partial<Pick<PayoutRow, "card_id" | "amount" | "note">> {
  card_number: string | null
  revision: number
}

/** Changes a draft. An earlier approval ends. */
export async function editPayout(acting: Acting, id: string, edit: EditInput): Promise<void> {
  const { module, accounts, admin } = acting
  const before = await module.payouts.get(id)
  const { card_id = before.card_id, card_number, amount = before.amount } = edit
  if (edit.amount !== undefined) requireAmount(amount, accounts)
  const note = edit.note === undefined ? before.note : edit.note && withoutCardNumbers(edit.note)
  const isSameCard = card_id === before.card_id && card_number === null
  const card = isSameCard
    ? {}
    : await cardOf(accounts, accountFor(accounts, before), id, { card_id, card_number })
  await module.payouts.change(id, async (payout) => {
    const { row } = payout
    if (!isToBeDone("edit", row, acting)) return
    // The service was asked about the card only for the revision that was read before.
    requireRevision(row, before.revision, edit.revision)
    const { card_mac } = { ...row, ...card }
    const isSame = card_id === row.card_id && card_mac === row.card_mac && amount === row.amount
    if (isSame && note === row.note) return
    const { approval } = accounts.store.payouts
    await payout.update({ ...card, amount, note, ...rules.revised(row, approval, admin.id) })
    await payout.note("edited", { ...cardFacts(payout.row), note }, admin)
  })
}

/** Approves a payout, of which the admin saw this revision, as a second admin: who approves a typed card knows its number, too. */
export async function approvePayout(
  acting: Acting,
  id: string,
  { revision, card_number: typed }: { revision: number; card_number: string | null }
): Promise<void> {
  const { module, admin } = acting
  const refusal = await module.payouts.change(id, async (payout) => {
    const { row } = payout
    if (!isToBeDone("approve", row, acting)) return null
    requireRevision(row, revision)
    const why = await whyOtherNumber(payout, typed, acting)
    if (why !== null) return why
    await payout.update({
      state: "draft",
      approved_by: admin.id,
      approved_by_name: admin.name,
      approved_at: payout.now,
    })
    await payout.note("approved", cardFacts(row), admin)
    return null
  })
  if (refusal !== null) throw new PayoutRefused(refusal)
}

export async function discardPayout(acting: Acting, id: string): Promise<void> {
  await acting.module.payouts.change(id, async (payout) => {
    if (!isToBeDone("discard", payout.row, acting)) return
    await payout.update({ state: "discarded" })
    await payout.note("discarded", {}, acting.admin)
  })
}

/** @throws PayoutRefused when no payout may have this amount. The day's limit is asked for when it is sent. */
function requireAmount(amount: number, { store }: Accounts): void {
  if (
    !Number.isInteger(amount) ||
    amount < rules.SMALLEST_PAYOUT ||
    amount > rules.LARGEST_PAYOUT
  ) {
    throw new PayoutRefused("amount_range")
  }
  const { perPayout } = store.payouts
  if (amount > perPayout) throw new PayoutRefused({ code: "above_per_payout", limit: perPayout })
}
