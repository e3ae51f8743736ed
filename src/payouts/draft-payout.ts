import type { Accounts, PayoutRow, ProblemRow, TransactionRow } from "../modules/payment-service"
import type { Ports } from "../payments/read-transaction"
import { isPayable } from "../problems/money-back"
import {
  accountFor,
  accountOf,
  accountThatTook,
  type Acting,
  cardOf,
  isToBeDone,
  PayoutRefused,
  requireRevision,
  whyOtherNumber,
} from "./may-pay-out"
import { withoutCardNumbers } from "./rules/card-text"
import { LARGEST_PAYOUT, localDay, PAYOUT_CURRENCY, revised, SMALLEST_PAYOUT } from "./rules/payout"
import { cardFacts, newPayoutId } from "./statements/payouts"

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
      limit_day: localDay(module.clock.now(), timeZone),
      made_by: admin.id,
      made_by_name: admin.name,
    },
    admin
  )
}

/** The problem that a payout pays back: the named one, or the only one of the named order; null when neither is named. */
async function findProblem(
  { module }: Ports,
  { problem_id, order_id }: Pick<NewPayoutInput, "problem_id" | "order_id">
): Promise<ProblemRow | null> {
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
async function rowToPayBack({ module }: Ports, problem: ProblemRow): Promise<TransactionRow> {
  if (problem.closed_at) throw new PayoutRefused("problem_closed")
  if (problem.kind === "reversed") throw new PayoutRefused("taken_back")
  if (!isPayable(problem)) throw new PayoutRefused("not_to_pay_back")
  if (problem.currency?.toUpperCase() !== PAYOUT_CURRENCY) throw new PayoutRefused("not_rubles")
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
    await payout.update({ ...card, amount, note, ...revised(row, approval, admin.id) })
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
  if (!Number.isInteger(amount) || amount < SMALLEST_PAYOUT || amount > LARGEST_PAYOUT) {
    throw new PayoutRefused("amount_range")
  }
  const { perPayout } = store.payouts
  if (amount > perPayout) throw new PayoutRefused({ code: "above_per_payout", limit: perPayout })
}
