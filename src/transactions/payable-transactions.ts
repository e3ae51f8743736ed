import { MedusaError } from "@medusajs/framework/utils"

import type { Accounts, TransactionRow } from "../modules/payment-service"
import { isOwed } from "../settlement/amount"
import { isPaidInOrder } from "../settlement/standing"
import type { Ports, OurModule } from "./ports"
import { readTransaction } from "./read-transaction"
import type { SessionOrigin } from "./session-origin"

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
  if (known) {
    throw await alreadyPaid(module, known, target)
  }
  refuseUnlessOwed(order)
  const looked = await Promise.all(
    watched.map(async (row) => {
      if (isFresh(module, row)) {
        return row
      }
      // A silent service must not keep a shopper from choosing another way to pay.
      const look = await readTransaction(module, accounts, row, { timeoutMs: lookMs }).catch(
        () => null
      )
      return look?.row ?? row
    })
  )
  const paid = looked.find((row) => row.paid_at)
  if (paid) {
    throw await alreadyPaid(module, paid, target)
  }
  return looked.filter((row) => row.state === "pending")
}

/** @throws MedusaError `NOT_ALLOWED` when nothing remains to be paid for an order */
export function refuseUnlessOwed(order: PaymentTarget["order"]): void {
  if (order?.isCanceled) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "This order was canceled, so it cannot be paid any more. Please order again."
    )
  }
  if (order && !isOwed(order.owed)) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "This order is paid already. Please do not pay again."
    )
  }
}

async function alreadyPaid(
  module: OurModule,
  row: TransactionRow,
  { order }: PaymentTarget
): Promise<MedusaError> {
  await module.dueTransactions.hint(row.id)
  const received = `A payment for this ${order ? "order" : "cart"} has already been received`
  return new MedusaError(
    MedusaError.Types.NOT_ALLOWED,
    isPaidInOrder(row)
      ? `${received} and is being confirmed. Please do not pay again.`
      : `${received}, and the shop has to look at it. Please do not pay again, but contact the shop.`
  )
}

function isFresh(module: OurModule, row: TransactionRow): boolean {
  return row.read_at !== null && module.clock.now().getTime() - row.read_at.getTime() < FRESH_MS
}
