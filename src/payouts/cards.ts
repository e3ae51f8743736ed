import type { AccountOptions, Accounts, PayoutRow } from "../modules/payment-service"
import type { SettlePorts } from "../payments/core"
import type { ReplyFacts, SavedCard, SavedCards } from "../service/client"
import { PaymentServiceError } from "../service/errors"
import { digestsOf, isComparable } from "../values/digests"
import {
  accountFor,
  accountOf,
  type PayoutAdmin,
  PayoutRefused,
  withSigningSecret,
} from "./may-pay-out"
import { cardDigits, withoutCardNumbers } from "./rules/card-text"
import { isUnsent, revised, withEditor } from "./rules/actions"
import { isClockOff, lastFour } from "./rules/outcome"
import { clockRemark, type PayoutRefusal } from "./rules/reasons"
import { cardFacts } from "./statements/payouts"

/** The columns of a payout that describe its card. */
export type PaidCard = Pick<PayoutRow, "card_id" | "card_last4" | "card_brand" | "card_label">

/** Those of a card whose number nobody has typed yet. */
export const TYPED_NUMBER: PaidCard & Pick<PayoutRow, "card_mac"> = {
  card_id: null,
  card_mac: null,
  card_last4: null,
  card_brand: null,
  card_label: null,
}

const LONGEST_LABEL = 200

/**
 * The saved cards of an account.
 *
 * @throws PayoutRefused when there is no such account, it has no signing secret, or the service does not list them
 */
export async function listSavedCards(
  accounts: Accounts,
  asked: string | null,
  onlyActive: boolean
): Promise<{ account: string; cards: SavedCard[] }> {
  const { id: account, options } = accountOf(accounts, asked)
  const { cards } = await readCards(accounts, withSigningSecret(options), { onlyActive })
  return { account, cards }
}

async function readCards(
  accounts: Accounts,
  account: AccountOptions,
  which: { onlyActive: boolean }
): Promise<SavedCards> {
  let heard: Partial<ReplyFacts> = {}
  const onReply = (reply: ReplyFacts) => void (heard = reply)
  try {
    const listed = await accounts.client(account).listCards(which, { onReply })
    return { ...listed, cards: listed.cards.map(withoutNumbers) }
  } catch (error) {
    if (!(error instanceof PaymentServiceError)) throw error
    throw new PayoutRefused(whyUnread(error, heard.clockAheadSeconds ?? null))
  }
}

function whyUnread({ kind, topic }: PaymentServiceError, ahead: number | null): PayoutRefusal {
  if (isClockOff(ahead) && (kind === "unauthorized" || kind === "invalid")) {
    return { code: "clock_off", clock: clockRemark(ahead) }
  }
  if (topic === "feature" || kind === "not_found") return "feature_off"
  // The specification does not show the status of a refused signature, but nothing else in this request can be wrong.
  return kind === "unauthorized" || kind === "invalid" ? "secret_refused" : "service_down"
}

/**
 * A saved card to which the service pays.
 *
 * @throws PayoutRefused when the card is gone, not active, or cannot be read
 */
export async function requireCard(
  accounts: Accounts,
  account: AccountOptions,
  cardId: string
): Promise<PaidCard> {
  return requireActive(await readCard(accounts, account, cardId, false))
}

/**
 * Checks, right before a request, that a saved card still has the digits that the payout has, because nobody knows a card by its id.
 * Other digits are written into a payout that was not sent, whose approval they end: whoever met them cannot approve them alone.
 *
 * @param again a card that is gone or not active may have got the money by the first request, so only other digits matter then
 * @throws PayoutRefused when the card has other digits, is gone, not active, or cannot be read
 */
export async function requireSameCard(
  { module }: SettlePorts,
  accounts: Accounts,
  seen: PayoutRow & { card_id: string },
  again: boolean,
  admin: PayoutAdmin
): Promise<void> {
  const found = await readCard(accounts, accountFor(accounts, seen), seen.card_id, again)
  if (again && !found) return
  const card = again && found ? paidCard(found) : requireActive(found)
  if (card.card_last4 === seen.card_last4) return
  await module.payouts.change(seen.id, async (payout) => {
    if (again || payout.row.revision !== seen.revision || !isUnsent(payout.row)) return
    const row = await payout.update({
      ...card,
      ...revised(payout.row, accounts.store.payouts),
      edited_by: withEditor(payout.row, admin.id),
    })
    await payout.note("edited", cardFacts(row), null)
  })
  throw new PayoutRefused("changed_since", again)
}

