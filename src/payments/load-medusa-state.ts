import type { OrderMoney } from "../medusa/order"
import {
  type Cart,
  holdsPayment,
  namesTransaction,
  type Payment,
  type Session,
} from "../medusa/reader"
import type { LedgerEntryRow, TransactionRow } from "../modules/payment-service"
import { compareAmounts, isOwed, remainder, subtractAmounts, sumOf } from "../values/amount"
import type { Ports } from "./ports"
import { isClosedSession, type MedusaState } from "./rules/decide"
import { proofsOf, provenRefunds, unusedProofs } from "./rules/ledger"
import { endOfTimeToPay, isClosed, providerIdOf } from "./rules/transaction"

/** Medusa's records of a transaction, with all sessions of its collection. */
export type LoadedState = MedusaState & { sessions: Session[]; cart: Cart | null }

/**
 * Loads Medusa's present records of a transaction for `decide`. Once a cart has become an order, only the order counts: the cart
 * is not read then, because core computes its total anew on each read.
 */
export async function loadMedusaState(ports: Ports, row: TransactionRow): Promise<LoadedState> {
  const collectionId = row.payment_collection_id
  const [sessions, order] = await Promise.all([
    ports.medusa.listSessions({ payment_collection_id: collectionId }),
    ports.medusa.findOrderMoney(collectionId),
  ])
  const cartId = order ? null : await ports.medusa.findCartId(collectionId)
  const session = sessionOf(row, sessions)
  const payment = session?.payment ?? null
  const other = sessions.find((one) => one.id !== session?.id && holdsPayment(one))?.payment
  const [cart] = cartId ? await ports.medusa.listCarts([cartId]) : []
  return {
    sessions,
    session,
    payment: payment && {
      id: payment.id,
      captured: payment.isCaptured,
      canceled: payment.isCanceled,
    },
    otherPayment: other ? { id: other.id, captured: other.isCaptured } : null,
    cart: cart ?? null,
    order: order && {
      ...payableOrder(order),
      // Other payments matter only when this one is over; until then it can pay for the order.
      unpaid: isClosed(row.state) ? await whenUnpaid(ports, row, order) : null,
    },
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

/** An order as far as a payment that may still come is concerned. */
export function payableOrder(order: OrderMoney): NonNullable<MedusaState["order"]> {
  const { id, isCanceled: canceled, owed, promised, paidAt } = order
  return { id, canceled, owed, promised, paidAt, unpaid: null }
}

/** The end of an order for which no payment of ours pays any more; see `MedusaState`. */
async function whenUnpaid(
  ports: Ports,
  { id: rowId, cart_id }: TransactionRow,
  { collectionIds, owed, isUntouched }: OrderMoney
): Promise<"cancel" | "tell" | null> {
  if (!isOwed(owed)) return null
  const sessions = await ports.medusa.listSessions({ payment_collection_id: collectionIds })
  // Our rows are read last: a shopper may choose our way to pay for the order meanwhile.
  const attempts = await ports.module.transactions.inCollections(collectionIds)
  const now = ports.module.clock.now()
  if (attempts.some((one) => one.id !== rowId && canBringMoney(one, now))) return null
  // Of our own providers' sessions, our rows show whether they can still be paid.
  const ours = attempts.map(providerIdOf)
  const isOpenElsewhere = sessions.some(
    ({ status, payment, providerId }) =>
      !isClosedSession(status) && !payment && !ours.includes(providerId)
  )
  if (attempts.some((one) => one.deferred_at !== null)) {
    return isUntouched && !isOpenElsewhere ? "cancel" : "tell"
  }
  // Core makes an order of a cart only with its payment, so a completion that ended half-way has left this one.
  return cart_id === null ? null : "tell"
}

/** Whether a payment can still come of it. A creation without a reply counts for the usual time to pay. */
function canBringMoney(row: TransactionRow, now: Date): boolean {
  if (row.handled_at) return false
  const isUnanswered = row.state === "creating" || row.state === "unknown"
  return (
    row.state === "pending" || row.state === "paid" || (isUnanswered && endOfTimeToPay(row) > now)
  )
}

/** The money that Medusa holds from a transaction's payment. */
export interface CapturedMoney {
  /** The ledger of this payment, oldest first. */
  entries: LedgerEntryRow[]
  /** Captures minus proven refunds, exact; decimal text. */
  amount: string
  /** Medusa's refunds of a reversal that the service has withdrawn; the shop has that money. */
  withdrawn: string
  /** Proofs for which Medusa has no refund yet; none of money that it never took. */
  unbooked: LedgerEntryRow[]
}

/**
 * @param entries of this row
 * @param isBooked whether the order has a refund, so that it counts
 */
export function heldMoneyOf(
  row: TransactionRow,
  payments: Payment[],
  entries: LedgerEntryRow[],
  isBooked: (refundId: string) => boolean = () => true
): CapturedMoney {
  const own = payments.filter((payment) => namesTransaction(payment, row))
  const captured = sumOf(own.flatMap(({ captures }) => captures))
  const refunds = own.flatMap((payment) => payment.refunds).filter(({ id }) => isBooked(id))
  const proofs = proofsOf(row, entries)
  const proven = sumOf(provenRefunds(proofs, refunds))
  return {
    entries,
    amount: subtractAmounts(captured, proven),
    withdrawn: subtractAmounts(sumOf(provenRefunds(entries, refunds)), proven),
    unbooked: compareAmounts(captured, 0) > 0 ? unusedProofs(proofs, refunds) : [],
  }
}

/** The money that Medusa holds, without money that went back and is to be booked. */
export const stillHeld = ({ amount, unbooked }: CapturedMoney) => remainder(amount, sumOf(unbooked))

/**
 * Medusa's payments of a transaction that are not canceled. It reads payments instead of sessions, because another tab can delete a
 * session while it becomes a payment.
 */
export async function listHeldPayments(
  { medusa }: Ports,
  row: Pick<TransactionRow, "transaction_id" | "payment_collection_id" | "method" | "account">
): Promise<Payment[]> {
  const payments = await medusa.listPayments({ payment_collection_id: row.payment_collection_id })
  return payments.filter((payment) => namesTransaction(payment, row) && !payment.isCanceled)
}

export async function findCapturedMoney(ports: Ports, row: TransactionRow): Promise<CapturedMoney> {
  const ofRow = { payment_collection_id: row.payment_collection_id }
  const payments = await ports.medusa.listPayments(ofRow)
  return heldMoneyOf(row, payments, await ports.module.ledger.of([row.id]))
}
