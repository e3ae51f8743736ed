import { namesTransaction, type OrderMoney, type Payment } from "../medusa/reader"
import type { LedgerEntryRow, TransactionRow } from "../modules/payment-service"
import { causeOfBalance, causeOfRefundDue, problem } from "../problems/rules/problems"
import { subjectOf } from "../problems/statements/problems"
import { refusedPayment } from "../refusals/refused"
import {
  compareAmounts,
  compareSums,
  isOwed,
  remainder,
  smaller,
  subtractAmounts,
  sumOf,
  toWireAmount,
} from "../values/amount"
import { lookAt, type Ports } from "./read-transaction"
import { dueOf, provenRefunds, unusedProofs } from "./rules/ledger"
import { isPaidAndNotHandled } from "./rules/transaction"

const ONE_AT_A_TIME = { ttlMs: 10_000, waitMs: 15_000 }

/** A payment of ours that Medusa captured for the order, and its money. */
type OurPayment = { row: TransactionRow; held: CapturedMoney }

type FollowedOrder = Awaited<ReturnType<typeof moneyOf>>[number]

export async function followOrderOf(ports: Ports, row: TransactionRow): Promise<void> {
  const orderId = await ports.medusa.findOrderId(row.payment_collection_id)
  if (orderId) await reportBalances(ports, [orderId])
}

/**
 * Opens, updates or closes the two problems of each order's money: what must go back, and what is owed. A lease guards it, because the
 * problems tell people to pay: each caller sees the result of the earlier ones.
 *
 * @param opens false after a change that makes the balance uneven, which is mostly paid for soon: the daily comparison finds the others
 */
export async function reportBalances(ports: Ports, orderIds: string[], { opens = true } = {}) {
  if (orderIds.length === 1) return await follow(ports, orderIds[0] ?? "", opens)
  const followed: FollowedOrder[] = []
  for (const seen of await moneyOf(ports, orderIds)) {
    const { order, due, open } = seen
    const isEven = !open.length && !due.shrunk.length && ![due.back, due.owed].some(isOwed)
    followed.push(...(isEven ? [seen] : await follow(ports, order.id, opens)))
  }
  return followed
}

async function follow(ports: Ports, orderId: string, opens: boolean) {
  return await ports.module.leases.hold(`follow:${orderId}`, ONE_AT_A_TIME, async () => {
    const orders = await moneyOf(ports, [orderId])
    for (const followed of orders) await tell(ports, followed, opens)
    return orders
  })
}

/** The money of these orders, with their open problems of what must go back and of what is owed. */
async function moneyOf({ module, medusa }: Ports, orderIds: string[]) {
  const orders = await medusa.listOrderMoney(orderIds)
  if (!orders.length) return []
  const ids = orders.map(({ id }) => id)
  const collections = orders.flatMap(({ collectionIds }) => collectionIds)
  const attempts = await module.transactions.inCollections(collections)
  const rows = attempts.filter(isPaidAndNotHandled)
  const rowIds = rows.map(({ id }) => id)
  const entries = await module.ledger.of(rowIds, ids)
  const causes = ids.flatMap((id) => [causeOfRefundDue(id), causeOfBalance(id)])
  const open = await module.listProblems({ cause: causes, closed_at: null }, { take: null })
  return orders.map((order) => {
    // Only money that Medusa has captured for the order counts.
    const captured = order.payments.filter(({ isCaptured }) => isCaptured)
    const isTaken = (row: TransactionRow) =>
      captured.some(
        (one) => one.collectionId === row.payment_collection_id && namesTransaction(one, row)
      )
    const isBooked = (id: string) => order.bookedIds.includes(id)
    const payments = rows.filter(isTaken).map((row) => {
      const own = entries.filter(({ transaction_row_id }) => transaction_row_id === row.id)
      return { row, held: heldMoneyOf(row, order.payments, own, isBooked) }
    })
    return {
      order,
      payments,
      due: dueOfOrder(order, payments, entries),
      open: open.filter(({ order_id }) => order_id === order.id),
    }
  })
}

