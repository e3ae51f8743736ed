import { queueOf } from "../../../../../../payments"
import { refused } from "../../../../../../refusals/refused"
import { transactionRoute } from "../../transaction-route"

/** Reads the transaction at the service now, and makes Medusa follow. */
export const POST = transactionRoute(async ({ module }, { row, by }) => {
  if (row.transaction_id === null) throw refused("id_unknown")
  await module.enterAction(row.id, "checked", by)
  return await queueOf(module).settle(row)
})
