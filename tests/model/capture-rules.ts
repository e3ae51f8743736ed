import { sumOf } from "../../src/medusa/payments"
import type { Row } from "./books"
import { kopecks, thousandths } from "./money"
import { checkNotPaidOut } from "./payout-rules"
import { Violation } from "./processes"
import { STATUSES } from "./remote-service"
import type { Payment } from "./shop"
import type { World } from "./world"

/**
 * Money that Medusa books as ours: only after the service has said that this very transaction was paid,
 * with our id, reference, amount and currency, and only once.
 */
export function checkCapture(world: World, payment: Payment): void {
  const row = world.books.retrieve(payment.rowId ?? "")
  const wanted = kopecks(row.accepted_amount ?? row.amount)
  const proof = (world.service.answers.get(row.transaction_id ?? "") ?? []).some(
    (read) =>
      STATUSES.paid.includes(read.status) &&
      read.merchantId === row.merchant_id &&
      read.payload === row.id &&
      read.currency === row.currency &&
      kopecks(read.amount) === wanted
  )
  if (!proof) {
    throw new Violation(`${row.id}: captured without a read that showed it paid in full`)
  }
  if (kopecks(payment.amount) !== wanted || payment.currency.toUpperCase() !== row.currency) {
    throw new Violation(
      `${row.id}: ${payment.amount} ${payment.currency} were captured where ${wanted / 100} ${row.currency} were paid`
    )
  }
  if (row.handled_at && row.handled_at.getTime() < world.clock.now) {
    throw new Violation(`${row.id}: captured after a person had taken care of it`)
  }
  const captured = world.shop.paymentsOfRow(row.id).filter(({ capturedAt }) => capturedAt !== null)
  if (captured.length > 1) {
    throw new Violation(`${row.id}: captured by ${captured.map(({ id }) => id).join(" and ")}`)
  }
  checkNotPaidOut(world, payment)
  checkOrder(world, payment, row)
}

/** Sums with three digits after the point may each be a kopeck off, once they are rounded. */
const ROUNDING = 10

/**
 * Over all its collections, an order takes no more than it is worth, or was worth at any time since it was locked:
 * core's edits of an order take another lock. A person may accept more than that.
 */
function checkOrder({ shop, processes }: World, payment: Payment, row: Row): void {
  const order = shop.orderOf(payment.collectionId)
  if (!order || row.accepted_amount !== null) return
  const lock = [...shop.cartLocks.values()].find(({ holder }) => holder === processes.currentId)
  const since = lock?.since ?? Infinity
  const worth = order.totals
    .filter((_, index, all) => (all[index + 1]?.since ?? Infinity) >= since)
    .map(({ total }) => thousandths(total))
  const held = shop.paymentsOf(order.id)
  const taken = held.reduce(
    (sum, { amount, refunds }) => sum + thousandths(amount) - thousandths(sumOf(refunds)),
    0
  )
  if (taken > Math.max(...worth) + ROUNDING * held.length) {
    throw new Violation(
      `${row.id}: captured for ${order.id}, which is worth ${order.total} and paid`
    )
  }
}
