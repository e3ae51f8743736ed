import type { AccountOptions, Accounts, PayoutRow } from "../modules/payment-service"
import type { SettlePorts } from "../payments/core"
import { readNumber, requireCard, requireNoNumber, requireSameNumber, TYPED_NUMBER } from "./cards"
import {
  accountFor,
  accountOf,
  isToBeDone,
  type PayoutAdmin,
  PayoutRefused,
  requireNamed,
  withSigningSecret,
} from "./may-pay-out"
import { accountThatTook, findRefund, namesOf } from "./refund"
import { withoutCardNumbers } from "./rules/card-text"
import { revised, withEditor } from "./rules/actions"
import { LARGEST_PAYOUT, localDay, SMALLEST_PAYOUT } from "./rules/payout"
import { cardFacts, newPayoutId } from "./statements/payouts"

interface NewPayoutInput {
  /** Null when the card's number is typed: with approval by who makes the payout and by who approves it, and for each sending. */
  card_id: string | null
  card_number: string | null
  amount: number
  note: string | null
  order_id: string | null
  problem_id: string | null
  account: string | null
}

/** Writes down a payout with its key. Nothing is sent, and nothing is held for it: the sending looks at what is left. */
export async function makePayout(
  ports: SettlePorts,
  input: NewPayoutInput,
  admin: PayoutAdmin
): Promise<PayoutRow> {
  const { module } = ports
  const accounts = await requireNamed(ports, admin)
  const { enabled, approval, timeZone } = accounts.store.payouts
  if (!enabled) throw new PayoutRefused("payouts_off")
  const { amount, note, order_id: orderId } = input
  const refund = await findRefund(ports, { ...input, transaction_row_id: null })
  const preferred = refund && accountThatTook(accounts, refund.row)
  const { id: account, options } = accountOf(accounts, input.account ?? preferred)
  const { baseUrl, merchantId } = withSigningSecret(options)
  requireAmount(amount, accounts)
  const order = refund?.problem ? (refund.problem.order_id ?? refund.row.order_id) : null
  if (order !== null && orderId !== null && order !== orderId) {
    throw new PayoutRefused("order_differs")
  }
  const id = newPayoutId()
  return await module.payouts.make(
    {
      id,
      state: approval ? "awaiting_approval" : "draft",
      account,
      base_url: baseUrl,
      merchant_id: merchantId,
      amount,
      ...(await cardOf(accounts, options, id, input)),
      note: note && withoutCardNumbers(note),
      order_id: orderId ?? order,
      ...(refund ? namesOf(refund) : { problem_id: null, transaction_row_id: null }),
      limit_day: localDay(module.clock.now(), timeZone),
      made_by: admin.id,
      made_by_name: admin.name,
    },
    admin
  )
}

type EditInput = Partial<Pick<NewPayoutInput, "card_id" | "amount" | "note">> &
  Pick<NewPayoutInput, "card_number"> & {
    /** The revision that the admin saw, if the request has it: nothing is sent before somebody sees the new one. */
    revision?: number
  }

/** Changes a draft. An earlier approval ends. */
export async function editPayout(
  ports: SettlePorts,
  id: string,
  edit: EditInput,
  admin: PayoutAdmin
): Promise<void> {
  const { module } = ports
  const accounts = await requireNamed(ports, admin)
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
    if (!isToBeDone("edit", row, accounts, admin)) return
    // The service was asked about the card only for the revision that was read before.
    requireRevision(row, before.revision)
    requireRevision(row, edit.revision ?? before.revision)
    const { card_mac } = { ...row, ...card }
    const isSame = card_id === row.card_id && card_mac === row.card_mac && amount === row.amount
    if (isSame && note === row.note) return
    const changed = await payout.update({
      ...card,
      amount,
      note,
      ...revised(row, accounts.store.payouts),
      edited_by: withEditor(row, admin.id),
    })
    await payout.note("edited", cardFacts(changed), admin)
  })
}

/**
 * Approves a payout as a second admin, after which it may be sent. `revision` is the one that they saw. Who approves a typed card
 * knows its number, too.
 */
export async function approvePayout(
  ports: SettlePorts,
  id: string,
  {
    revision,
    card_number: typed,
  }: Pick<NewPayoutInput, "card_number"> & {
    revision: number
  },
  admin: PayoutAdmin
): Promise<void> {
  const { payouts } = ports.module
  const accounts = await requireNamed(ports, admin)
  const seen = await payouts.get(id)
  if (!isToBeDone("approve", seen, accounts, admin)) return
  requireRevision(seen, revision)
  if (seen.card_id !== null) requireNoNumber(typed)
  else {
    const number = readNumber(typed, accounts, accountFor(accounts, seen), id)
    await requireSameNumber(ports, accounts, seen, number, admin)
  }
  await payouts.change(id, async (payout) => {
    if (!isToBeDone("approve", payout.row, accounts, admin)) return
    requireRevision(payout.row, revision)
    const row = await payout.update({
      state: "draft",
      approved_by: admin.id,
      approved_by_name: admin.name,
      approved_at: payout.now,
    })
    const { amount, card } = cardFacts(row)
    await payout.note("approved", { amount, card }, admin)
  })
}

/** Gives up a payout that was not sent. */
export async function discardPayout(ports: SettlePorts, id: string, admin: PayoutAdmin) {
  const accounts = await requireNamed(ports, admin)
  await ports.module.payouts.change(id, async (payout) => {
    if (!isToBeDone("discard", payout.row, accounts, admin)) return
    await payout.update({ state: "discarded" })
    await payout.note("discarded", {}, admin)
  })
}

/** @throws PayoutRefused when another admin has changed the payout since this one saw it */
export function requireRevision(row: PayoutRow, seen: number): void {
  if (seen !== row.revision) throw new PayoutRefused("changed_since")
}

/** @throws PayoutRefused when no payout may have this amount. The day's limit is asked for when it is sent. */
function requireAmount(amount: number, { store }: Accounts): void {
  if (!Number.isInteger(amount) || amount < SMALLEST_PAYOUT || amount > LARGEST_PAYOUT) {
    throw new PayoutRefused("amount_range")
  }
  const { perPayout } = store.payouts
  if (amount > perPayout) throw new PayoutRefused({ code: "above_per_payout", limit: perPayout })
}

/** The columns of a payout about its card. Without approval, a number is typed for each sending only, unless it is given. */
async function cardOf(
  accounts: Accounts,
  account: AccountOptions,
  payoutId: string,
  { card_id: cardId, card_number: typed }: Pick<NewPayoutInput, "card_id" | "card_number">
) {
  if (cardId !== null) {
    requireNoNumber(typed)
    return { ...(await requireCard(accounts, account, cardId)), card_mac: null }
  }
  if (typed === null && !accounts.store.payouts.approval) return TYPED_NUMBER
  return { ...TYPED_NUMBER, ...readNumber(typed, accounts, account, payoutId).kept }
}
