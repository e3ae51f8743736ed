import type { AccountOptions, Accounts, PayoutRow } from "../../modules/payment-service"
import {
  cardFacts,
  type LockedPayout,
  newPayoutId,
  type PayoutTransaction,
} from "../../modules/payment-service/payouts"
import { withoutCardNumbers } from "../../settlement/payouts/card-text"
import { revised, withEditor } from "../../settlement/payouts/deeds"
import { localDay } from "../../settlement/payouts/limits"
import { LARGEST_PAYOUT, SMALLEST_PAYOUT } from "../../settlement/payouts/payout"
import {
  accountThatTook,
  type MoneyToPayBack,
  requireLeftToPayBack,
  whilePayingBack,
} from "./pay-back"
import type { SettlePorts } from "../ports"
import { PayoutRefused } from "./refused"
import {
  accountFor,
  accountOf,
  isToBeDone,
  type PayoutAdmin,
  requireNamed,
  withSigningSecret,
} from "./rules"
import { requireCard, TYPED_NUMBER } from "./saved-cards"
import { readNumber, requireSameNumber } from "./typed-number"
import { findRefundTarget, type PayoutPurpose } from "./refund-target"

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

/** Writes down a payout with its key. Nothing is sent. */
export async function makePayout(
  ports: SettlePorts,
  input: NewPayoutInput,
  admin: PayoutAdmin
): Promise<PayoutRow> {
  const accounts = await requireNamed(ports, admin)
  const { enabled, approval, timeZone } = accounts.store.payouts
  if (!enabled) throw new PayoutRefused("payouts_off")
  const purpose = { problemId: input.problem_id, orderId: input.order_id, rowId: null }
  const found = await findRefundTarget(ports, purpose)
  const preferred = found && accountThatTook(accounts, found.row)
  const { id: account, options } = accountOf(accounts, input.account ?? preferred)
  const { baseUrl, merchantId } = withSigningSecret(options)
  const { amount } = input
  requireAmount(amount, accounts)
  const id = newPayoutId()
  const card = await cardOf(accounts, options, id, input)

  const write = async (payouts: PayoutTransaction, paidBack: MoneyToPayBack | null) => {
    await requireLeftToPayBack(payouts, paidBack, { amount, except: null })
    return await payouts.insert(
      {
        id,
        state: approval ? "awaiting_approval" : "draft",
        account,
        base_url: baseUrl,
        merchant_id: merchantId,
        amount,
        ...card,
        note: input.note && withoutCardNumbers(input.note),
        order_id: orderOf(input, paidBack),
        problem_id: null,
        transaction_row_id: null,
        ...namesOf(paidBack),
        limit_day: localDay(payouts.now, timeZone),
        made_by: admin.id,
        made_by_name: admin.name,
      },
      admin
    )
  }
  return await whilePayingBack(ports, purpose, (paidBack) =>
    ports.module.payouts.make((payouts) => write(payouts, paidBack))
  )
}

/** Changes a draft. An earlier approval ends. */
export async function editPayout(
  ports: SettlePorts,
  id: string,
  edit: Partial<Pick<NewPayoutInput, "card_id" | "amount" | "note">> &
    Pick<NewPayoutInput, "card_number">,
  admin: PayoutAdmin
): Promise<void> {
  const { module } = ports
  const accounts = await requireNamed(ports, admin)
  const before = await module.payouts.get(id)
  if (edit.amount !== undefined) requireAmount(edit.amount, accounts)
  const { card_id = before.card_id, card_number } = edit
  const isSameCard = card_id === before.card_id && card_number === null
  const card = isSameCard
    ? {}
    : await cardOf(accounts, accountFor(accounts, before), id, { card_id, card_number })

  const change = (paidBack: MoneyToPayBack | null) => async (payout: LockedPayout) => {
    if (!isToBeDone("edit", payout.row, accounts, admin)) return
    // The service was asked about the card only for the revision that was read before.
    requireRevision(payout.row, before.revision)
    const amount = edit.amount ?? payout.row.amount
    const note =
      edit.note === undefined ? payout.row.note : edit.note && withoutCardNumbers(edit.note)
    const changed = { ...payout.row, ...card, amount, note }
    const isOther =
      changed.card_id !== payout.row.card_id ||
      changed.card_mac !== payout.row.card_mac ||
      amount !== payout.row.amount
    if (!isOther && note === payout.row.note) return
    await requireLeftToPayBack(payout, paidBack, { amount, except: id })
    const row = await payout.update({
      ...card,
      amount,
      note,
      ...namesOf(paidBack),
      ...revised(payout.row, accounts.store.payouts),
      edited_by: withEditor(payout.row, admin.id),
    })
    await payout.note("edited", cardFacts(row), admin)
  }
  await whilePayingBack(ports, purposeOf(before), (paidBack) =>
    module.payouts.change(id, change(paidBack), { seesOthers: true })
  )
}

/** Approves a payout as a second admin, after which it may be sent. `revision` is the one that they saw. */
export async function approvePayout(
  ports: SettlePorts,
  id: string,
  { revision, card_number }: Pick<NewPayoutInput, "card_number"> & { revision: number },
  admin: PayoutAdmin
): Promise<void> {
  const accounts = await requireNamed(ports, admin)
  await ports.module.payouts.change(id, async (payout) => {
    if (!isToBeDone("approve", payout.row, accounts, admin)) return
    requireRevision(payout.row, revision)
    requireKnown(accounts, payout.row, card_number)
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

/** @throws PayoutRefused unless who approves a typed card knows its number, too */
function requireKnown(accounts: Accounts, row: PayoutRow, typed: string | null): void {
  if (row.card_id !== null) return requireNoNumber(typed)
  const account = accountFor(accounts, row)
  requireSameNumber(row, readNumber(typed, accounts, account, row.id), accounts, account)
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

/** The purpose of a payout that exists already. */
export function purposeOf(row: PayoutRow): PayoutPurpose {
  return { problemId: row.problem_id, orderId: row.order_id, rowId: row.transaction_row_id }
}

/** The columns that name the problem and transaction which a payout pays back now. */
export function namesOf(paidBack: MoneyToPayBack | null) {
  return paidBack
    ? { problem_id: paidBack.problem?.id ?? null, transaction_row_id: paidBack.row.id }
    : {}
}

/** @throws PayoutRefused when the problem is about another order than the payout */
function orderOf({ order_id: asked }: NewPayoutInput, paidBack: MoneyToPayBack | null) {
  const order = paidBack?.problem ? (paidBack.problem.order_id ?? paidBack.row.order_id) : null
  if (order !== null && asked !== null && order !== asked) throw new PayoutRefused("order_differs")
  return asked ?? order
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

/** @throws PayoutRefused when a number was typed for a saved card */
export function requireNoNumber(typed: string | null): void {
  if (typed !== null) throw new PayoutRefused("card_number_not_needed")
}
