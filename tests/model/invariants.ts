import {
  causeOfBalance,
  causeOfStatus,
  causeOfTransaction,
  causeOfUnpaidOrder,
} from "../../src/settlement/cause"
import { sumOf } from "../../src/medusa/payments"
import { problemOf } from "../../src/settlement/problems"
import type { Sum } from "../../src/texts"
import type { Problem, Row } from "./books"
import { settleTransaction } from "../../src/workflows/settle/settle-transaction"
import { compareOrders, watch } from "./background"
import { hasOtherWay } from "./medusa"
import { kopecks, roundedToKopecks, thousandths } from "./money"
import { lookAfterPayouts } from "./payout-commands"
import { checkPayouts, checkPayoutsAtRest } from "./payout-rules"
import { Violation } from "./processes"
import { checkRefunds } from "./refund-rules"
import { STATUSES } from "./remote-service"
import type { Order, Payment } from "./shop"
import { finishAll, type World } from "./world"

const MINUTE = 60_000

/** Nobody pushes any more: everything that is under way ends, and the watcher looks until nothing is due. */
export async function comeToRest(world: World): Promise<void> {
  const { books, clock, processes, service } = world
  service.isDown = false
  service.stale = { reads: 0, changesAgo: 0 }
  await finishAll(world)
  for (let passes = 0; ; passes++) {
    const next = Math.min(
      ...books
        .list(({ watch_at, transaction_id }) => watch_at !== null && transaction_id !== null)
        .map(({ watch_at, settled_at, exception }) =>
          settled_at && !exception ? Infinity : (watch_at?.getTime() ?? Infinity)
        )
    )
    if (next === Infinity) break
    if (passes > 200) throw new Violation("the watcher never comes to an end")
    // The longer nothing happens, the later it looks; whoever is late must find the same.
    const pause = passes < 10 ? 0 : passes < 16 ? 10 * MINUTE : 3 * 60 * MINUTE
    clock.now = Math.max(clock.now + pause, next)
    processes.spawn("watch", () => watch(world))
    await finishAll(world)
  }
  processes.spawn("watch", () => watch(world))
  await finishAll(world)
  if (!world.payoutRules) return
  // Long enough for every payout that is under way to be taken for lost.
  clock.now += 20 * MINUTE
  processes.spawn("look after payouts", () => lookAfterPayouts(world))
  await finishAll(world)
}

/** And somebody names each of them once more, so that what is recorded is what is true now. */
export async function lookOnceMore(world: World): Promise<void> {
  for (const { id } of world.books.list(({ transaction_id }) => transaction_id !== null)) {
    // Nothing that a dead process held is held any more.
    world.clock.now += MINUTE
    world.processes.spawn("settle", () => settleTransaction(world.ports, id))
    await finishAll(world)
  }
  world.processes.spawn("watch", () => watch(world))
  world.processes.spawn("compare", () => compareOrders(world))
  await finishAll(world)
}

/** Must hold at any time. */
export function checkAlways(world: World): void {
  const { shop, books } = world
  checkPayouts(world)
  const payments = [...shop.payments.values()]
  for (const { id } of shop.collections.values()) {
    // Money that a person took care of may stay booked; the cart may be paid for once more then.
    const captured = payments.filter(
      ({ collectionId, capturedAt, canceledAt, rowId }) =>
        collectionId === id &&
        capturedAt &&
        !canceledAt &&
        !(rowId && books.retrieve(rowId).handled_at)
    )
    // When an order's total has risen since it was placed, another payment pays for the rest.
    const { totals } = shop.orderOf(id) ?? { totals: [] }
    if (captured.length > 1 && totals.length < 2) {
      throw new Violation(`${id}: captured ${captured.map((payment) => payment.id).join(" and ")}`)
    }
  }
  const open = books.problems
    .filter(({ closed_at }) => closed_at === null)
    .map(({ cause }) => cause)
  if (new Set(open).size < open.length) throw new Violation("two open problems of one cause")
  for (const { id } of books.list()) checkEvents(id)

  function checkEvents(rowId: string): void {
    let state = "pending"
    for (const { from, to } of books.events.filter((event) => event.rowId === rowId)) {
      if (from !== state || to === state) throw new Violation(`${rowId}: told ${from} to ${to}`)
      state = to
    }
  }
}

