import type { Decision } from "../../src/settlement/decide"
import type { MedusaState } from "../../src/settlement/evidence"
import type { Row } from "./books"
import { Violation } from "./processes"
import type { World } from "./world"

const GRACE_MS = 2 * 60_000
const USUAL_TIME_MS = 60 * 60_000

/** Actions that a decision must never ask for, given its input. */
export function checkDecision(
  { books, shop }: World,
  judged: { row: Row; medusa: MedusaState; decision: Decision; now: Date }
): void {
  const { row, medusa, decision, now } = judged
  const { action } = decision
  const movesMoney =
    action.do === "place_order" || action.do === "authorize" || action.do === "capture"
  if (movesMoney && medusa.order?.canceled && !medusa.payment?.captured) {
    throw new Violation(`${row.id}: ${action.do} for order ${medusa.order.id}, which is canceled`)
  }
  if (movesMoney && row.handled_at) {
    throw new Violation(`${row.id}: ${action.do} for what a person has taken care of`)
  }
  if (action.do === "cancel_order") {
    const end = row.expires_at?.getTime() ?? row.opened_at.getTime() + USUAL_TIME_MS
    if (now.getTime() < end + GRACE_MS) {
      throw new Violation(`${row.id}: order ${action.orderId} canceled before its time is over`)
    }
    if (medusa.payment || medusa.otherPayment) {
      throw new Violation(`${row.id}: order ${action.orderId} canceled, which is paid`)
    }
    const collections = shop.collectionsOf(action.orderId).map(({ id }) => id)
    if (shop.paymentsOf(action.orderId).length) {
      throw new Violation(`${row.id}: order ${action.orderId} canceled, which is paid elsewhere`)
    }
    const payable = books.list(
      (other) =>
        collections.includes(other.payment_collection_id) &&
        other.id !== row.id &&
        !other.handled_at &&
        (other.state === "pending" || other.state === "paid")
    )
    if (payable[0]) {
      throw new Violation(
        `${row.id}: order ${action.orderId} canceled, which ${payable[0].id} can pay for`
      )
    }
  }
}
