import type { PaymentServiceModuleService, TransactionRow } from "../modules/payment-service"
import { causeOfMissingAccount, problem } from "../problems/rules/problems"
import type { Refusal } from "../problems/rules/reasons"
import { subjectOf } from "../problems/statements/problems"
import { reasonOf, refusalOf } from "../refusals/refused"
import type { PaymentServiceError, PaymentServiceErrorKind } from "../service/errors"
import { closeUnpaidOrders, followProblems } from "./apply-decision"
import type { SettlePorts } from "./core"
import { merchantAccountOf } from "./rules/transaction"

const MOST_AT_ONCE = 100

/** Makes the reports that a killed process could not make, and those of changes without a settle. */
export async function reportMissed(ports: SettlePorts): Promise<void> {
  const { transactions, problems, logger } = ports.module
  // A failed report of one row must not stop the others.
  const orLogFailure = async (rowId: string, report: () => Promise<void>) => {
    await report().catch((error: unknown) => {
      logger.error(`Payment Service: nothing could be told of ${rowId}: ${reasonOf(error)}`)
    })
  }
  for (const rowId of await problems.findUnfollowed(MOST_AT_ONCE)) {
    await orLogFailure(rowId, async () => followProblems(ports, await transactions.get(rowId)))
  }
  await problems.closeKnownStatuses()
  await closeUnpaidOrders(ports)
  for (const row of await transactions.findUnpublished(MOST_AT_ONCE)) {
    await orLogFailure(row.id, () => transactions.publish(row))
  }
  await ports.core.sendEvents()
}

const MINUTE = 60_000
const LONG_SILENCE_MS = 10 * MINUTE

const ANSWERS: PaymentServiceErrorKind[] = ["invalid", "not_found", "link_refused", "file_refused"]

/** Whether the service, and not the transaction, is the reason of a failed read. */
export const isUnanswered = ({ kind }: PaymentServiceError) => !ANSWERS.includes(kind)

/**
 * Reports a merchant for which the service has been silent for long. While others are read, each of their answers ends that silence,
 * so a transaction of which news came ten minutes ago, by a callback for example, is reported by itself. Any answer about it, or the
 * merchant, closes the problem, see `recordRead`.
 */
export async function reportSilence(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  silentSince: Date,
  error: unknown
): Promise<void> {
  const now = Number(module.clock.now())
  const [since, named] = [Number(silentSince), Number(row.hinted_at)]
  if (now - since > LONG_SILENCE_MS) {
    const facts = { ...merchantAccountOf(row), since: silentSince.toISOString() }
    return await module.problems.report(problem("service_unreachable", facts), {}, silentSince)
  }
  const isUnread = named > Number(row.read_at) && now - named > LONG_SILENCE_MS
  const wereOthersRead = since - named > MINUTE
  if (isUnread && wereOthersRead) await reportUnread(module, row, refusalOf(error), "named")
}

/**
 * Reports a transaction that cannot be read, until the service answers: the comparison has found it, paid here or there (`unread`), news
 * of it came (`named`), or the watcher has given it up.
 */
export async function reportUnread(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  reason: Refusal,
  found?: "unread" | "named"
): Promise<void> {
  const facts = { row: row.id, transaction: row.transaction_id ?? "", reason }
  await module.problems.report(
    problem("service_unreachable", found ? { ...facts, found } : facts),
    subjectOf(row),
    // A later callback makes the watcher look again; if that fails, too, the problem may open again.
    row.hinted_at ?? row.opened_at
  )
}

/** Reports due transactions that cannot be read, because the options have no account for these merchants. */
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
