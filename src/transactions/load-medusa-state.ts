import type { OrderToPay } from "../medusa/order"
import { namesTransaction } from "../medusa/payments"
import { holdsPayment, type Session } from "../medusa/sessions"
import type { TransactionRow } from "../modules/payment-service"
import { compareAmounts } from "../settlement/amount"
import type { MedusaState } from "../settlement/evidence"
import type { RowId } from "../settlement/ids"
import { isClosedSession } from "../settlement/session-status"
import { isClosed } from "../settlement/transaction-state"
import type { Ports } from "./ports"

/**
 * Loads Medusa's present records of a transaction for `decide`. Once a cart has become an order, only the order counts: the cart
 * is not read then, because core computes its total anew on each read.
 */
export async function loadMedusaState(ports: Ports, row: TransactionRow): Promise<MedusaState> {
  const collectionId = row.payment_collection_id
  const [sessions, cartId, order] = await Promise.all([
    ports.medusa.listSessions({ payment_collection_id: collectionId }),
    ports.medusa.findCartId(collectionId),
    ports.medusa.findOrderToPay(collectionId),
  ])
  const session = sessionOf(row, sessions)
  const payment = session?.payment ?? null
  const other = sessions.find((one) => one.id !== session?.id && holdsPayment(one))?.payment
  const [cart] = cartId && !order ? await ports.medusa.listCarts([cartId]) : []
  return {
    session,
    payment: payment && {
      id: payment.id,
      captured: payment.isCaptured,
      canceled: payment.isCanceled,
    },
    otherPayment: other ? { id: other.id } : null,
    cart: cart ?? null,
    order: order && (await judgedOrder(ports, row, order, payment?.id ?? null)),
  }
}

/**
 * The session of a transaction. Two tabs may have sessions of one transaction, and an updated session may belong to another one
 * by now, so the id in a session's data decides. Among several sessions, the one with a payment is chosen, else the row's.
 */
function sessionOf(row: TransactionRow, sessions: Session[]): Session | null {
  const named = sessions.filter((session) => namesTransaction(session, row))
  return (
    named.find(holdsPayment) ??
    named.find(({ id }) => id === row.session_id) ??
    named[0] ??
    sessions.find(({ id, data }) => id === row.session_id && !data.transaction_id) ??
    null
  )
}

async function judgedOrder(
  ports: Ports,
  row: TransactionRow,
  order: OrderToPay,
  paymentId: string | null
): Promise<MedusaState["order"]> {
  // Other payments matter only when this one is over; until then it can pay for the order.
  const payability = isClosed(row.state) ? await payabilityBeside(ports, row.id, order) : "open"
  const owed = order.owedWithout(paymentId)
  return {
    id: order.id,
    canceled: order.isCanceled,
    owed,
    unpaid: payability === "lost",
    // Core makes an order of a cart only with its payment, so a completion that ended half-way has left this one.
    leftUnpaid:
      payability === "never promised" && row.cart_id !== null && compareAmounts(owed, "0") > 0,
  }
}

/**
 * Whether another payment, ours or not, has paid for the order or still can (`open`). If not, the order is `lost` when it was
 * placed on the promise of a payment of ours, else a payment was `never promised`.
 */
async function payabilityBeside(
  ports: Ports,
  rowId: RowId,
  { collectionIds, isPaid }: OrderToPay
): Promise<"open" | "lost" | "never promised"> {
  if (isPaid) {
    return "open"
  }
  const { transactions } = ports.module
  // Sessions of our own providers are left out, because our rows show whether they can still be paid.
  const ours = await transactions.providersIn(collectionIds)
  const sessions = await ports.medusa.listSessions({ payment_collection_id: collectionIds })
  const hasOtherWay = sessions.some(
    ({ status, payment, providerId }) =>
      !isClosedSession(status) && !payment?.isCanceled && !ours.includes(providerId)
  )
  // Our rows are read last: a shopper may choose our way to pay for the order meanwhile.
  const { isDeferred, isPayable } = await transactions.payabilityIn(collectionIds, rowId)
  return isPayable || hasOtherWay ? "open" : isDeferred ? "lost" : "never promised"
}
