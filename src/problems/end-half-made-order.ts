import type { SettlePorts } from "../payments/core"
import { endOfWait, type Settled, settleTransaction } from "../payments/queue"
import { refused } from "../refusals/refused"
import { requireSeenAtStake } from "./money-back"
import { doAction, type OpenProblem, requireTransaction } from "./open-problem"

export interface EndHalfMadeInput {
  problem_id: string
  /** The chosen action, see `ProblemAction`. */
  action: "link_order" | "replace_order"
  /** The payment's sum that the admin saw with the problem, as decimal text. */
  amount: string
  /** The order that the admin saw with the problem. */
  order_id: string
  ended_by: string | null
}

/** Ends the waiting of an order that a killed completion left unlinked, and settles its payment: for it, or for a new one. */
export async function endHalfMadeOrder(
  ports: SettlePorts,
  { problem_id, action, amount, order_id, ended_by: by }: EndHalfMadeInput
): Promise<Settled> {
  const { module, medusa, core } = ports
  const giveUpAt = endOfWait()
  const end = async (open: OpenProblem) => {
    const { problem, row } = open
    const { id, cart_id: cartId, payment_collection_id } = requireTransaction(row)
    if (order_id !== problem.order_id) throw refused("other_order", { seen: order_id })
    await requireSeenAtStake(ports, open, amount)
    const [order] = await medusa.listOrders({ id: order_id })
    if (problem.facts.isLinked || !cartId) throw refused("other_actions", { actions: "handle" })
    if (action === "link_order") {
      if (!order || order.isCanceled) throw refused("order_canceled")
      const taken = await medusa.findOrderId(payment_collection_id)
      if (taken && taken !== order.id) throw refused("cart_ordered")
      await core.linkOrder(order.id, payment_collection_id, cartId)
    } else if (order && !order.isCanceled) {
      await core.cancelOrder(order.id)
    }
    await core.finishKilledCompletion(cartId)
    if (action === "replace_order") await module.problems.close([problem.cause])
    return id
  }
  const rowId = await doAction(ports, { problem_id, action, by }, end, giveUpAt)
  return await settleTransaction(ports, rowId, giveUpAt)
}
