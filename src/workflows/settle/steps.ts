import type { MedusaContainer } from "@medusajs/framework/types"
import { createStep, StepResponse } from "@medusajs/framework/workflows-sdk"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { readTransaction } from "../../modules/payment-service/read-transaction"
import {
  decide,
  type Decision,
  type MedusaState,
  type TransactionException,
  type TransactionRead,
  type TransactionState,
} from "../../settlement/decide"
import { applyAction, failed } from "./apply-action"
import { loadMedusaState } from "./load-medusa-state"

export interface SettleInput {
  /** Id of our row (`pstx_…`), not the service's. */
  transaction_row_id: string
}

export interface Settled {
  state: TransactionState
  exception: string | null
  order_id: string | null
}

/** A read ends within its time-out; the wait covers one read by somebody else before ours. */
const READ_LEASE = { ttlMs: 15_000, waitMs: 12_000 }
/** Core waits up to 30 s for a cart's lock; the lease is renewed meanwhile and soon free after a crash. */
const APPLY_LEASE = { ttlMs: 20_000, waitMs: 40_000 }
/** Pauses before polls may try again what failed, doubled each time. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** Placing an order leads to nothing more to do; a few rounds cover what changed in between. */
const MOST_ROUNDS = 3

/** Reads the transaction, decides and stores, under a lease that is released before Medusa is touched. */
export const readTransactionStep = createStep(
  "read-payment-service-transaction",
  async ({ transaction_row_id }: SettleInput, { container }) => {
    const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
    const read = await module.leases.hold(`read:${transaction_row_id}`, READ_LEASE, async () => {
      const row = await module.retrieveTransaction(transaction_row_id)
      return (await readTransaction(module, row)).read
    })
    const { status, amount, currency, merchantId, payload } = read
    return new StepResponse<TransactionRead>({ status, amount, currency, merchantId, payload })
  }
)

/**
 * Brings Medusa to what the read proved. One at a time per transaction: ten settles that all saw it paid
 * place one order, and those that waited find nothing left to do.
 */
export const applyDecisionStep = createStep(
  "apply-payment-service-decision",
  async ({ transaction_row_id, read }: SettleInput & { read: TransactionRead }, { container }) => {
    const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
    const judge = async () => {
      const row = await module.retrieveTransaction(transaction_row_id)
      const medusa = await loadMedusaState(container, row)
      const { statuses } = module.optionsForRow(row)
      return { row, medusa, decision: decide({ row, read, medusa, statuses, now: new Date() }) }
    }
    if (needsApplying(await judge())) {
      await module.leases.hold(`apply:${transaction_row_id}`, APPLY_LEASE, async () => {
        for (let round = 0; round < MOST_ROUNDS; round++) {
          const judged = await judge()
          if (!needsApplying(judged) || !(await applyOnce(container, module, judged))) {
            return
          }
        }
      })
    }
    const row = await module.retrieveTransaction(transaction_row_id)
    return new StepResponse<Settled>({
      state: row.state,
      exception: row.exception,
      order_id: row.order_id,
    })
  }
)

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
      await module.updateTransactions({
        id: row.id,
        exception: null,
        apply_attempts: 0,
        apply_after: null,
      })
    }
    return false
  }
  const applied = await applyAction(container, action).catch((error: unknown) => failed(error))
  if (applied.outcome === "failed") {
    const exception = row.state === "paid" ? applied.exception : null
    await recordFailure(module, row, exception, applied.reason)
    return false
  }
  const orderId = applied.orderId ?? medusa.order?.id
  await module.updateTransactions({
    id: row.id,
    apply_attempts: 0,
    apply_after: null,
    ...(applied.captured
      ? {
          settled_at: row.settled_at ?? new Date(),
          exception: null,
          ...(orderId ? { order_id: orderId } : {}),
        }
      : {}),
  })
  return true
}

/** Proven, but not brought about: said with the reason, and tried again after a growing pause. */
async function recordFailure(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  exception: TransactionException | null,
  reason: string
): Promise<void> {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** row.apply_attempts, LONGEST_PAUSE_MS)
  await module.updateTransactions({
    id: row.id,
    apply_attempts: row.apply_attempts + 1,
    apply_after: new Date(Date.now() + pause),
    ...(exception ? { exception } : {}),
  })
  module.logger.error(
    `Payment Service: transaction ${row.transaction_id ?? ""} (${row.id}) is ${row.state}, but Medusa ` +
      `could not follow${exception ? `, ${exception}` : ""}: ${reason}`
  )
}