function dueOfOrder(order: OrderMoney, payments: OurPayment[], entries: LedgerEntryRow[]) {
  const lines = entries.filter(({ order_id, transaction_row_id, kind }) => {
    const payment = payments.find(({ row }) => row.id === transaction_row_id)
    // A decision of people stays one, whatever becomes of the payment.
    const isDecision = kind === "accepted" || kind === "waived"
    return order_id === order.id || (payment && (isDecision || isKept(payment)))
  })
  return dueOf({
    isCanceled: order.isCanceled,
    outstanding: order.outstanding,
    payments: payments.map((payment) => ({
      amount: payment.held.amount,
      unbooked: sumOf(payment.held.unbooked),
      isReversed: !isKept(payment),
    })),
    lines,
  })
}

async function tell(ports: Ports, followed: FollowedOrder, opens: boolean): Promise<void> {
  const { module } = ports
  const { order, due, payments } = followed
  const currency = order.currency.toUpperCase()
  for (const { kind, amount } of due.shrunk) {
    await module.ledger.add({ kind, amount, currency, order_id: order.id })
  }
  if (!isOwed(due.owed)) {
    await module.problems.close([causeOfBalance(order.id)])
  } else if (opens) {
    const row = payments.at(-1)?.row
    await module.problems.report(
      problem("order_underpaid", { ...sumsOf(order), owed: { amount: due.owed, currency } }),
      { ...(row ? subjectOf(row) : {}), order_id: order.id, amount: due.owed, currency }
    )
  }
  await tellOfBack(ports, followed, opens)
}

/** The problem names one payment, because a refund belongs to one. The rest is told of when that one has gone back. */
async function tellOfBack(ports: Ports, followed: FollowedOrder, opens: boolean): Promise<void> {
  const { module } = ports
  const { order, due, open } = followed
  const cause = causeOfRefundDue(order.id)
  const total = due.back
  const named = paymentToRefund(followed)
  if (!isOwed(total) || !named) {
    await module.problems.close([cause])
    return
  }
  if (!opens && !open.some((one) => one.cause === cause)) return
  const { row } = named
  const amount = smaller(total, stillHeld(named.held))
  const { currency } = row
  const isRefund =
    order.isCanceled || !isOwed(due.excess) || compareSums(sumOf(due.asked), due.excess) >= 0
  const found = isRefund
    ? problem("refund_due", {
        row: row.id,
        order: order.id,
        due: { amount: toWireAmount(amount), currency },
        // All of a canceled order is due.
        requests: (order.isCanceled ? [] : due.asked).map(({ amount: asked, at }) => ({
          amount: toWireAmount(asked),
          at: new Date(at).toISOString(),
        })),
      })
    : problem("paid_twice", {
        ...sumsOf(order),
        excess: { amount: total, currency },
      })
  await module.problems.report(found, { ...subjectOf(row), order_id: order.id, amount, currency })
}

/** The payment whose money goes back: the one that an asked refund names, else the problem's, else the fullest. */
function paymentToRefund({ payments, open, due }: FollowedOrder) {
  const urgency = (payment: OurPayment) => {
    if (!isKept(payment)) return -1
    const { row, held } = payment
    if (held.entries.at(-1)?.kind === "asked") return 2
    const isNamed = open.some(({ transaction_row_id }) => transaction_row_id === row.id)
    return isNamed && compareSums(stillHeld(held), due.back) >= 0 ? 1 : 0
  }
  return payments
    .filter(({ held }) => isOwed(stillHeld(held)))
    .toSorted(
      (one, other) =>
        urgency(other) - urgency(one) ||
        compareAmounts(other.held.amount, one.held.amount) ||
        Number(other.row.paid_at) - Number(one.row.paid_at)
    )[0]
}

function sumsOf({ id, displayId, worth, paid, currency }: OrderMoney) {
  const sum = (amount: string) => ({ amount, currency: currency.toUpperCase() })
  return { order: id, name: `#${displayId}`, worth: sum(worth), paid: sum(paid) }
}

const isKept = ({ row }: OurPayment) => row.exception !== "reversed"

type CapturedMoney = ReturnType<typeof heldMoneyOf>

/**
 * The money that Medusa holds from a transaction's payment.
 *
 * @param entries the ledger of this payment, oldest first
 * @param isBooked whether the order has a refund, so that it counts
 */
