import type { OrderMoney } from "../medusa/order"
import type { PaymentServiceModuleService, TransactionRow } from "../modules/payment-service"
import { causeOfMissingAccount, problem } from "../problems/rules/problems"
import type { Refusal } from "../problems/rules/reasons"
import { subjectOf } from "../problems/statements/problems"
import { reasonOf, refusalOf } from "../refusals/reason-of"
import type { PaymentServiceError, PaymentServiceErrorKind } from "../service/errors"
import { isOwed, toWireAmount } from "../values/amount"
import type { SettlePorts } from "./core"
import { followOrderOf } from "./follow-order"
import type { Ports } from "./ports"
import { isGivenUpUnread } from "./rules/timing"
import { hasMedusaFollowed, merchantAccountOf } from "./rules/transaction"

const MOST_AT_ONCE = 100

/** Opens or closes the problems of a row and writes its event. Both depend on the row alone, so this may run again at any time. */
export async function reportSettlement(
  ports: SettlePorts,
  before: TransactionRow,
  row: TransactionRow
): Promise<void> {
  const { module } = ports
  if (before.exception !== null || row.exception !== null) await followProblems(ports, row)
  if (hasMedusaFollowed(row)) await module.transactions.publish(row)
  if (row.exception !== null || before.published_state !== row.state) await ports.core.sendEvents()
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
    await orLogFailure(module, row.id, () => module.transactions.publish(row))
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
  await module.problems.openOrCloseFor(row)
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

/** Kinds of errors that may be unrelated to the transaction that was read. */
const OUT_OF_ORDER = new Set<PaymentServiceErrorKind>([
  "unauthorized",
  "rate_limited",
  "unavailable",
  "timeout",
  "malformed",
])
const MINUTE = 60_000
const LONG_SILENCE_MS = 10 * MINUTE

/** Whether the service, and not the transaction, is the reason of a failed read. */
export const isUnanswered = ({ kind }: PaymentServiceError) => OUT_OF_ORDER.has(kind)

/**
 * Reports a merchant for which the service has been silent for long. While others are read, each of their answers ends that silence,
 * so a transaction of which news came ten minutes ago, by a callback for example, is reported by itself. Any answer about it, or the
 * merchant, closes the problem, see `recordRead`.
 *
 * @param row a transaction that could not be read
 * @param silentSince the beginning of the merchant's silence
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
 * @param found `unread` when the comparison has found it, paid here or there; `named` when news of it came; nothing when the watcher
 * has given it up
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

/**
 * Reports an order whose payment did not come and that is not canceled automatically.
 *
 * @param why Medusa's reason for not canceling it, because it was shipped for example, or the sum that is still owed
 */
export async function reportUnpaidOrder(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  orderId: string,
  why: { refusal: Refusal } | { owed: string }
): Promise<void> {
  const facts =
    "owed" in why
      ? { refusal: null, owed: { amount: toWireAmount(why.owed), currency: row.currency } }
      : why
  await module.problems.report(
    problem("order_unpaid", { order: orderId, ...facts }),
    { ...subjectOf(row), order_id: orderId },
    row.opened_at
  )
}

/** Closes the problems of orders that were reported as unpaid and are now paid or canceled in any way. */
export async function closeUnpaidOrders({ module, medusa }: Ports): Promise<void> {
  const problems = await module.listProblems(
    { kind: "order_unpaid", closed_at: null },
    { take: null }
  )
  if (!problems.length) return
  const orders = await medusa.listOrderMoney(problems.map(({ order_id }) => order_id ?? ""))
  const over = problems.filter(
    ({ order_id }) => !orders.some((order) => order.id === order_id && isUnpaid(order))
  )
  await module.problems.close(over.map(({ cause }) => cause))
}

function isUnpaid({ isCanceled, owed }: OrderMoney): boolean {
  return !isCanceled && isOwed(owed)
}
