import type { MedusaContainer } from "@medusajs/framework/types"

import {
  paymentServiceModule,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { sendEvents } from "../events/send-events"
import { followRefundDue } from "../../transactions/follow-refund-due"
import { closeUnpaidOrders } from "./unpaid-orders"

const MOST_AT_ONCE = 100

/**
 * Lets problems and events follow a transaction's row. Everything told here is read from the row, so it
 * may be told again, by anybody and at any time.
 */
export async function reportSettlement(
  container: MedusaContainer,
  before: TransactionRow,
  row: TransactionRow
): Promise<void> {
  const module = paymentServiceModule(container)
  if (before.exception !== null || row.exception !== null) {
    await followProblems(container, row)
  }
  await module.transactions.tellSettled(row)
  if (row.exception !== null || before.told_state !== row.state) {
    await sendEvents(container)
  }
}

/** Tells what a process that died had no time to tell, or what was found without a settle. */
export async function reportWhatWasMissed(container: MedusaContainer): Promise<void> {
  const module = paymentServiceModule(container)
  for (const rowId of await module.problems.findUnfollowed(MOST_AT_ONCE)) {
    await unlessItFails(module, rowId, async () =>
      followProblems(container, await module.transactions.get(rowId))
    )
  }
  await module.problems.closeKnownStatuses()
  await closeUnpaidOrders(container)
  for (const row of await module.transactions.findUntold(MOST_AT_ONCE)) {
    await unlessItFails(module, row.id, () => module.transactions.tellSettled(row))
  }
  await sendEvents(container)
}

/** What is to be paid back first: a row whose own problem is not followed is found again. */
async function followProblems(container: MedusaContainer, row: TransactionRow): Promise<void> {
  const module = paymentServiceModule(container)
  if (row.settled_at) {
    // The service may have taken back what was due, or confirmed again what it had taken back.
    await followRefundDue(container, row.id)
  }
  await module.problems.follow(row)
}

/** What cannot be told of one row must not keep the others from being told of. */
async function unlessItFails(
  module: PaymentServiceModuleService,
  rowId: string,
  tell: () => Promise<void>
): Promise<void> {
  await tell().catch((error: unknown) => {
    module.logger.error(`Payment Service: nothing could be told of ${rowId}: ${reasonOf(error)}`)
  })
}
