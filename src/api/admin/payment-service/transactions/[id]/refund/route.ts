import { askRefund } from "../../../../../../problems"
import type { BodyOf } from "../../../validators"
import { transactionRoute } from "../../transaction-route"

/** Asks for a refund, which the problem *refund due* of the answer stands for until the money has gone back. */
export const POST = transactionRoute<BodyOf<"transactions/:id/refund">>(
  async (ports, { row, body, by }) => {
    await askRefund(ports, row, { ...body, by })
    return await ports.module.transactions.get(row.id)
  }
)
