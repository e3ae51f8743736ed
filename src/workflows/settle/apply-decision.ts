import type {
  Accounts,
  PaymentServiceModuleService,
  TransactionRow,
} from "../../modules/payment-service"
import { atLabelledPoint } from "../../modules/payment-service/labelled-points"
import { reasonOf, refusalOf } from "../../modules/payment-service/reason-of"
import { decide, type Decision } from "../../settlement/decide"
import { recordedRead } from "../../settlement/evidence"
import { type Reason, reasonsForLog } from "../../settlement/problems/reasons"
import {
  concernsMedusa,
  hasMedusaFollowed,
  QUIET_ATTEMPTS,
  standingOf,
} from "../../settlement/standing"
import { LONGEST_LOCK_MS } from "../../settlement/timing"
import type { TransactionException } from "../../settlement/transaction"
import { type LoadedState, loadMedusaState } from "../../transactions/load-medusa-state"
import { LockTimeoutError, requireLock, withTargetLock } from "./target-lock"
import { closeUnpaidOrders, reportUnpaidOrder } from "../orders/unpaid-orders"
import type { SettlePorts } from "../ports"
import { tellOfGone } from "../reconciliation/follow-settled"
import { applyAction, failed } from "./apply-action"
import { followOrderOf } from "../../transactions/follow-order"

/**
 * A live completion ends within this time. A dead holder's lock expires; meanwhile other carts are settled. What brought no money
 * waits for nobody, because it is tried again.
 */
const BUSY_TARGET_WAIT_MS = 8_000
/** The pause after a first failed attempt; each further failure doubles it. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 5 * 60_000
/**
 * These refusals pass without action and say nothing about the cart. As long as a lock may last, the attempt is repeated after
 * this pause and not counted.
 */
const PASSING: ReadonlySet<string> = new Set(["cart_locked", "workflow_broke"])
const PAUSE_OF_PASSING_MS = 10_000
/** One round is nearly always enough. Another one follows when the cart had an order, or a session was closed. */
const MOST_ROUNDS = 3

/**
 * Makes Medusa follow the proof of the last read. The cart or order is locked before Medusa's state is judged and until the
 * payment is booked: of ten simultaneous settles, one places the order and nine find it done.
 *
 * @param row the row after the read
 * @returns the row afterwards
 */
export async function applyDecision(
  ports: SettlePorts,
  accounts: Accounts,
  row: TransactionRow
): Promise<TransactionRow> {
  if (!concernsMedusa(row)) return row
  const work = async (held: TransactionRow): Promise<TransactionRow> => {
    if (!concernsMedusa(held) || hasJustFailed(row, held)) return held
    try {
      if (held.cart_id) await ports.core.finishKilledCompletion(held.cart_id)
    } catch (error) {
      return await recordUnfinished(ports.module, held.id, error, held)
    }
    let round: Round = { row: held, judgeAgain: true }
    for (let rounds = 0; round.judgeAgain && rounds < MOST_ROUNDS; rounds++) {
      round = await applyOnce(ports, accounts, round.row)
    }
    if (!round.judgeAgain) return round.row
    const notTaken = new Error("Medusa has completed the cart and not taken the payment.")
    return await recordUnfinished(ports.module, held.id, notTaken, held)
  }
  try {
    return await withTargetLock(ports, row, work, row.state === "paid" ? BUSY_TARGET_WAIT_MS : 0)
  } catch (error) {
    // Without this record, nobody would learn of a payment that can never be judged.
    const unfinished = await recordUnfinished(ports.module, row.id, error, row)
    if (!(error instanceof LockTimeoutError)) throw error
    return unfinished
  }
}

/** Whether another settle failed while this one waited for the lock; its pause counts for this one, too. */
function hasJustFailed(before: TransactionRow, now: TransactionRow): boolean {
  return now.apply_after !== null && Number(now.apply_after) !== Number(before.apply_after)
}

interface Judged {
  row: TransactionRow
  medusa: LoadedState
  decision: Decision
}

/** How a round ended: the row afterwards, and whether Medusa's state must be judged once more. */
interface Round {
  row: TransactionRow
  judgeAgain: boolean
}

async function applyOnce(
  ports: SettlePorts,
  accounts: Accounts,
  row: TransactionRow
): Promise<Round> {
  const { module } = ports
  const medusa = await loadMedusaState(ports, row)
  const { statuses } = accounts.getForRow(row)
  const now = module.clock.now()
  const decision = decide({ row, read: recordedRead(row), medusa, statuses, now })
  requireLock()
  return decision.action.do === "nothing"
    ? { row: await recordNothingToDo(module, row, decision), judgeAgain: false }
    : await act(ports, { row, medusa, decision })
}

/** @returns the row afterwards */
async function recordNothingToDo(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  { exception, differences }: Decision
): Promise<TransactionRow> {
  if (exception !== row.exception && exception !== null) {
    return await recordFailure(module, row, exception, differences)
  }
  if (exception === null && (row.exception !== null || row.apply_after !== null)) {
    return await module.transactions.recordProgress(row)
  }
  // The end of a killed completion may have given the row its order.
  return await module.transactions.get(row.id)
}

