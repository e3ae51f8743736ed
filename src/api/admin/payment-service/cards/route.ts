import { listSavedCards } from "../../../../payouts"
import type { AskedOf } from "../in-readers-language"
import { payoutRoute } from "../payouts/payout-route"

export const GET = payoutRoute(async (req: AskedOf<"cards">, module) => {
  const { only_active, account = null } = req.validatedQuery
  return { cards: await listSavedCards(await module.accounts(), account, only_active) }
})
