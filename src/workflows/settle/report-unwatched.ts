import type { PaymentServiceModuleService } from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { causeOfMissingAccount, causeOfUnread } from "../../settlement/cause"
import { isGivenUpUnread } from "../../settlement/watch-schedule"

/** The watcher looks at this transaction no more, and never learned what became of it. */
export async function reportGivenUp(
  module: PaymentServiceModuleService,
  rowId: string,
  reason: string
): Promise<void> {
  const row = await module.transactions.get(rowId)
  if (!isGivenUpUnread(row, module.clock.now())) {
    return
  }
  await module.problems.openUnlessClosedSince(
    {
      kind: "service_unreachable",
      cause: causeOfUnread(row.id),
      message:
        `Transaction ${row.transaction_id ?? ""} (${row.id}) could not be read for a week and is no longer ` +
        `looked at: ${reason}. If it was paid, the money is at the service and nothing in Medusa stands for it.`,
    },
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
  for (const group of groups) {
    const { merchantId, baseUrl, count, oldest, newestDue } = group
    await module.problems.openUnlessClosedSince(
      {
        kind: "not_configured",
        cause: causeOfMissingAccount(group),
        message:
          `${count} transactions of merchant ${merchantId} at ${baseUrl}, the oldest of ` +
          `${oldest.toISOString()}, are not looked at: no account of the options has this merchant and this ` +
          "address. Add the account to the options again, and they are looked at by themselves.",
      },
      {},
      newestDue
    )
  }
  await module.problems.closeConfigured(groups.map(causeOfMissingAccount))
}
