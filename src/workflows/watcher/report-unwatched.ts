import type { PaymentServiceModuleService, TransactionRow } from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { refusalOf } from "../../modules/payment-service/reason-of"
import type { PaymentServiceError, PaymentServiceErrorKind } from "../../service/errors"
import { causeOfMissingAccount } from "../../settlement/cause"
import type { MerchantAccount } from "../../settlement/merchant-account"
import { problem } from "../../settlement/problems"
import type { Refusal } from "../../settlement/problems/refusals"
import { isGivenUpUnread } from "../../settlement/watch-schedule"

/** Kinds of errors that may be unrelated to the transaction that was read. */
const OUT_OF_ORDER = new Set<PaymentServiceErrorKind>([
  "unauthorized",
  "rate_limited",
  "unavailable",
  "timeout",
  "malformed",
])
const LONG_SILENCE_MS = 10 * 60_000

/** Whether the service, and not the transaction, is the reason of a failed read. */
export const isUnanswered = ({ kind }: PaymentServiceError) => OUT_OF_ORDER.has(kind)

/** Reports a merchant for which the service has been silent for long. Any answer closes the problem, see `recordRead`. */
export async function reportLongSilence(
  module: PaymentServiceModuleService,
  merchant: MerchantAccount,
  since: Date
): Promise<void> {
  if (module.clock.now().getTime() - since.getTime() <= LONG_SILENCE_MS) return
  const facts = { ...merchant, since: since.toISOString() }
  await module.problems.report(problem("service_unreachable", facts), {}, since)
}

/** Reports a transaction that the watcher has given up without ever learning its outcome. */
export async function reportGivenUp(
  module: PaymentServiceModuleService,
  rowId: string,
  error: unknown
): Promise<void> {
  const row = await module.transactions.get(rowId)
  if (isGivenUpUnread(row, module.clock.now())) await reportUnread(module, row, refusalOf(error))
}

/**
 * Reports a transaction that cannot be read, until the service answers.
 *
 * @param found `unread` when the comparison has found it, paid here or there; nothing when the watcher has given it up
 */
export async function reportUnread(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  reason: Refusal,
  found?: "unread"
): Promise<void> {
  const facts = { row: row.id, transaction: row.transaction_id ?? "", reason }
  await module.problems.report(
    problem("service_unreachable", found ? { ...facts, found } : facts),
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