async function act(
  ports: SettlePorts,
  { row, medusa, decision: { action } }: Judged
): Promise<Round> {
  const { module } = ports
  await atLabelledPoint("apply:decided")
  const applied = await applyAction(ports, row, action, medusa.sessions).catch((error: unknown) =>
    failed(error)
  )
  switch (applied.outcome) {
    case "again":
      return { row: await module.transactions.get(row.id), judgeAgain: true }

    case "failed": {
      const exception = row.state === "paid" ? "completion_failed" : null
      const refused = await recordFailure(module, row, exception, [applied.refusal])
      // While this process stood still, another one may have paid the order that core has taken back now.
      if (refused.settled_at) await tellOfGone(ports, [refused])
      if (action.do === "cancel_order") {
        // The payment is over and its session closed; only its order could not be canceled.
        await module.transactions.publish(row)
        if (refused.apply_attempts > QUIET_ATTEMPTS) {
          await reportUnpaidOrder(module, row, action.orderId, { refusal: applied.refusal })
        }
      }
      return { row: refused, judgeAgain: false }
    }

    case "done": {
      await atLabelledPoint("apply:done")
      requireLock()
      const followed = await module.transactions.recordProgress(row, {
        captured: applied.captured ?? false,
        orderId: applied.orderId ?? medusa.order?.id,
      })
      await atLabelledPoint("apply:recorded")
      if (action.do === "cancel_order") {
        await closeUnpaidOrders(ports)
      }
      // Once the session is closed, its order may have to be canceled.
      return { row: followed, judgeAgain: action.do === "cancel_session" }
    }
  }
}

/**
 * Records why Medusa could not follow, and the time of the next attempt, after a growing pause.
 *
 * @returns the row afterwards
 */
async function recordFailure(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  exception: TransactionException | null,
  reasons: Reason[]
): Promise<TransactionRow> {
  const isPassing = reasons.some((reason) => "code" in reason && PASSING.has(reason.code))
  const since = row.exception === exception ? row.exception_at : null
  const lastedMs = since ? module.clock.now().getTime() - since.getTime() : 0
  const isQuiet = isPassing && lastedMs < LONGEST_LOCK_MS
  const growing = Math.min(FIRST_PAUSE_MS * 2 ** row.apply_attempts, LONGEST_PAUSE_MS)
  const refused = await module.transactions.recordRefusal(row, {
    exception,
    reasons,
    attempts: row.apply_attempts + (isQuiet ? 0 : 1),
    pauseMs: isQuiet ? PAUSE_OF_PASSING_MS : growing,
  })
  module.logger.error(
    `Payment Service: transaction ${row.transaction_id ?? ""} (${row.id}) is ${row.state}, but Medusa ` +
      `could not follow${exception ? `, ${exception}` : ""}: ${reasonsForLog(reasons)}`
  )
  return refused
}

/**
 * Records that a settle did not finish: the lock was not free, an error was thrown, or it hangs. It is repeated, unless the row
 * waits for a person.
 *
 * @param before the row at the settle's beginning, if the settle has ended
 * @returns the row afterwards
 */
export async function recordUnfinished(
  module: PaymentServiceModuleService,
  rowId: string,
  error: unknown,
  before?: TransactionRow
): Promise<TransactionRow> {
  const row = await module.transactions.get(rowId)
  const standing = standingOf(row)
  const isPaid = standing === "waiting_for_medusa"
  const isRecorded = before !== undefined && hasJustFailed(before, row)
  return (isPaid || standing === "over") && !isRecorded
    ? await recordFailure(module, row, isPaid ? "completion_failed" : null, [refusalOf(error)])
    : row
}

const MOST_AT_ONCE = 100

/**
 * Opens or closes the problems of a transaction's row and writes its event. Both depend on the row alone, so this may run again
 * at any time.
 */
export async function reportSettlement(
  ports: SettlePorts,
  before: TransactionRow,
  row: TransactionRow
): Promise<void> {
  const { module } = ports
  if (before.exception !== null || row.exception !== null) {
    await followProblems(ports, row)
  }
  if (hasMedusaFollowed(row)) await module.transactions.publish(row)
  if (row.exception !== null || before.told_state !== row.state) {
    await ports.core.sendEvents()
  }
}

/** Makes the reports that a killed process could not make, and those of changes without a settle. */
export async function reportMissed(ports: SettlePorts): Promise<void> {
  const { module } = ports
  for (const rowId of await module.problems.findUnfollowed(MOST_AT_ONCE)) {
    await orLogFailure(module, rowId, async () =>
      followProblems(ports, await module.transactions.get(rowId))
    )
  }
  await module.problems.closeKnownStatuses()
  await closeUnpaidOrders(ports)
  for (const row of await module.transactions.findUnpublished(MOST_AT_ONCE)) {
    await orLogFailure(module, row.id, () => module.transactions.publish(row))
  }
  await ports.core.sendEvents()
}

/** The order comes first: after a kill in between, `findUnfollowed` finds the row by its own problem. */
async function followProblems(ports: SettlePorts, row: TransactionRow): Promise<void> {
  const { module } = ports
  if (row.settled_at) {
    // The service may have taken a due sum back itself, or confirmed a payment again that it had taken back.
    await followOrderOf(ports, row)
  }
  await module.problems.follow(row)
}

/** A failed report of one row must not stop the others. */
async function orLogFailure(
  module: PaymentServiceModuleService,
  rowId: string,
  report: () => Promise<void>
): Promise<void> {
  await report().catch((error: unknown) => {
    module.logger.error(`Payment Service: nothing could be told of ${rowId}: ${reasonOf(error)}`)
  })
}
