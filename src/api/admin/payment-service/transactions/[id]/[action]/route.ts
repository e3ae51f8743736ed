import { queueOf } from "../../../../../../payments"
import { askRefund, identifyTransaction } from "../../../../../../problems"
import { refused } from "../../../../../../refusals/refused"
import type { BodyOf } from "../../../validators"
import { transactionRoute } from "../route"
import { byName } from "../../../in-readers-language"

const settle = transactionRoute(async ({ module }, { row, by }) => {
  if (row.transaction_id === null) throw refused("id_unknown")
  await module.enterAction(row.id, "checked", by)
  await queueOf(module).settle(row)
})

const identify = transactionRoute<BodyOf<"transactions/:id/identify">>((ports, { row, body, by }) =>
  identifyTransaction(ports, row.id, body.transaction_id, by)
)

/** Asks for a refund, which the problem *refund due* of the answer stands for until the money has gone back. */
const refund = transactionRoute<BodyOf<"transactions/:id/refund">>((ports, { row, body, by }) =>
  askRefund(ports, row, { ...body, by })
)

export const POST = byName({ settle, identify, refund })