/** Must hold when everything has come to rest. */
export function checkAtRest(world: World): void {
  for (const row of world.books.list()) {
    const broken = row.transaction_id === null ? null : brokenRule(world, row, row.transaction_id)
    if (broken) throw new Violation(`${row.id}: ${broken}`)
  }
  checkOrders(world)
  checkRefunds(world)
  checkPayoutsAtRest(world)
  const untold = world.books.findUnpublished()
  if (untold[0]) throw new Violation(`${untold[0].id}: nobody was told that it settled`)
}

function brokenRule(world: World, row: Row, transactionId: string): string | null {
  const { books, service, shop } = world
  const truth = service.truth(transactionId)
  const captured = shop
    .paymentsOfRow(row.id)
    .filter(({ capturedAt, canceledAt }) => capturedAt !== null && canceledAt === null)
  const isInOrder = captured.some(({ collectionId }) => shop.orderOf(collectionId))
  const aboutStatus = causeOfStatus(row.merchant_id, truth.status)
  const problems = books.problems.filter(
    ({ cause }) => cause === causeOfTransaction(row.id) || cause === aboutStatus
  )
  const isWithAPerson = problems.some(
    ({ closed_at, resolution }) =>
      closed_at === null || resolution === "handled" || resolution === "refunded_outside"
  )

  // A problem that a person took care of may have closed by itself in the same moment.
  const isTakenCareOf = isWithAPerson || row.handled_at !== null
  if (captured.length && !isInOrder && !isTakenCareOf) {
    return "captured, and there is no order and no problem"
  }
  const isCalledPaid = STATUSES.paid.includes(truth.status)
  if (isCalledPaid && !isInOrder && !isTakenCareOf) {
    return `paid (${truth.amount} ${truth.currency}), and there is no order and no problem`
  }
  if (row.paid_at && !row.settled_at && !isTakenCareOf) {
    return "it was paid once, has not settled, and nobody was asked"
  }
  if (isCalledPaid && isInOrder && !row.settled_at && !isTakenCareOf) {
    return "in an order, not settled, and nobody was asked"
  }
  if (!isNamed(truth.status) && !isWithAPerson) {
    return `called "${truth.status}", and nobody was asked what that means`
  }
  const isTakenBack =
    STATUSES.reversed.includes(truth.status) ||
    (row.paid_at !== null && [...STATUSES.canceled, ...STATUSES.expired].includes(truth.status))
  if (isTakenBack && !isWithAPerson) return `taken back as "${truth.status}", and nobody was asked`

  const shown = problemOf(row)
  const isShownOpen = problems.some(({ closed_at, cause }) => !closed_at && cause === shown?.cause)
  if (shown && !isShownOpen && !isTakenCareOf) return `${shown.kind}, and nobody was asked`
  const isAboutNothing = problems.some(
    ({ closed_at, cause }) => !closed_at && cause === causeOfTransaction(row.id)
  )
  if (!row.exception && isAboutNothing) return "a problem is open, and nothing is out of order"

  const session = shop.sessions.get(row.session_id)
  const isClosed = row.state === "canceled" || row.state === "expired"
  if (
    isClosed &&
    isNamed(truth.status) &&
    session?.data.transaction_id === transactionId &&
    !session.paymentId &&
    !["canceled", "error"].includes(session.status)
  ) {
    return `${row.state}, and its session is ${session.status}`
  }
  const isOver = row.expires_at !== null && row.expires_at.getTime() < world.clock.now - 3_600_000
  if (STATUSES.pending.includes(truth.status) && isOver && row.state === "pending") {
    return "its time is over, and it is still pending"
  }
  return null
}

