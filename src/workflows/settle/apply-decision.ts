import type { MedusaContainer } from "@medusajs/framework/types"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { reached } from "../../modules/payment-service/labelled-points"
import { decide, type Decision } from "../../settlement/decide"
import type { MedusaState, TransactionRead } from "../../settlement/evidence"
import { QUIET_ATTEMPTS } from "../../settlement/problem"
import type { TransactionException } from "../../settlement/transaction-state"
import { applyAction, failed } from "./apply-action"
import { loadMedusaState } from "./load-medusa-state"
import { closeUnpaidOrders, reportUnpaidOrder } from "./unpaid-orders"

/** A cart is waited for up to 30 s; the lease is renewed meanwhile and soon free after a crash. */
export const APPLY_LEASE = { ttlMs: 20_000, waitMs: 40_000 }
export const applyLeaseOf = (rowId: string) => `apply:${rowId}`
/** Pauses before polls and the watcher may try again what failed, doubled each time. */
const FIRST_PAUSE_MS = 2_000
/** Medusa's locking providers, in memory, Postgres and Redis, say it in no other way. */
const LOCKED = /acquir(e|ing) lock|already locked/
/** A process that died holds its locks on, the longest for two minutes: it is over before a person is asked. */
const LONGEST_LOCK_MS = 150_000
const PAUSE_OF_LOCKED_MS = 10_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** Placing an order leads to nothing more to do; a few rounds cover what changed in between. */
const MOST_ROUNDS = 3

/**
 * Brings Medusa to what a read proved. One at a time per transaction: ten settles that all saw it paid
 * place one order, and those that waited find nothing left to do.
 *
 * @param row as the read left it
 * @returns the row as it is afterwards
 */
export async function applyDecision(
  container: MedusaContainer,
  row: TransactionRow,
  read: TransactionRead
): Promise<TransactionRow> {
  if (isWaitedFor(row)) {
    return row
  }
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const judge = async () => {
    const current = await module.retrieveTransaction(row.id)
    const medusa = await loadMedusaState(container, current)
    const { statuses } = module.optionsForRow(current)
    const now = module.clock.now()
    return { row: current, medusa, decision: decide({ row: current, read, medusa, statuses, now }) }
  }
  const isOver = (judged: Judged) => !needsApplying(judged) || isOutdated(row, judged)
  const before = await judge()
  if (!isOver(before)) {
    await module.leases.hold(applyLeaseOf(row.id), APPLY_LEASE, async () => {
      for (let round = 0; round < MOST_ROUNDS; round++) {
        const judged = await judge()
        if (isOver(judged) || hasJustFailed(before, judged)) {
          return
        }
        if (!(await applyOnce(container, module, judged))) {
          return
        }
      }
    })
  }
  return await module.retrieveTransaction(row.id)
}

/** Nobody has paid, and nothing is out of order: there is nothing that Medusa could follow. */
function isWaitedFor({ state, exception, apply_after }: TransactionRow): boolean {
  return state === "pending" && exception === null && apply_after === null
}

interface Judged {
  row: TransactionRow
  medusa: MedusaState
  decision: Decision
}

function needsApplying({ row, decision }: Judged): boolean {
  if (decision.exception === "reversed" && row.exception !== "reversed") {
    // Our read is older than what the row says by now; a reversal is recorded where it is read.
    return false
  }
  return (
    decision.action.do !== "nothing" ||
    decision.exception !== row.exception ||
    (decision.exception === null && row.apply_after !== null)
  )
}

/** What a later read has found on a settled transaction is not for an earlier one to judge. */
function isOutdated(read: TransactionRow, { row, decision }: Judged): boolean {
  const isOlder = Number(row.read_at) > Number(read.read_at)
  return row.settled_at !== null && isOlder && decision.action.do === "nothing"
}

/** Somebody else has tried while we waited, in vain: the pause before the next attempt is for us, too. */
function hasJustFailed({ row: before }: Judged, { row: now }: Judged): boolean {
  return now.apply_after !== null && Number(now.apply_after) !== Number(before.apply_after)
}

/** @returns whether there may be more to do */
async function applyOnce(
  container: MedusaContainer,
  module: PaymentServiceModuleService,
  { row, medusa, decision }: Judged
): Promise<boolean> {
  const { action } = decision
  if (action.do === "nothing") {
    if (decision.exception) {
      await recordFailure(module, row, decision.exception, decision.differences.join("; "))
    } else {
      await module.transactions.recordProgress(row)
    }
    return false
  }
  await reached("apply:decided")
  const applied = await applyAction(container, row, action).catch((error: unknown) => failed(error))
  if (applied.outcome === "failed") {
    const exception = row.state === "paid" ? applied.exception : null
    await recordFailure(module, row, exception, applied.reason)
    if (action.do === "cancel_order") {
      // Its session is closed: the payment is over, and only its order is not.
      await module.transactions.tell(row)
      if (row.apply_attempts >= QUIET_ATTEMPTS) {
        await reportUnpaidOrder(module, row, action.orderId, applied.reason)
      }
    }
    return false
  }
  await reached("apply:done")
  await module.transactions.recordProgress(row, {
    captured: applied.captured ?? false,
    orderId: applied.orderId ?? medusa.order?.id,
  })
  await reached("apply:recorded")
  if (action.do === "cancel_order") {
    await closeUnpaidOrders(container)
  }
  return action.do !== "report_order"
}

/** Proven, but not brought about: said with the reason, and tried again after a growing pause. */
async function recordFailure(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  exception: TransactionException | null,
  reason: string
): Promise<void> {
  const isLocked = exception === "completion_failed" && LOCKED.test(reason)
  const since = row.exception === exception ? row.exception_at : null
  const lastedMs = since ? module.clock.now().getTime() - since.getTime() : 0
  const isQuiet = isLocked && lastedMs < LONGEST_LOCK_MS
  const growing = Math.min(FIRST_PAUSE_MS * 2 ** row.apply_attempts, LONGEST_PAUSE_MS)
  await module.transactions.recordRefusal(row, {
    exception,
    reason,
    attempts: row.apply_attempts + (isQuiet ? 0 : 1),
    pauseMs: isQuiet ? PAUSE_OF_LOCKED_MS : growing,
  })
  module.logger.error(
    `Payment Service: transaction ${row.transaction_id ?? ""} (${row.id}) is ${row.state}, but Medusa ` +
      `could not follow${exception ? `, ${exception}` : ""}: ${reason}`
  )
}
