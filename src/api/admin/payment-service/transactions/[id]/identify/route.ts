import { identifyTransaction } from "../../../../../../problems"
import type { BodyOf } from "../../../validators"
import { transactionRoute } from "../../transaction-route"

/** Takes the service's id for a transaction whose creation had no reply, and settles it. */
export const POST = transactionRoute<BodyOf<"transactions/:id/identify">>(
  async (ports, { row, body, by }) => {
    await identifyTransaction(ports, row.id, body.transaction_id, by)
    return await ports.module.transactions.get(row.id)
  }
)
