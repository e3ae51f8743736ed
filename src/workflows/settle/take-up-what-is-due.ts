import type { MedusaContainer } from "@medusajs/framework/types"

import {
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { LONGEST_BACKGROUND_SETTLE_MS, LONGEST_JOB_MS } from "../../settlement/timing"
import { finishCompletions } from "./half-made-orders"
import { reportWhatWasMissed } from "./report-settlement"
import { reportNotConfigured } from "./report-unwatched"
import { takeUpCallbacks } from "./take-up-callbacks"
import { watchTransactions } from "./watch-transactions"
import { within } from "./within"

/** Nothing says when Medusa's orders change, so those that a person was told of are looked at this often. */
const UNPAID_ORDERS_EVERY_MS = 20_000

/** What this process is at in the background: each kind of work once, however often it is due meanwhile. */
export class BackgroundWork {
  private readonly going = new Map<string, Promise<void>>()
  private nextLookAtOrders = 0

  /** @param longestMs after which it is taken for hanging and begun again when it is due */
  begin(
    name: string,
    start: () => Promise<void>,
    failed: (error: unknown) => void,
    longestMs: number
  ) {
    if (!this.going.has(name)) {
      const work = within(longestMs, start())
        .catch(failed)
        .finally(() => this.going.delete(name))
      this.going.set(name, work)
    }
  }

  mayLookAtOrders(): boolean {
    const now = performance.now()
    if (now < this.nextLookAtOrders) {
      return false
    }
    this.nextLookAtOrders = now + UNPAID_ORDERS_EVERY_MS
    return true
  }

  async ended(): Promise<void> {
    await Promise.all(this.going.values())
  }
}

const works = new WeakMap<PaymentServiceModuleService, BackgroundWork>()

function workOf(module: PaymentServiceModuleService): BackgroundWork {
  const known = works.get(module)
  if (known) return known
  const work = new BackgroundWork()
  works.set(module, work)
  return work
}

/**
 * Asks what is due, in one statement, and begins with it: transactions to look at, callbacks, and what a
 * process that died had no time for. Does not wait for it, so that nothing that takes long, or hangs, keeps
 * anything else from being taken up.
 *
 * @param work what this process is at already
 */
export async function takeUpWhatIsDue(
  container: MedusaContainer,
  work?: BackgroundWork
): Promise<BackgroundWork> {
  const module = paymentServiceModule(container)
  const background = work ?? workOf(module)
  const due = await module.watching.whatIsDue()
  module.watching.askedAt = module.clock.now()
  const begin = (
    name: string,
    start: () => Promise<void>,
    longestMs = LONGEST_BACKGROUND_SETTLE_MS
  ) => {
    const failed = (error: unknown) => {
      module.logger.error(`Payment Service: ${name} ended early: ${reasonOf(error)}`)
    }
    background.begin(name, start, failed, longestMs)
  }
  if (due.transactions) {
    const watch = () => watchTransactions(container, module.watcherLimits())
    begin("a look at open payments", watch, LONGEST_JOB_MS)
  }
  if (due.callbacks) {
    begin("a look at callbacks", () => takeUpCallbacks(container), LONGEST_JOB_MS)
  }
  if (due.missed || due.events || (due.unpaidOrders && background.mayLookAtOrders())) {
    begin("a look at problems and events", () => reportWhatWasMissed(container))
  }
  const { notConfigured } = due
  if (notConfigured) {
    begin("a look at accounts that are missing", () => reportNotConfigured(module, notConfigured))
  }
  if (due.completions) {
    begin("a look at completions that did not end", () => finishCompletions(container))
  }
  return background
}
