import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../modules/payment-service"
import { bookDue } from "../problems/money-back"
import { recordLostPayouts, reportUnknownPayouts } from "../payouts/unknown-payouts"
import { reasonOf } from "../refusals/refused"
import type { ServiceLogger } from "../service/redact"
import { lookUpDue } from "../subscriptions"
import { lookupMerchants } from "../subscriptions/statements/lookups"
import { withDeadline } from "../values/deadline"
import { finishCompletions, settlePortsOf } from "./core"
import { Queue, queueOf } from "./queue"
import { reportMissed, reportNotConfigured } from "./report"
import { LONGEST_CHANGE_MS } from "./rules/timing"

/** The pause between looks at orders reported as unpaid, because no event tells us that they were paid or canceled. */
const UNPAID_ORDERS_EVERY_MS = 20_000

/** This process's background work. Each kind runs once at a time, however often it is due meanwhile. */
export class BackgroundWork {
  private readonly going = new Map<string, Promise<void>>()
  private nextLookAtOrders = 0

  constructor(private readonly logger: ServiceLogger) {}

  /** Work that takes longer than three minutes counts as hanging, and may begin again when it is due. */
  begin(name: string, isDue: boolean, start: () => Promise<void>): void {
    if (!isDue || this.going.has(name)) return
    const work = withDeadline(LONGEST_CHANGE_MS, start())
      .catch((error: unknown) => {
        this.logger.error(`Payment Service: ${name} ended early: ${reasonOf(error)}`)
      })
      .finally(() => this.going.delete(name))
    this.going.set(name, work)
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

const works = new WeakMap<Queue, BackgroundWork>()

/**
 * Asks in one statement what is due, and begins that work: transactions to read, and steps that a killed process left undone. It
 * does not wait for the work, so that slow or hanging work holds up nothing else, and returns what runs beside the queue.
 */
export async function startDueWork(
  container: MedusaContainer,
  asked?: Queue
): Promise<BackgroundWork> {
  const module = paymentServiceModule(container)
  const queue = asked ?? queueOf(module)
  const background = works.get(queue) ?? new BackgroundWork(module.logger)
  works.set(queue, background)
  const accounts = await module.accounts()
  // Core begins no other look while this one waits for a silent connection.
  const due = await withDeadline(
    Queue.longestClaimMs,
    module.watching.findDueWork(accounts.merchantAccounts())
  )
  module.watching.askedAt = module.clock.now()
  if (due.transactions) queue.takeUpBacklog()
  const ports = settlePortsOf(container)
  const isToTell = due.missed || due.events !== null
  const isToClose = due.unpaidOrders && background.mayLookAtOrders()
  background.begin("a look at problems and events", isToTell || isToClose, () =>
    reportMissed(ports)
  )
  const { notConfigured } = due
  background.begin("a look at accounts that are missing", notConfigured !== null, () =>
    reportNotConfigured(module, notConfigured ?? [])
  )
  const isToLookUp = due.subscriptions && lookupMerchants(accounts).length > 0
  background.begin("a look-up of ids that callbacks named", isToLookUp, () =>
    lookUpDue(container, accounts)
  )
  background.begin("a look at payouts without an answer", due.lostPayouts, () =>
    recordLostPayouts(ports)
  )
  background.begin("booking what went back", due.proofsToBook, () => bookDue(ports))
  background.begin("a look at unknown payouts", due.unknownPayouts, () =>
    reportUnknownPayouts(ports)
  )
  background.begin("a look at completions that did not end", due.completions, () =>
    finishCompletions(container)
  )
  return background
}
