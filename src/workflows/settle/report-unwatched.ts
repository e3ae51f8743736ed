import type { PaymentServiceModuleService } from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { refusalOf } from "../../modules/payment-service/reason-of"
import { causeOfMissingAccount } from "../../settlement/cause"
import { problem } from "../../settlement/problems"
import { isGivenUpUnread } from "../../settlement/watch-schedule"

/** The watcher looks at this transaction no more, and never learned what became of it. */
export async function reportGivenUp(
  module: PaymentServiceModuleService,
  rowId: string,
  error: unknown
): Promise<void> {
  const row = await module.transactions.get(rowId)
  if (!isGivenUpUnread(row, module.clock.now())) {
    return
  }
  await module.problems.report(
    problem("service_unreachable", {
      row: row.id,
      transaction: row.transaction_id ?? "",
      reason: refusalOf(error),
    }),
    subjectOf(row),
    // A callback has it looked at once more.
    row.hinted_at
  )
}

/**
 * Transactions that are due and that nobody may look at, because no account leads to them.
 *
 * @param placeIds all places where that is so
 */
export async function reportNotConfigured(
  module: PaymentServiceModuleService,
  placeIds: string[]
): Promise<void> {
  const groups = await module.transactions.findNotConfigured(placeIds)
  for (const { count, oldest, newestDue, ...place } of groups) {
    const facts = { ...place, count, oldest: oldest.toISOString() }
    await module.problems.report(problem("not_configured", facts), {}, newestDue)
  }
  await module.problems.closeConfigured(groups.map(causeOfMissingAccount))
}