/** A saved card as the service's list has it now; null when it is gone. */
async function readCard(
  accounts: Accounts,
  account: AccountOptions,
  cardId: string,
  again: boolean
): Promise<SavedCard | null> {
  const listed = await readCards(accounts, account, { onlyActive: false }).catch(
    (error: unknown) => {
      throw again && error instanceof PayoutRefused
        ? new PayoutRefused("card_unread", again)
        : error
    }
  )
  const found = listed.cards.find((one) => one.cardId.toLowerCase() === cardId.toLowerCase())
  // The card may be one of the unreadable entries.
  if (!found && listed.unreadable > 0) throw new PayoutRefused("card_unread", again)
  return found ?? null
}

function requireActive(card: SavedCard | null): PaidCard {
  if (!card) throw new PayoutRefused("card_gone")
  if (card.status !== "ACTIVE") throw new PayoutRefused("card_not_active")
  // Nobody could say to which card that is.
  if (lastDigits(card) === null) throw new PayoutRefused("card_unread")
  return paidCard(card)
}

const paidCard = (card: SavedCard): PaidCard => ({
  card_id: card.cardId,
  card_last4: lastDigits(card),
  card_brand: card.brand?.slice(0, LONGEST_LABEL) ?? null,
  card_label: card.label?.slice(0, LONGEST_LABEL) ?? null,
})

/** Masks brand and label, because people choose these texts and may have written a number into them. */
function withoutNumbers(card: SavedCard): SavedCard {
  return {
    ...card,
    brand: card.brand && withoutCardNumbers(card.brand),
    label: card.label && withoutCardNumbers(card.label),
  }
}

/** The last four digits, which a list may give in either field. */
export function lastDigits({ last4, masked }: Pick<SavedCard, "last4" | "masked">): string | null {
  return lastFour(last4) ?? lastFour(masked)
}

/** Kept of a typed number are a digest and the last four digits. The number is in memory for the request only. */
export interface TypedNumber {
  digits: string
  kept: Pick<PayoutRow, "card_mac" | "card_last4">
}

/** @throws PayoutRefused when no number was typed, or it is none */
export function readNumber(
  typed: string | null,
  accounts: Accounts,
  account: AccountOptions,
  payoutId: string
): TypedNumber {
  if (typed === null) throw new PayoutRefused("card_number_needed")
  const digits = cardDigits(typed)
  if (digits === null) throw new PayoutRefused("card_number_invalid")
  const [card_mac = null] = digestsOf(accounts.cardKeys(account), payoutId, digits)
  return { digits, kept: { card_mac, card_last4: digits.slice(-4) } }
}

/** @throws PayoutRefused when a number was typed for a saved card */
export function requireNoNumber(typed: string | null): void {
  if (typed !== null) throw new PayoutRefused("card_number_not_needed")
}

/** Nobody finds a number by trying: the last four digits are known, and the first six may be guessed. */
const MOST_WRONG_NUMBERS = 5

/**
 * Checks that a typed number is the one that was typed for this payout before: by who made it, who approved it, or who sent it first.
 * A wrong one is entered in the payout's journal.
 *
 * @throws PayoutRefused when it is another one, nobody can tell any more, or too many wrong ones were typed
 */
export async function requireSameNumber(
  { module }: SettlePorts,
  accounts: Accounts,
  seen: PayoutRow,
  { digits }: TypedNumber,
  admin: PayoutAdmin
): Promise<void> {
  const keys = accounts.cardKeys(accountFor(accounts, seen))
  const refusal = await module.payouts.change(seen.id, async (payout) => {
    const { id, card_mac } = payout.row
    if ((await payout.count("wrong_number")) >= MOST_WRONG_NUMBERS) return "too_many_numbers"
    if (!isComparable(card_mac, keys)) return "number_not_typed"
    if (digestsOf(keys, id, digits).some((digest) => digest === card_mac)) return null
    await payout.note("wrong_number", {}, admin)
    return "other_card_number"
  })
  if (refusal !== null) throw new PayoutRefused(refusal)
}
