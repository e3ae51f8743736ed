import type { PaymentServiceModuleService } from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { refusalOf } from "../../modules/payment-service/reason-of"
import { causeOfMissingAccount } from "../../settlement/cause"
import { problem } from "../../settlement/problems"
import { isGivenUpUnread } from "../../settlement/watch-schedule"

/** Reports a transaction that the watcher has given up without ever learning its outcome. */
export async function reportGivenUp(
  module: PaymentServiceModuleService,
  rowId: string,
  error: unknown
): Promise<void> {
  const row = await module.transactions.get(rowId)
  if (!isGivenUpUnread(row, module.clock.now())) return
  await module.problems.report(
    problem("service_unreachable", {
      row: row.id,
      transaction: row.transaction_id ?? "",
      reason: refusalOf(error),
    }),
    subjectOf(row),
    // A later callback makes the watcher look again; if that fails, too, the problem may open again.
    row.hinted_at ?? row.opened_at
  )
}

/**
 * Reports due transactions that cannot be read, because the options have no account for them.
 *
 * @param merchantAccountIds all merchant accounts with such transactions
 */
export async function reportNotConfigured(
  module: PaymentServiceModuleService,
  merchantAccountIds: string[]
): Promise<void> {
  const groups = await module.dueTransactions.findNotConfigured(merchantAccountIds)
  for (const { count, oldest, newestDue, ...merchant } of groups) {
    const facts = { ...merchant, count, oldest: oldest.toISOString() }
    await module.problems.report(problem("not_configured", facts), {}, newestDue)
  }
  await module.problems.closeConfigured(groups.map(causeOfMissingAccount))
}
