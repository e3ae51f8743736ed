import { paymentServiceModule } from "../../../../modules/payment-service"
import { lastDigits, listSavedCards } from "../../../../payouts"
import { maskedCard } from "../../../../payouts/rules/card-text"
import type { Asked } from "../in-readers-language"
import { payoutRoute } from "../payouts/payout-route"
import type { QueryOf } from "../validators"

/** The saved cards of an account, as the service lists them now. */
export const GET = payoutRoute(async (req: Asked<unknown, QueryOf<"cards">>) => {
  const { only_active, account } = req.validatedQuery
  const accounts = await paymentServiceModule(req.scope).accounts()
  const listed = await listSavedCards(accounts, account ?? null, only_active)
  return {
    cards: listed.cards.map((card) => ({
      card_id: card.cardId,
      masked: maskedCard(lastDigits(card)),
      last4: lastDigits(card),
      brand: card.brand,
      label: card.label,
      status: card.status,
      account: listed.account,
    })),
  }
})
