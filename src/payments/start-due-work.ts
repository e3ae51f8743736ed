import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule, type PaymentServiceModuleService } from "../modules/payment-service"
import { bookPayouts } from "../payouts/refund"
import { recordLostPayouts, reportUnknownPayouts } from "../payouts/unknown-payouts"
import { reasonOf } from "../refusals/reason-of"
import { lookupMerchants } from "../subscriptions/statements/lookups"
import { finishCompletions } from "./complete-cart"
import { settlePortsOf } from "./core"
import { Queue, queueOf } from "./queue"
import { reportMissed, reportNotConfigured } from "./report"
import { LONGEST_CHANGE_MS } from "./rules/timing"
import { withDeadline } from "./with-deadline"

/** The pause between looks at orders reported as unpaid, because no event tells us that they were paid or canceled. */
const UNPAID_ORDERS_EVERY_MS = 20_000

/** This process's background work. Each kind runs once at a time, however often it is due meanwhile. */
export class BackgroundWork {
  private readonly going = new Map<string, Promise<void>>()
  private nextLookAtOrders = 0

  /** Work that takes longer than three minutes counts as hanging, and may begin again when it is due. */
  begin(name: string, start: () => Promise<void>, failed: (error: unknown) => void) {
    if (!this.going.has(name)) {
      const work = withDeadline(LONGEST_CHANGE_MS, start())
        .catch(failed)
        .finally(() => this.going.delete(name))
      this.going.set(name, work)
    }
  }

  mayLookAtOrders(): boolean {
    const now = performance.now()
    if (now < this.nextLookAtOrders) return false
    this.nextLookAtOrders = now + UNPAID_ORDERS_EVERY_MS
    return true
  }

  async ended(): Promise<void> {
    await Promise.all(this.going.values())
  }
}

const works = new WeakMap<PaymentServiceModuleService["watching"], BackgroundWork>()

/** A job gets a proxy of the module each time, so its part is the key. */
function workOf({ watching }: PaymentServiceModuleService): BackgroundWork {
  const work = works.get(watching) ?? new BackgroundWork()
  works.set(watching, work)
  return work
}

/**
 * Asks in one statement what is due, and begins that work: transactions to read, and steps that a killed process left undone. It
 * does not wait for the work, so that slow or hanging work holds up nothing else.
 *
 * @param work the running work, and the queue for payments; by default those of this process
 */
export async function startDueWork(
  container: MedusaContainer,
  work?: BackgroundWork,
  queue?: Queue
): Promise<BackgroundWork> {
  const module = paymentServiceModule(container)
  const background = work ?? workOf(module)
  const accounts = await module.accounts()
  // Core begins no other look while this one waits for a silent connection.
  const due = await withDeadline(
    Queue.longestClaimMs,
    module.watching.findDueWork(accounts.merchantAccounts())
  )
  module.watching.askedAt = module.clock.now()
  const begin = (name: string, start: () => Promise<void>) => {
    background.begin(name, start, (error) => {
      module.logger.error(`Payment Service: ${name} ended early: ${reasonOf(error)}`)
    })
  }
  const ownQueue = queue ?? queueOf(module)
  if (due.transactions) ownQueue.takeUpBacklog()
  if (due.subscriptions && lookupMerchants(accounts).length) ownQueue.takeUpLookups()
  if (due.missed || due.events || (due.unpaidOrders && background.mayLookAtOrders())) {
    begin("a look at problems and events", () => reportMissed(settlePortsOf(container)))
  }
  const { notConfigured } = due
  if (notConfigured) {
    begin("a look at accounts that are missing", () => reportNotConfigured(module, notConfigured))
  }
  if (due.lostPayouts) {
    begin("a look at payouts without an answer", () => recordLostPayouts(settlePortsOf(container)))
  }
  if (due.payoutsToBook) {
    begin("booking payouts that were made", () => bookPayouts(settlePortsOf(container)))
  }
  if (due.unknownPayouts) {
    begin("a look at unknown payouts", () => reportUnknownPayouts(settlePortsOf(container)))
  }
  if (due.completions) {
    begin("a look at completions that did not end", () => finishCompletions(container))
  }
  return background
}
