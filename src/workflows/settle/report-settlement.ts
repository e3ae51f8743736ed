import type { TransactionRow, PaymentServiceModuleService } from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { followOrderOf } from "../../transactions/follow-order"
import type { SettlePorts } from "../ports"
import { closeUnpaidOrders } from "../orders/unpaid-orders"

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
  await module.transactions.publishSettled(row)
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
    await orLogFailure(module, row.id, () => module.transactions.publishSettled(row))
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
