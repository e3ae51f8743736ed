import type { OrderMoney } from "../medusa/order"
import type {
  Accounts,
  TransactionRow,
  PaymentServiceModuleService,
} from "../modules/payment-service"
import { refusedPayment } from "../refusals/refused"
import { isOwed } from "../values/amount"
import type { Ports } from "./ports"
import { readTransaction } from "./read-transaction"
import { isPaidInOrder } from "./rules/standing"

/** The longest time that reading other transactions of the same cart may delay a new one. */
export const LOOK_TIMEOUT_MS = 2_000
/** Only the latest ones are read, because the time to pay of older ones is over. */
const MOST_LOOKED_AT = 10
/** A read this recent is not repeated, because the request for a session has just made it. */
const FRESH_MS = 2_000

/** The target of a payment: an order, through any of its payment collections, or the one payment collection. */
type PaymentTarget = Pick<SessionOrigin, "paymentCollectionId" | "order">

/**
 * Transactions that can still pay for a cart, or for an order in any of its collections, each freshly read.
 *
 * @throws MedusaError `NOT_ALLOWED` when the target is paid, or a payment for it is being taken: nobody must pay for the same
 * thing again. When an order is owed more by now, its earlier payments do not count.
 */
export async function payableTransactions(
  ports: Ports,
  accounts: Accounts,
  target: PaymentTarget,
  lookMs = LOOK_TIMEOUT_MS
): Promise<TransactionRow[]> {
  const { module } = ports
  const { order, paymentCollectionId } = target
  const collections = order?.collectionIds ?? [paymentCollectionId]
  const { paid: known, watched } = await module.openings.findOthers(collections, {
    isOrder: order !== null,
    most: MOST_LOOKED_AT,
  })
  if (known) throw await alreadyPaid(module, known, target)
  refuseUnlessOwed(order)
  const looked = await Promise.all(
    watched.map(async (row) => {
      if (isFresh(module, row)) return row
      // A silent service must not keep a shopper from choosing another way to pay.
      const look = await readTransaction(module, accounts, row, { timeoutMs: lookMs }).catch(
        () => null
      )
      return look?.row ?? row
    })
  )
  const paid = looked.find((row) => row.paid_at)
  if (paid) throw await alreadyPaid(module, paid, target)
  return looked.filter((row) => row.state === "pending")
}

/** @throws MedusaError `NOT_ALLOWED` when nothing remains to be paid for an order */
export function refuseUnlessOwed(order: PaymentTarget["order"]): void {
  if (order?.isCanceled) throw refusedPayment("order_canceled")
  if (order && !isOwed(order.owed)) throw refusedPayment("order_paid")
}

/** The refusal because this row is paid already; the row is looked at again soon. */
export async function alreadyPaid(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  { order }: Pick<PaymentTarget, "order">
): Promise<Error> {
  await module.dueTransactions.hint(row.id)
  const target = order ? "order" : "cart"
  return refusedPayment(`${target}_${isPaidInOrder(row) ? "received" : "needs_look"}`)
}

function isFresh(module: PaymentServiceModuleService, row: TransactionRow): boolean {
  return row.read_at !== null && module.clock.now().getTime() - row.read_at.getTime() < FRESH_MS
}

/** A payment session with its account, and the cart and the order that its collection belongs to. */
export type SessionOrigin = Awaited<ReturnType<typeof findSessionOrigin>>

/**
 * Finds the cart or order of a session. Everything is read on the server: no data from a browser decides who pays, for what, or
 * through which account.
 *
 * @throws MedusaError `NOT_FOUND` when the session does not exist, `NOT_ALLOWED` when its order does not
 */
export async function findSessionOrigin({ medusa }: Ports, sessionId: string, method: string) {
  const subject = await medusa.findSessionSubject(sessionId)
  if (!subject) throw refusedPayment("session_gone", { session: sessionId })
  const { providerId, collectionId, cartId, orderId, storeName } = subject
  const order: Pick<OrderMoney, "id" | "isCanceled" | "owed" | "collectionIds"> | null = orderId
    ? await medusa.findOrderMoney(collectionId)
    : null
  // Core rolls back an order that fails at its end, but a payment link may have been made for it before that.
  if (orderId && !cartId && !order) throw refusedPayment("order_not_placed")
  return {
    sessionId,
    providerId,
    /** The provider entry's `id`, which is the account at the service. */
    account: providerId.slice(`pp_${method}_`.length),
    paymentCollectionId: collectionId,
    cartId,
    order,
    storeName,
  }
}
