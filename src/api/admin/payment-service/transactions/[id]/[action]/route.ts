import { queueOf } from "../../../../../../payments"
import { askRefund, identifyTransaction } from "../../../../../../problems"
import { refused } from "../../../../../../refusals/refused"
import type { BodyOf } from "../../../validators"
import { transactionRoute } from "../route"
import { byName } from "../../../in-readers-language"

const settle = transactionRoute(async ({ module }, { row, by }) => {
  if (row.transaction_id === null) throw refused("id_unknown")
  await module.enterAction(row.id, "checked", by)
  return await queueOf(module).settle(row)
})

/** Takes the service's id for a transaction whose creation had no reply, and settles it. */
const identify = transactionRoute<BodyOf<"transactions/:id/identify">>(
  async (ports, { row, body, by }) => {
    await identifyTransaction(ports, row.id, body.transaction_id, by)
    return await ports.module.transactions.get(row.id)
  }
)

/** Asks for a refund, which the problem *refund due* of the answer stands for until the money has gone back. */
const refund = transactionRoute<BodyOf<"transactions/:id/refund">>(
  async (ports, { row, body, by }) => {
    await askRefund(ports, row, { ...body, by })
    return await ports.module.transactions.get(row.id)
  }
)

export const POST = byName({
  settle,
  identify,
  refund,
})
