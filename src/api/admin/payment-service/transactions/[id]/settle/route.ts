import { refused } from "../../../../../../modules/payment-service/refused-deed"
import { queueOf } from "../../../../../../workflows/settle/queue"
import { transactionRoute } from "../../transaction-route"

/** Reads the transaction at the service now, and makes Medusa follow. */
export const POST = transactionRoute(async ({ module }, { row, by }) => {
  if (row.transaction_id === null) throw refused("id_unknown")
  await module.enterDeed(row.id, "checked", {}, by)
  return await queueOf(module).settle(row)
})
