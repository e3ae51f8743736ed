import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule, type PaymentServiceModuleService } from "../modules/payment-service"
import { recordLostPayouts, reportUnknownPayouts } from "../payouts/send-payout"
import { bookDue } from "../problems/money-back"
import { causeOfMissingAccount, problem } from "../problems/rules/problems"
import { reasonOf } from "../refusals/refused"
import { withDeadline } from "../values/deadline"
import { closeUnpaidOrders, followProblems } from "./apply-decision"
import { finishCompletions } from "./complete-cart"
import { type SettlePorts, settlePortsOf } from "./ports"
import { Queue, queueOf } from "./queue"

const MOST_AT_ONCE = 100

/** Asks in one statement what is due, and begins that work without waiting for it. */
export async function startDueWork(container: MedusaContainer, asked?: Queue): Promise<void> {
  const module = paymentServiceModule(container)
  const queue = asked ?? queueOf(module)
  const accounts = await module.accounts()
  // Core begins no other look while this one waits for a silent connection.
  const due = await withDeadline(
    Queue.longestClaimMs,
    module.watching.findDueWork(accounts.merchantAccounts())
  )
  module.watching.askedAt = module.clock.now()
  if (due.transactions || due.subscriptions) queue.takeUpBacklog()
  const ports = settlePortsOf(container)
  const isToTell = due.missed || due.events !== null
  const isToClose = due.unpaidOrders && queue.mayLookAtOrders()
  const { notConfigured, completions } = due
  const reportMissing = () => reportNotConfigured(module, notConfigured ?? [])
  const kinds: Parameters<typeof queue.beginBeside>[] = [
    ["a look at problems and events", isToTell || isToClose, () => reportMissed(ports)],
    ["a look at accounts that are missing", notConfigured !== null, reportMissing],
    ["a look at payouts without an answer", due.lostPayouts, () => recordLostPayouts(ports)],
    ["booking what went back", due.proofsToBook, () => bookDue(ports)],
    ["a look at unknown payouts", due.unknownPayouts, () => reportUnknownPayouts(ports)],
    ["a look at completions that did not end", completions, () => finishCompletions(container)],
  ]
  for (const kind of kinds) queue.beginBeside(...kind)
}

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

/** Reports due transactions that cannot be read, because the options have no account for these merchants. */
async function reportNotConfigured(module: PaymentServiceModuleService, merchantIds: string[]) {
  const groups = await module.dueTransactions.findNotConfigured(merchantIds)
  for (const { count, oldest, newestDue, ...merchant } of groups) {
    const facts = { ...merchant, count, oldest: oldest.toISOString() }
    await module.problems.report(problem("not_configured", facts), {}, newestDue)
  }
  await module.problems.closeConfigured(groups.map(causeOfMissingAccount))
}
