import { paymentServiceModule } from "../../../../modules/payment-service"
import { listSavedCards } from "../../../../payouts"
import type { Asked } from "../in-readers-language"
import { payoutRoute } from "../payouts/payout-route"
import type { QueryOf } from "../validators"

/** The saved cards of an account, as the service lists them now. */
export const GET = payoutRoute(async (req: Asked<unknown, QueryOf<"cards">>) => {
  const { only_active, account = null } = req.validatedQuery
  const accounts = await paymentServiceModule(req.scope).accounts()
  return { cards: await listSavedCards(accounts, account, only_active) }
})
