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
 * Opens or closes the problems of a transaction's row and writes its event. Both are made from the row alone,
 * so this may run again at any time.
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
  await module.transactions.publishSettled(row)
  if (row.exception !== null || before.told_state !== row.state) {
    await sendEvents(container)
  }
}

/** Reports what a killed process had no time to report, and what changed without a settle. */
export async function reportWhatWasMissed(container: MedusaContainer): Promise<void> {
  const module = paymentServiceModule(container)
  for (const rowId of await module.problems.findUnfollowed(MOST_AT_ONCE)) {
    await unlessItFails(module, rowId, async () =>
      followProblems(container, await module.transactions.get(rowId))
    )
  }
  await module.problems.closeKnownStatuses()
  await closeUnpaidOrders(container)
  for (const row of await module.transactions.findUnpublished(MOST_AT_ONCE)) {
    await unlessItFails(module, row.id, () => module.transactions.publishSettled(row))
  }
  await sendEvents(container)
}

/** The refund comes first: after a kill in between, `findUnfollowed` finds the row by its own problem. */
async function followProblems(container: MedusaContainer, row: TransactionRow): Promise<void> {
  const module = paymentServiceModule(container)
  if (row.settled_at) {
    // The service may have taken back what was due, or confirmed again what it had taken back.
    await followRefundDue(container, row.id)
  }
  await module.problems.follow(row)
}

/** A row that cannot be reported must not keep the others from being reported. */
async function unlessItFails(
  module: PaymentServiceModuleService,
  rowId: string,
  tell: () => Promise<void>
): Promise<void> {
  await tell().catch((error: unknown) => {
    module.logger.error(`Payment Service: nothing could be told of ${rowId}: ${reasonOf(error)}`)
  })
}
