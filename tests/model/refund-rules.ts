import { sumOf } from "../../src/medusa/payments"
import { compareAmounts, subtractAmounts } from "../../src/settlement/amount"
import { causeOfRefundDue } from "../../src/settlement/cause"
import type { Problem } from "./books"
import { Violation } from "./processes"
import type { Payment, Refund } from "./shop"
import type { World } from "./world"

/** A refund that our provider lets through: Medusa has never refunded more than is proved. */
export function checkRefund({ books }: World, payment: Payment, refund: Refund): void {
  refund.isAllowed = true
  const allowed = sumOf(payment.refunds.filter(({ isAllowed }) => isAllowed))
  const proven = sumOf(proofsOf(books, payment))
  if (compareAmounts(allowed, proven) > 0) {
    throw new Violation(`${payment.id}: ${allowed} were refunded, and ${proven} went back`)
  }
}

/** No cart becomes an order with money that went back outside. */
export function checkNotPaidBack({ books }: World, payment: Payment): void {
  if (proofsOf(books, payment).some(({ kind }) => kind === "outside")) {
    throw new Violation(`${payment.id}: an order is placed with money that went back`)
  }
}

/** When all has come to rest, what went back is refunded and booked once, and a person knows of what must go back. */
export function checkRefunds(world: World): void {
  for (const payment of world.shop.payments.values()) {
    const broken = payment.rowId && payment.capturedAt !== null && brokenRule(world, payment)
    if (broken) throw new Violation(`${payment.id}: ${broken}`)
  }
}

function brokenRule({ books, shop }: World, payment: Payment): string | null {
  const { id, amount, rowId, collectionId, refunds } = payment
  const row = books.retrieve(rowId ?? "")
  const order = shop.orderOf(collectionId)
  const proofs = proofsOf(books, payment)
  const [refunded, proven] = [sumOf(refunds), sumOf(proofs)]
  // An admin who was killed between a proof and its booking finds the problem open, unless what was paid back was
  // no refund and is over by itself; a refund whose process was killed before its provider answered is left behind.
  const isUnderWay =
    proofs.some(({ problem_id }) => problem_id && !isClosedByAPerson(books.problem(problem_id))) ||
    // A payout that no problem has asked for is refunded when somebody records it.
    proofs.some(
      ({ kind, problem_id, recorded_at }) =>
        kind === "payout" && problem_id === null && recorded_at === null
    ) ||
    refunds.some(({ isAllowed }) => !isAllowed)
  if (isUnderWay || row.handled_at) return null
  if (compareAmounts(refunded, proven) !== 0)
    return `${proven} went back, and ${refunded} is refunded`
  const booked = sumOf(
    shop.refundBookings.filter(
      ({ orderId, referenceId }) =>
        orderId === order?.id && [id, ...refunds.map((refund) => refund.id)].includes(referenceId)
    )
  )
  if (order && compareAmounts(subtractAmounts(0, booked), refunded) !== 0) {
    return `${refunded} is refunded, and ${order.id} shows ${booked}`
  }
  if (order && shop.isBeingChanged(order.id)) {
    return `${order.id} is not worth less yet by what is refunded, and nothing of it can be changed`
  }
  const isKnown = books.problems.some(
    ({ cause, resolution }) => cause === causeOfRefundDue(row.id) && resolution !== "settled"
  )
  const isHeld = compareAmounts(amount, refunded) > 0
  return order?.canceledAt && isHeld && row.exception !== "reversed" && !isKnown
    ? `${order.id} is canceled, and nobody was asked to pay back what is held for it`
    : null
}

function isClosedByAPerson({ resolution }: Problem): boolean {
  return resolution !== null && resolution !== "settled"
}

function proofsOf({ proofs }: World["books"], { rowId }: Payment) {
  return proofs.filter(({ transaction_row_id }) => transaction_row_id === rowId)
}
