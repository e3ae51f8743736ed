import { paymentServiceModule } from "../../../../modules/payment-service"
import { lastDigits, listSavedCards } from "../../../../payouts"
import { maskedCard } from "../../../../payouts/rules/card-text"
import { payoutRoute } from "../payouts/payout-route"
import type { QueryOf } from "../validators"

/** The saved cards of an account, as the service lists them now. */
export const GET = payoutRoute<QueryOf<"cards">>(async (req, res) => {
  const { only_active, account } = req.validatedQuery
  const accounts = await paymentServiceModule(req.scope).accounts()
  const listed = await listSavedCards(accounts, account ?? null, only_active)
  res.json({
    cards: listed.cards.map((card) => ({
      card_id: card.cardId,
      masked: maskedCard(lastDigits(card)),
      last4: lastDigits(card),
      brand: card.brand,
      label: card.label,
      status: card.status,
      account: listed.account,
    })),
  })
})