function heldMoneyOf(
  row: TransactionRow,
  payments: Payment[],
  entries: LedgerEntryRow[],
  isBooked: (refundId: string) => boolean = () => true
) {
  const own = payments.filter((payment) => namesTransaction(payment, row))
  const captured = sumOf(own.flatMap(({ captures }) => captures))
  const refunds = own.flatMap((payment) => payment.refunds).filter(({ id }) => isBooked(id))
  return {
    entries,
    /** Captures minus proven refunds, exact; decimal text. */
    amount: subtractAmounts(captured, sumOf(provenRefunds(entries, refunds))),
    /** Proofs for which Medusa has no refund yet; none of money that it never took. */
    unbooked: compareAmounts(captured, 0) > 0 ? unusedProofs(entries, refunds) : [],
  }
}

/** The money that Medusa holds, without money that went back and is to be booked. */
export const stillHeld = ({ amount, unbooked }: CapturedMoney) => remainder(amount, sumOf(unbooked))

export async function findCapturedMoney(ports: Ports, row: TransactionRow): Promise<CapturedMoney> {
  const { payment_collection_id } = row
  const payments = await ports.medusa.listPayments({ payment_collection_id })
  return heldMoneyOf(row, payments, await ports.module.ledger.of([row.id]))
}

/** A refund as decimal text; `refundId` is null while Medusa has not written it down. */
type AskedRefund = { amount: string; refundId: string | null }

/**
 * Accepts a refund that an unused proof covers, which is this refund's from then on: two refunds at once cannot share one. A refund
 * that Medusa could not finish, and deleted, uses up no proof.
 *
 * @throws MedusaError `NOT_ALLOWED` when no proof of exactly this amount is left; the problem *refund due* of its order is open then
 */
export async function requireRefundProof(ports: Ports, row: TransactionRow, refund: AskedRefund) {
  const { module, medusa } = ports
  const { isCovered, known } = await takeProof(ports, row, refund)
  if (isCovered) return
  const orderId = await medusa.findOrderId(row.payment_collection_id)
  let now = row
  if (orderId) {
    // A person must not pay back money that the service has taken back itself.
    await lookAt(module, await module.accounts(), row)
    now = await module.transactions.get(row.id)
    const { amount, refundId: refund_id } = refund
    const line = { kind: "asked", amount, refund_id, currency: row.currency } as const
    // Money that has gone back meanwhile may be what was asked for.
    if (!(await module.ledger.ask({ ...line, transaction_row_id: row.id }, known))) {
      await requireRefundProof(ports, now, refund)
      return
    }
    await reportBalances(ports, [orderId])
    if (now.exception) await module.problems.openOrCloseFor(now)
  }
  throw refusedPayment(now.exception === "reversed" ? "refund_of_reversed" : "refund_without_proof")
}

/** Looks for an unused proof of a refund among the ledger's lines (`known`), and makes it that refund's if Medusa has written it down. */
export async function takeProof(ports: Ports, row: TransactionRow, refund: AskedRefund) {
  const { module, medusa } = ports
  const { amount, refundId } = refund
  for (;;) {
    // The lines are read before the refunds: a proof that another refund gets in between is not taken from it below.
    const known = await module.ledger.of([row.id])
    const { payment_collection_id } = row
    const payments = await medusa.listPayments({ payment_collection_id })
    const refunds = payments.flatMap((one) => (namesTransaction(one, row) ? one.refunds : []))
    // A refund that took so long that its process seemed dead is deleted by now, see `bookProofs`.
    const isDeleted = refundId !== null && !refunds.some(({ id }) => id === refundId)
    if (isDeleted) throw refusedPayment("refund_without_proof")
    const others = refunds.filter(({ id }) => id !== refundId)
    const isOfAmount = (one: LedgerEntryRow) => compareSums(one.amount, amount) === 0
    const proof = unusedProofs(known, others).find(isOfAmount)
    if (!proof) return { isCovered: false, known }
    const isTaken = refundId === null || (await module.ledger.bind(proof, refundId))
    if (isTaken) return { isCovered: true, known }
  }
}
