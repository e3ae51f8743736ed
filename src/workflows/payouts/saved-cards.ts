import type { AccountOptions, Accounts, PayoutRow } from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"
import type { ReplyFacts, SavedCard, SavedCards } from "../../service/client"
import { PaymentServiceError } from "../../service/errors"
import { withoutCardNumbers } from "../../settlement/payouts/card-text"
import { isClockOff, lastFour } from "../../settlement/payouts/outcome"
import { clockRemark } from "../../settlement/payouts/reasons"
import type { PayoutRefusal } from "../../settlement/payouts/refusals"
import type { SettlePorts } from "../ports"
import { PayoutRefused } from "./refused"
import { accountOf, withSigningSecret } from "./rules"

/** The columns of a payout that describe its card. */
export type PaidCard = Pick<PayoutRow, "card_id" | "card_last4" | "card_brand" | "card_label">

export const TYPED_NUMBER: PaidCard = {
  card_id: null,
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
  const client = accounts.client(withSigningSecret(options))
  let heard: Partial<ReplyFacts> = {}
  const onReply = (reply: ReplyFacts) => void (heard = reply)
  try {
    const listed = await client.listCards({ onlyActive }, { onReply })
    return { account, cards: listed.cards.map(withoutNumbers) }
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
 * Checks that the service pays to a saved card. A failed check refuses nothing, because the payout's own request will show it.
 *
 * @throws PayoutRefused when the card is gone or not active
 */
export async function lookAtCard(
  { module }: SettlePorts,
  accounts: Accounts,
  account: AccountOptions,
  cardId: string
): Promise<PaidCard | null> {
  let listed: SavedCards
  try {
    listed = await accounts.client(account).listCards({ onlyActive: false }, { retries: 0 })
  } catch (error) {
    if (!(error instanceof PaymentServiceError)) throw error
    module.logger.warn(`Payment Service: the saved cards could not be read: ${reasonOf(error)}`)
    return null
  }
  const found = listed.cards.find((one) => one.cardId.toLowerCase() === cardId.toLowerCase())
  // The card may be one of the unreadable entries.
  if (!found && listed.unreadable > 0) return null
  if (!found) throw new PayoutRefused("card_gone")
  const card = withoutNumbers(found)
  if (card.status !== "ACTIVE") throw new PayoutRefused("card_not_active")
  return {
    card_id: card.cardId,
    card_last4: lastDigits(card),
    card_brand: card.brand?.slice(0, LONGEST_LABEL) ?? null,
    card_label: card.label?.slice(0, LONGEST_LABEL) ?? null,
  }
}

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
