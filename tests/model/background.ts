import { compareAmounts } from "../../src/settlement/amount"
import { freshSince } from "../../src/settlement/evidence"
import { isSettledOrHandled } from "../../src/settlement/standing"
import { shouldReadForPoll } from "../../src/settlement/watch-schedule"
import { followRefundDue } from "../../src/transactions/follow-refund-due"
import { takeBackUnprovenRefunds } from "../../src/workflows/refunds/take-back-unproven-refunds"
import { followOrderBalances } from "../../src/workflows/orders/order-balance"
import { reportMissed } from "../../src/workflows/settle/report-settlement"
import { settleTransaction } from "../../src/workflows/settle/settle-transaction"
import { attempt } from "./processes"
import type { World } from "./world"

/** The callers of a settle: routes, the watcher's passes and the daily comparison, each as one process. */

/** A callback makes its transaction due before it is answered. */
export async function settleCallback(world: World, rowId: string): Promise<void> {
  const { books, ports } = world
  const receivedAt = books.now()
  books.hint(rowId)
  // Polls leave the read to it.
  books.claimPoll(rowId)
  if (!isSettledOrHandled(books.retrieve(rowId))) {
    await settleTransaction(ports, rowId, { provenSince: receivedAt })
  }
}

export async function poll({ books, ports }: World, rowId: string): Promise<void> {
  const cameAt = books.now()
  const row = books.retrieve(rowId)
  if (!shouldReadForPoll(row, cameAt) || !books.claimPoll(rowId)) return
  await settleTransaction(ports, rowId, { provenSince: cameAt, leaveProven: true })
}

/** One pass of the watcher. */
export async function watch({ books, ports, processes }: World): Promise<void> {
  for (let row = books.claimDue(); row; row = books.claimDue()) {
    await processes.pause()
    const provenSince = freshSince(books.now())
    await attempt(settleTransaction(ports, row.id, { provenSince }))
    books.planWatch(row.id)
  }
  await processes.pause()
  await reportMissed(ports)
}

/** The daily comparison, as far as it looks at orders and at what is to be paid back. */
export async function compareOrders({ books, ports }: World): Promise<void> {
  const paid = books.list(({ settled_at, order_id }) => settled_at !== null && order_id !== null)
  for (const orderId of new Set(paid.map(({ order_id }) => order_id ?? ""))) {
    await followOrderBalances(ports, [orderId])
  }
  for (const { id, order_id } of paid.filter(({ handled_at }) => handled_at === null)) {
    const { held } = await followRefundDue(ports, id)
    if (held.order?.canceledAt && compareAmounts(held.amount, 0) > 0) {
      await takeBackUnprovenRefunds(ports, order_id ?? "")
    }
  }
}
