import { MedusaError } from "@medusajs/framework/utils"

import type { TransactionDetails } from "../../service/client"
import { decide, type Decision, type SessionState } from "../../settlement/decide"
import type PaymentServiceModuleService from "./service"
import type { TransactionRow } from "./service"

export interface ReadOutcome {
  row: TransactionRow
  read: TransactionDetails
  decision: Decision
}

/** Two writers between our read and our write is already rare; more means that something is wrong. */
const MOST_TRIES = 3

/**
 * Reads a transaction at the service, decides what the read means and records both on our row. Needs no
 * lease: when the row changed in the meantime, the service is read again, so a slow read can never take
 * back what a later one proved.
 *
 * @param medusa session and cart, when the read must also stand for their amount and currency
 * @throws PaymentServiceError when it cannot be read; the row stays as it is then
 */
export async function readTransaction(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  { medusa = null, timeoutMs }: { medusa?: SessionState | null; timeoutMs?: number } = {}
): Promise<ReadOutcome> {
  if (!row.transaction_id) {
    throw new MedusaError(
      MedusaError.Types.NOT_FOUND,
      "This payment was never opened at the payment service. Please start the payment again."
    )
  }
  let current = row
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const read = await module
      .clientForRow(current)
      .getTransaction(row.transaction_id, timeoutMs === undefined ? {} : { timeoutMs })
    const { statuses } = module.optionsForRow(current)
    const decision = decide({ row: current, read, medusa, statuses, now: new Date() })
    const recorded = await module.recordRead(current, {
      state: decision.state,
      exception: decision.exception,
      status: read.status,
      qr: read.qr,
      paid: decision.state === "paid",
    })
    if (recorded) {
      reportChange(module, current, decision, read.status)
      return { row: recorded, read, decision }
    }
    current = await module.retrieveTransaction(row.id)
  }
  throw new MedusaError(
    MedusaError.Types.UNEXPECTED_STATE,
    "This payment is being looked at right now. Please try again in a moment."
  )
}

/** What is out of order is said once per change, with what differs, not at every poll. */
function reportChange(
  module: PaymentServiceModuleService,
  before: TransactionRow,
  decision: Decision,
  status: string
): void {
  const subject = `Payment Service: transaction ${before.transaction_id ?? ""} (${before.id})`
  if (decision.exception && (decision.exception !== before.exception || status !== before.status)) {
    module.logger.error(
      `${subject} needs a look, ${decision.exception}: ${decision.differences.join("; ")}`
    )
  } else if (decision.state !== before.state) {
    module.logger.info(`${subject} is ${decision.state}`)
  }
}
