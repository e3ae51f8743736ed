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
import type { PaymentTarget } from "./statements/openings"

/** The longest time that reading other transactions of the same cart may delay a new one. */
export const LOOK_TIMEOUT_MS = 2_000
/** Only the latest ones are read, because the time to pay of older ones is over. */
const MOST_LOOKED_AT = 10
/** A read this recent is not repeated, because the request for a session has just made it. */
const FRESH_MS = 2_000

/**
 * The one look before a payment is opened: the order, if it is for one, and the transactions that can still pay for it or for the cart,
 * each freshly read.
 *
 * @throws MedusaError `NOT_ALLOWED` when the target is paid, or a payment for it is being taken: nobody must pay for the same
 * thing again. When an order is owed more by now, its earlier payments do not count.
 */
export async function payableTransactions(
  ports: Ports,
  accounts: Accounts,
  target: PaymentTarget,
  lookMs = LOOK_TIMEOUT_MS
) {
  const { module, medusa } = ports
  const { paid: known, watched } = await module.openings.findOthers(target, MOST_LOOKED_AT)
  if (known) throw await alreadyPaid(module, known, target)
  // The order is read after the rows, so that a payment which is just being taken is seen in one of the two.
  const order = target.orderId ? await medusa.findOrderMoney(target.collectionId) : null
  if (order?.isCanceled) throw refusedPayment("order_canceled")
  if (order && !isOwed(order.owed)) throw refusedPayment("order_paid")
  const looked = await Promise.all(
    watched.map(async (row) => {
      if (row.read_at && module.clock.now().getTime() - row.read_at.getTime() < FRESH_MS) return row
      // A silent service must not keep a shopper from choosing another way to pay.
      const look = await readTransaction(module, accounts, row, { timeoutMs: lookMs }).catch(
        () => null
      )
      return look?.row ?? row
    })
  )
  const paid = looked.find((row) => row.paid_at)
  if (paid) throw await alreadyPaid(module, paid, target)
  return { order, open: looked.filter((row) => row.state === "pending") }
}

/** The refusal because this row is paid already; the row is looked at again soon. */
export async function alreadyPaid(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  { orderId }: Pick<PaymentTarget, "orderId">
): Promise<Error> {
  await module.dueTransactions.hint(row.id)
  const target = orderId ? "order" : "cart"
  return refusedPayment(`${target}_${isPaidInOrder(row) ? "received" : "needs_look"}`)
}
