import type { AccountOptions, Accounts, PayoutRow } from "../../modules/payment-service"
import { digestsOf, isComparable } from "../../settlement/digests"
import { cardDigits } from "../../settlement/payouts/card-text"
import { PayoutRefused } from "./refused"

/** A payout whose card is typed, by its id and what it keeps of the number. */
type TypedPayout = Pick<PayoutRow, "id" | "card_mac">

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

/**
 * Checks that a typed number is the one that was typed for this payout before: by who made it, who approved it, or who sent it first.
 *
 * @throws PayoutRefused when it is another one, or nobody can tell any more
 */
export function requireSameNumber(
  { id, card_mac }: TypedPayout,
  { digits }: TypedNumber,
  accounts: Accounts,
  account: AccountOptions
): void {
  const keys = accounts.cardKeys(account)
  if (!isComparable(card_mac, keys)) throw new PayoutRefused("number_not_typed")
  if (!digestsOf(keys, id, digits).some((digest) => digest === card_mac)) {
    throw new PayoutRefused("other_card_number")
  }
}