function isNamed(status: string): boolean {
  return Object.values(STATUSES).some((names: readonly string[]) => names.includes(status))
}

function checkOrders(world: World): void {
  for (const order of world.shop.orders.values()) {
    // A completion that failed has left it behind.
    if (!world.shop.collectionsOf(order.id).length) continue
    checkBalance(world, order)
    checkUnpaid(world, order)
  }
}

/** A kopeck and half a kopeck, in tenths of one: in between, sums may differ by how they are rounded. */
const KOPECK = 10
const HALF_A_KOPECK = 5

/** The money captured for an order equals its total, or the sum that a person accepted; else a person knows. */
function checkBalance(world: World, order: Order): void {
  const { shop, books } = world
  const captured = shop.paymentsOf(order.id).filter(({ capturedAt }) => capturedAt !== null)
  const ours = captured.flatMap(({ rowId }) => (rowId ? books.retrieve(rowId) : []))
  const problems = books.problems.filter(({ cause }) => cause === causeOfBalance(order.id))
  const isOpen = problems.some(({ closed_at }) => closed_at === null)
  // Until one has settled, each of them has a problem of its own.
  const hasSettled = ours.some(({ settled_at }) => settled_at !== null)
  if (order.canceledAt !== null || !hasSettled) {
    if (isOpen && order.canceledAt !== null)
      throw new Violation(`${order.id}: it is canceled, and somebody is asked for the rest`)
    return
  }
  const unbooked = captured.find(
    ({ rowId, bookedOn }) => rowId && books.retrieve(rowId).settled_at && bookedOn !== order.id
  )
  if (unbooked) throw new Violation(`${order.id}: ${unbooked.id} settled, and is not booked on it`)
  const paid = captured.reduce((sum, { amount }) => sum + thousandths(amount), 0)
  const accepted = ours
    .filter(({ handled_at }) => handled_at === null)
    .reduce(
      (sum, { amount, accepted_amount }) =>
        sum + (accepted_amount === null ? 0 : thousandths(amount) - thousandths(accepted_amount)),
      0
    )
  checkPlaced(world, order, captured)
  const outstanding = thousandths(shop.worth(order)) - paid
  const owed = withoutAccepted(outstanding, accepted)
  const isReversed = ({ rowId }: Payment) =>
    rowId !== null && books.retrieve(rowId).exception === "reversed"
  // Money that the service took back is no excess that anybody should pay back, and no more goes back than is held.
  const takenBack = heldOf(captured.filter(isReversed))
  const excess = Math.min(Math.max(0, -owed - takenBack), heldOf(captured) - takenBack)
  const missing = owed < 0 ? -excess : owed
  const isKnown = missing > 0 ? isDebtKnown(problems, missing) : isExcessKnown(problems, excess)
  if (Math.abs(missing) >= KOPECK && !isKnown) {
    throw new Violation(
      `${order.id}: worth ${order.total}, ${paid} thousandths were captured, and nobody was asked`
    )
  }
  if (Math.abs(missing) <= HALF_A_KOPECK && isOpen) {
    throw new Violation(`${order.id}: paid as it should be, and somebody is asked`)
  }
}

function isDebtKnown(problems: Problem[], debt: number): boolean {
  return problems.some(
    ({ kind, amount, resolution }) =>
      kind === "order_underpaid" && thousandths(amount ?? "0") === debt && resolution !== "settled"
  )
}

/** A person is asked about an excess, or a part of it, or took care of all parts. */
function isExcessKnown(problems: Problem[], excess: number): boolean {
  const asked = problems.filter(
    ({ facts, resolution }) => resolution !== "settled" && thousandths(excessIn(facts)) === excess
  )
  const sum = asked.reduce((total, { amount }) => total + thousandths(amount ?? "0"), 0)
  return sum >= excess || asked.some(({ closed_at }) => closed_at === null)
}

