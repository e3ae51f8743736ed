import { causeOfStatus, causeOfTransaction, causeOfUnpaidOrder } from "../../src/settlement/cause"
import { problemOf } from "../../src/settlement/problem"
import type { Row } from "./books"
import { kopecks } from "./money"
import { Violation } from "./processes"
import { STATUSES } from "./remote-service"
import { hasOtherWay, settle, settleCallback, watch } from "./settle"
import { finishAll, type World } from "./world"

const MINUTE = 60_000

/** Nobody pushes any more: everything that is under way ends, and the watcher looks until nothing is due. */
export function comeToRest(world: World): void {
  const { books, clock, processes, service } = world
  service.isDown = false
  service.stale = { reads: 0, changesAgo: 0 }
  finishAll(world)
  for (const rowId of books.inbox) {
    processes.spawn("callback", settleCallback(world, rowId))
    finishAll(world)
  }
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
    processes.spawn("watch", watch(world))
    finishAll(world)
  }
  processes.spawn("watch", watch(world))
  finishAll(world)
}

/** And somebody names each of them once more, so that what is recorded is what is true now. */
export function lookOnceMore(world: World): void {
  for (const { id } of world.books.list(({ transaction_id }) => transaction_id !== null)) {
    // Nothing that a dead process held is held any more.
    world.clock.now += MINUTE
    world.processes.spawn("settle", settle(world, id))
    finishAll(world)
  }
  world.processes.spawn("watch", watch(world))
  finishAll(world)
}

/** What must hold at any time. */
export function checkAlways({ shop, books }: World): void {
  const payments = [...shop.payments.values()]
  for (const { id } of shop.collections.values()) {
    // What a person took care of may stay booked; the cart may be paid for once more then.
    const captured = payments.filter(
      ({ collectionId, capturedAt, canceledAt, rowId }) =>
        collectionId === id &&
        capturedAt &&
        !canceledAt &&
        !(rowId && books.retrieve(rowId).handled_at)
    )
    if (captured.length > 1) {
      throw new Violation(`${id}: captured ${captured.map((payment) => payment.id).join(" and ")}`)
    }
  }
  const open = books.problems.filter(({ closedAt }) => closedAt === null).map(({ cause }) => cause)
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

/** What must hold when everything has come to rest. */
export function checkAtRest(world: World): void {
  for (const row of world.books.list()) {
    const broken = row.transaction_id === null ? null : brokenRule(world, row, row.transaction_id)
    if (broken) throw new Violation(`${row.id}: ${broken}`)
  }
  checkOrders(world)
  const untold = world.books.findUntold()
  if (untold[0]) throw new Violation(`${untold[0].id}: nobody was told that it settled`)
}

function brokenRule(world: World, row: Row, transactionId: string): string | null {
  const { books, service, shop } = world
  const truth = service.truth(transactionId)
  const captured = shop
    .paymentsOfRow(row.id)
    .filter(({ capturedAt, canceledAt }) => capturedAt !== null && canceledAt === null)
  const isInOrder = captured.some(({ collectionId }) => shop.collection(collectionId).orderId)
  const aboutStatus = causeOfStatus(row.merchant_id, truth.status)
  const problems = books.problems.filter(
    ({ cause }) => cause === causeOfTransaction(row.id) || cause === aboutStatus
  )
  const isWithAPerson = problems.some(
    ({ closedAt, resolution }) =>
      closedAt === null || resolution === "handled" || resolution === "refunded_outside"
  )

  // What a person took care of may have closed by itself in the same moment.
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
  const isShownOpen = problems.some(({ closedAt, cause }) => !closedAt && cause === shown?.cause)
  if (shown && !isShownOpen && !isTakenCareOf) return `${shown.kind}, and nobody was asked`
  const isAboutNothing = problems.some(
    ({ closedAt, cause }) => !closedAt && cause === causeOfTransaction(row.id)
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

function checkOrders({ shop, books }: World): void {
  for (const order of shop.orders.values()) {
    const collection = shop.collection(shop.cart(order.cartId).collectionId)
    if (collection.orderId !== order.id) continue
    const rows = books.list((row) => row.payment_collection_id === collection.id)
    const paid = shop.heldPayments(collection.id)
    const [payment] = paid.filter(({ capturedAt, rowId }) => capturedAt !== null && rowId)
    if (payment) {
      const row = books.retrieve(payment.rowId ?? "")
      const isAcceptedForOrder = row.accepted_amount !== null && row.accepted_cart_total === null
      const expected = row.accepted_cart_total ?? payment.amount
      // Once a session has its payment, core completes its cart without asking us, whatever the cart is worth
      // by then: what is missing shows as outstanding on the order.
      const isBeyondUs = isAcceptedForOrder || payment.hasLostItsOrder
      if (!isBeyondUs && kopecks(order.total) !== kopecks(expected)) {
        throw new Violation(
          `${order.id}: it is worth ${order.total}, and ${payment.amount} were captured`
        )
      }
    }
    const wasPromised = rows.some(({ deferred_at }) => deferred_at)
    // Where something is out of order, or a person took care of it, the order is theirs too.
    const mayBePaid =
      hasOtherWay(shop, collection.id) ||
      rows.some((row) => books.isPayable(row) || row.exception !== null || row.handled_at !== null)
    if (mayBePaid || paid.length || order.canceledAt) continue
    if (wasPromised) {
      throw new Violation(`${order.id}: nothing can pay for it any more, and it is not canceled`)
    }
    // What another provider let go of is not ours to ask about.
    const isOurs =
      shop.sessionsOf(collection.id).every(({ provider }) => provider === "ours") &&
      ![...shop.payments.values()].some(
        ({ collectionId, rowId }) => collectionId === collection.id && rowId === null
      )
    if (isOurs && !books.problems.some(({ cause }) => cause === causeOfUnpaidOrder(order.id))) {
      throw new Violation(`${order.id}: nothing pays for it, and nobody was asked`)
    }
  }
}
