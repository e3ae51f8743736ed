import type { TransactionRow } from "../../modules/payment-service"
import type { SettlePorts } from "../ports"

/**
 * Runs `work` while nobody else, on any instance, changes the target of a transaction: its cart, which stays the key of the order
 * that it becomes; an order without a cart; else the payment collection. All payments of one order wait for each other, in any of
 * its collections.
 *
 * @param work gets the row as loaded under the lock
 * @throws as `withCartLock` does
 */
export async function withTargetLock<T>(
  ports: SettlePorts,
  row: TransactionRow,
  work: (row: TransactionRow) => Promise<T>,
  waitMs?: number
): Promise<T> {
  const { module } = ports
  for (let awaited = row; ;) {
    const key = await targetOf(ports, awaited)
    const done = await ports.core.hold(
      key,
      async () => {
        awaited = await module.transactions.get(row.id)
        // During the wait, a person may have given the row another cart, or its collection may have got a cart or an order.
        return (await targetOf(ports, awaited)) === key ? { result: await work(awaited) } : null
      },
      waitMs
    )
    if (done) return done.result
  }
}

/** The key that core's own workflows lock to complete the cart or change the order. */
async function targetOf(
  ports: SettlePorts,
  { cart_id, payment_collection_id }: TransactionRow
): Promise<string> {
  if (cart_id) return cart_id
  const { orderId, cartId } = await ports.medusa.findOrderAndCartId(payment_collection_id)
  return cartId ?? orderId ?? payment_collection_id
}