/** The money that is held of payments, in thousandths. */
function heldOf(payments: Payment[]): number {
  return payments.reduce(
    (sum, { amount, refunds }) =>
      sum + thousandths(amount) - thousandths(sumOf(refunds.filter(({ isAllowed }) => isAllowed))),
    0
  )
}

const excessIn = (facts: object) => ("excess" in facts ? (facts.excess as Sum).amount : "0")

/** An accepted sum explains what is outstanding, and never turns it round. */
function withoutAccepted(outstanding: number, accepted: number): number {
  if (Math.sign(outstanding) !== Math.sign(accepted)) return outstanding
  const left = outstanding - accepted
  return Math.sign(left) === Math.sign(outstanding) ? left : 0
}

/** An order that nobody has edited is worth what was captured for it, or what a person saw when they accepted that. */
function checkPlaced({ books, shop }: World, order: Order, captured: Payment[]): void {
  const rows = captured.flatMap(({ rowId }) => (rowId ? books.retrieve(rowId) : []))
  // Once a session has its payment, core completes its cart without asking us, whatever the cart is worth by
  // then: what is missing shows as outstanding on the order.
  const isBeyondUs = captured.some(({ hasLostItsOrder }) => hasLostItsOrder)
  // Core has placed it on another provider's payment, and asked us nothing either.
  const isAnothers = shop.paymentsOf(order.id).some(({ rowId }) => rowId === null)
  // A killed completion has asked nobody whether its session is of the cart's sum; what its order is owed then
  // is a problem, if it is not taken back before.
  if (order.totals.length > 1 || isBeyondUs || isAnothers || !order.isPlaced) return
  const accepted = rows.filter(({ accepted_amount }) => accepted_amount !== null)
  const seen = accepted.flatMap(({ accepted_cart_total }) => accepted_cart_total ?? [])
  if (seen.some((total) => kopecks(total) !== kopecks(order.total))) {
    throw new Violation(`${order.id}: it is worth ${order.total}, and a person saw ${seen.join()}`)
  }
  // Rounded once: what each of several payments is rounded by adds up.
  const paid = roundedToKopecks(captured.reduce((sum, { amount }) => sum + thousandths(amount), 0))
  if (!accepted.length && paid !== kopecks(order.total)) {
    throw new Violation(`${order.id}: worth ${order.total}, and ${paid} kopecks were captured`)
  }
}

function checkUnpaid({ shop, books }: World, order: Order): void {
  const collections = shop.collectionsOf(order.id).map(({ id }) => id)
  // A completion that was killed early has left it; only a person's own payment link was to pay for it.
  if (!collections.includes(shop.cart(order.cartId).collectionId)) return
  const rows = books.list((row) => collections.includes(row.payment_collection_id))
  // Core places an order without any payment only on a promise.
  const wasPromised = order.isPlaced || rows.some(({ deferred_at }) => deferred_at)
  // Where something is out of order, or a person took care of it, the order is theirs too.
  const mayBePaid =
    hasOtherWay(shop, order.id) ||
    rows.some((row) => books.isPayable(row) || row.exception !== null || row.handled_at !== null)
  if (mayBePaid || shop.paymentsOf(order.id).length || order.canceledAt) return
  if (wasPromised) {
    throw new Violation(`${order.id}: nothing can pay for it any more, and it is not canceled`)
  }
  // Sessions that another provider let go of are not ours to ask about.
  const isOurs =
    collections.every((id) => shop.sessionsOf(id).every(({ provider }) => provider === "ours")) &&
    ![...shop.payments.values()].some(
      ({ collectionId, rowId }) => collections.includes(collectionId) && rowId === null
    )
  if (isOurs && !books.problems.some(({ cause }) => cause === causeOfUnpaidOrder(order.id))) {
    throw new Violation(`${order.id}: nothing pays for it, and nobody was asked`)
  }
}
