import type { Accounts, PayoutRow } from "../modules/payment-service"
import { cardOf, whyOtherNumber } from "./cards"
import {
  accountFor,
  accountOf,
  type Acting,
  isToBeDone,
  PayoutRefused,
  requireRevision,
} from "./may-pay-out"
import { accountThatTook, findRefund, namesOf } from "./refund"
import { withoutCardNumbers } from "./rules/card-text"
import { LARGEST_PAYOUT, localDay, revised, SMALLEST_PAYOUT } from "./rules/payout"
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
  const refund = await findRefund(acting, input)
  const preferred = refund && accountThatTook(accounts, refund.row)
  const { id: account, options } = accountOf(accounts, input.account ?? preferred)
  requireAmount(amount, accounts)
  const order = refund && (refund.problem.order_id ?? refund.row.order_id)
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
      ...(refund && namesOf(refund)),
      limit_day: localDay(module.clock.now(), timeZone),
      made_by: admin.id,
      made_by_name: admin.name,
    },
    admin
  )
}

/** The revision is the one that the admin saw, if the request has it: nothing is sent before somebody sees the new one. */
interface EditInput extends Partial<Pick<PayoutRow, "card_id" | "amount" | "note" | "revision">> {
  card_number: string | null
}

/** Changes a draft. An earlier approval ends. */
export async function editPayout(acting: Acting, id: string, edit: EditInput): Promise<void> {
  const { module, accounts, admin } = acting
  const before = await module.payouts.get(id)
  const { card_id = before.card_id, card_number, amount = before.amount } = edit
  const { revision = before.revision } = edit
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
    requireRevision(row, before.revision, revision)
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
