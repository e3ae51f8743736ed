import type { MedusaContainer } from "@medusajs/framework/types"

import { listCarts } from "../../medusa/cart"
import { findCartId } from "../../medusa/links"
import { findOrderToPay, type OrderToPay } from "../../medusa/order"
import { namesTransaction } from "../../medusa/payments"
import { heldPayment, listSessions, type Session } from "../../medusa/sessions"
import { paymentServiceModule, type TransactionRow } from "../../modules/payment-service"
import { compareAmounts } from "../../settlement/amount"
import type { MedusaState } from "../../settlement/evidence"
import { isClosedSession } from "../../settlement/session-status"
import { isClosed } from "../../settlement/transaction-state"

/**
 * What Medusa holds for a transaction right now: the other half of a decision. Of a cart that has become an order,
 * which is what counts then, nothing is read: core adds its total up anew each time.
 */
export async function loadMedusaState(
  container: MedusaContainer,
  row: TransactionRow
): Promise<MedusaState> {
  const collectionId = row.payment_collection_id
  const [sessions, cartId, order] = await Promise.all([
    listSessions(container, { payment_collection_id: collectionId }),
    findCartId(container, collectionId),
    findOrderToPay(container, collectionId),
  ])
  const session = sessionOf(row, sessions)
  const payment = session?.payment ?? null
  const other = sessions.find((one) => one.id !== session?.id && heldPayment(one))?.payment
  const [cart] = cartId && !order ? await listCarts(container, [cartId]) : []
  return {
    session,
    payment: payment && {
      id: payment.id,
      captured: payment.isCaptured,
      canceled: payment.isCanceled,
    },
    otherPayment: other ? { id: other.id } : null,
    cart: cart ?? null,
    order: order && (await judgedOrder(container, row, order, payment?.id ?? null)),
  }
}

/**
 * Two tabs may hold sessions of one transaction, and an updated session has moved on to another one: what a
 * session's own data names decides, and among several the one with a payment, then the row's.
 */
function sessionOf(row: TransactionRow, sessions: Session[]): Session | null {
  const named = sessions.filter((session) => namesTransaction(session, row))
  return (
    named.find(heldPayment) ??
    named.find(({ id }) => id === row.session_id) ??
    named[0] ??
    sessions.find(({ id, data }) => id === row.session_id && !data.transaction_id) ??
    null
  )
}

async function judgedOrder(
  container: MedusaContainer,
  row: TransactionRow,
  order: OrderToPay,
  paymentId: string | null
): Promise<MedusaState["order"]> {
  // Money that is there is for the order, however it stands with other payments.
  const payability = isClosed(row.state) ? await payabilityBeside(container, row.id, order) : "open"
  // Our rows know an order from when Medusa tells of it.
  const isUntold = row.cart_id !== null && row.order_id === null
  const owed = order.owedWithout(paymentId)
  return {
    id: order.id,
    canceled: order.isCanceled,
    owed,
    unpaid: payability === "lost",
    leftUnpaid: payability === "never promised" && isUntold && compareAmounts(owed, "0") > 0,
  }
}

/** Whether our payments, on whose promise an order may have been placed, or another way to pay can still pay for it. */
async function payabilityBeside(
  container: MedusaContainer,
  rowId: string,
  { collectionIds, isPaid }: OrderToPay
): Promise<"open" | "lost" | "never promised"> {
  if (isPaid) {
    return "open"
  }
  const { transactions } = paymentServiceModule(container)
  const { isDeferred, isPayable } = await transactions.promisesIn(collectionIds, rowId)
  // Our own sessions say nothing: what they can still be paid by are our rows.
  const ours = await transactions.providersIn(collectionIds)
  const sessions = await listSessions(container, { payment_collection_id: collectionIds })
  const hasOtherWay = sessions.some(
    ({ status, payment, providerId }) =>
      !isClosedSession(status) && !payment?.isCanceled && !ours.includes(providerId)
  )
  return isPayable || hasOtherWay ? "open" : isDeferred ? "lost" : "never promised"
}
