import { AsyncResource } from "node:async_hooks"
import { setTimeout as sleep } from "node:timers/promises"

import { container } from "@medusajs/framework"
import pLimit from "p-limit"

import {
  type Accounts,
  type ClaimedRow,
  paymentServiceModule,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../modules/payment-service"
import { problem } from "../problems/rules/problems"
import type { Refusal } from "../problems/rules/reasons"
import { subjectOf } from "../problems/statements/problems"
import { asError, reasonOf, refusalOf, refusedPayment } from "../refusals/refused"
import { PaymentServiceError, type PaymentServiceErrorKind } from "../service/errors"
import { lookUp } from "../subscriptions"
import { TookTooLong, withDeadline } from "../values/deadline"
import { applyDecision, recordUnfinished, reportSettlement } from "./apply-decision"
import { settlePortsOf } from "./ports"
import { readPlaces } from "./read-places"
import { type Ports, readTransaction } from "./read-transaction"
import { isProvenSince } from "./rules/decide"
import * as timing from "./rules/timing"
import { concernsMedusa, merchantAccountId, merchantAccountOf } from "./rules/transaction"

/** Medusa changes so many payments at once: more would not be faster, and would slow other requests down. */
const CHANGES_AT_ONCE = 4
/** So many changes at a time have given up their places, because they take long. */
const MOST_WITHOUT_PLACE = 20
/** The pause after a claim that failed, when named rows still wait. */
const AFTER_FAILED_CLAIM_MS = 1_000
/** A waiting caller looks so often whether another instance has settled its row. */
const LOOK_EVERY_MS = 500
/** The one look-up of a subscription, among what runs by its row's id. */
const LOOKUP = "subscription"
const MINUTE_MS = 60_000
const LONG_SILENCE_MS = 10 * MINUTE_MS
/** The pause between looks at orders reported as unpaid, because no event tells us that they were paid or canceled. */
const UNPAID_ORDERS_EVERY_MS = 20_000
const NOT_READ = "The Payment Service has not answered another instance of this store"

/** The end of a request's wait, for locks and settles together, in milliseconds of `Date.now()`. */
export const endOfWait = () => Date.now() + Queue.longestWaitMs

/** Rows are claimed in the context of no request. A named row is settled in that of its first name, so that traces show it there. */
const ownContext = new AsyncResource("PaymentServiceQueue")

const queues = new WeakMap<PaymentServiceModuleService["dueTransactions"], Queue>()

/** The queue of this process. Jobs and workflows' steps get a proxy of the module each time, so its part is the key. */
export function queueOf({ dueTransactions }: PaymentServiceModuleService): Queue {
  const queue = queues.get(dueTransactions) ?? new Queue(paymentServiceModule(container))
  queues.set(dueTransactions, queue)
  return queue
}

export type Settled = Pick<TransactionRow, "state" | "exception" | "order_id">

/** `Queue.settle` for a row of which only the id (`pstx_…`) is known; returns the outcome so far. */
export async function settleTransaction({ module }: Ports, rowId: string, giveUpAt = endOfWait()) {
  const row = await module.transactions.get(rowId)
  const { state, exception, order_id } = await queueOf(module).settle(row, { giveUpAt })
  return { state, exception, order_id }
}

type Begin = (row: ClaimedRow, accounts: Accounts) => void
type Failure = { began: Date; error: Error }

/**
 * The one way in for a payment: it claims rows, reads each at the service, and makes Medusa follow the proven state. Rows that were
 * named in this process go before those that are due by themselves, and polls come in between.
 */
export class Queue {
  /** The request of a payer or an admin waits no longer, see `endOfWait`. */
  static longestWaitMs = 8_000
  /** A change that takes longer, in a shop's own hook for example, gives up its place to the next. */
  static longestInPlaceMs = 2_000
  /** A change that takes longer is left behind, see `follow`. */
  static longestChangeMs = timing.LONGEST_CHANGE_MS
  /** A claim that takes longer is not waited for: its connection to the database is silent, and the next one takes another. */
  static longestClaimMs = 5_000

  /** The named rows that wait for their claim, by id. */
  private readonly named = new Map<string, { merchant: string; isDue: boolean; begin: Begin }>()
  private readonly running = new Map<string, Promise<void>>()
  /** This process's other background work, by its name. */
  private readonly beside = new Map<string, Promise<void>>()
  private nextLookAtOrders = 0
  private readonly leftBehind = new Set<string>()
  /** Failures that may have to be told to a waiting caller. */
  private readonly failures = new Map<string, Failure>()
  private readonly looks = new Map<string, { row: Promise<TransactionRow>; end: AbortController }>()
  private readonly inPlace = pLimit(CHANGES_AT_ONCE)
  private readonly unfinished = pLimit(CHANGES_AT_ONCE + MOST_WITHOUT_PLACE)
  private claiming: Promise<void> | null = null
  private isWoken = false
  /** Whether rows may be due that nobody has named, and the pause before the next of them is claimed. */
  private hasBacklog = false
  private pausing: Promise<void> | null = null
  private lastPlace = 0

  constructor(private readonly module: PaymentServiceModuleService) {}

  /** Settles these rows soon. With `isDue`, the caller has made them due, so that any instance may settle them. */
  settleSoon(rows: readonly TransactionRow[], { isDue = true } = {}): void {
    const begin = AsyncResource.bind(this.begin)
    for (const row of rows) {
      const merchant = merchantOf(row)
      if (isDue || !this.named.has(row.id)) this.named.set(row.id, { merchant, isDue, begin })
    }
    this.wake()
  }

  /** Also claims rows that are due by themselves. */
  takeUpBacklog(): void {
    this.hasBacklog = true
    this.wake()
  }

  /**
   * Settles a row by an answer of the service that is asked for from now on, here or on another instance, and waits for that.
   *
   * @param mustReadAnew true: the service is asked anew, before others; false: a fresh proof is enough, and the row waits its turn
   * @param giveUpAt the end of the wait, in milliseconds of `Date.now()`; a settle that takes longer goes on
   * @returns the row when Medusa has followed, or when nobody tries that now, or at `giveUpAt`
   * @throws PaymentServiceError when the service cannot be read; MedusaError `UNEXPECTED_STATE` when the settle was left behind; or others
   */
  async settle(
    row: TransactionRow,
    { mustReadAnew = true, giveUpAt = endOfWait() } = {}
  ): Promise<TransactionRow> {
    if (!row.transaction_id) throw refusedPayment("never_opened")
    const cameAt = this.module.clock.now()
    const since = timing.isAskedFor(row, cameAt) ? row.hinted_at : cameAt
    const ask = async (of: TransactionRow) => {
      const isHinted = timing.isAskedFor(of, this.module.clock.now())
      if (mustReadAnew && !isHinted) await this.module.dueTransactions.hintNow(of.id)
      this.settleSoon([of], { isDue: mustReadAnew })
    }
    await ask(row)
    for (let wasReadInVain = false; ;) {
      const present = await this.look(row.id)
      const failure = this.failures.get(row.id)
      if (failure && failure.began >= cameAt) {
        throw failure.error instanceof TookTooLong ? refusedPayment("busy") : failure.error
      }
      const isHere = this.named.has(row.id) || this.running.has(row.id)
      const isOver = !isHere && !timing.isBeingSettled(present, cameAt, this.module.clock.now())
      const isAnswered = !mustReadAnew || Number(present.read_at) >= Number(since)
      if (isOver && isAnswered) return present
      // Another instance has read in vain, or before this caller came. It tells nobody here why, so the row is read once more.
      wasReadInVain ||= isOver
      // A look that begins later would end too late.
      if (Date.now() >= giveUpAt - LOOK_EVERY_MS) {
        if (wasReadInVain && !isAnswered) throw new PaymentServiceError("unavailable", NOT_READ)
        return present
      }
      if (isOver) await ask(present)
    }
  }

  /** Begins work of this name unless it runs. If it takes longer than three minutes, it hangs, and may begin again when it is due. */
  beginBeside(name: string, isDue: boolean, start: () => Promise<void>): void {
    if (!isDue || this.beside.has(name)) return
    const work = withDeadline(timing.LONGEST_CHANGE_MS, start())
      .catch((error: unknown) => {
        this.module.logger.error(`Payment Service: ${name} ended early: ${reasonOf(error)}`)
      })
      .finally(() => this.beside.delete(name))
    this.beside.set(name, work)
  }

  mayLookAtOrders(): boolean {
    const now = performance.now()
    if (now < this.nextLookAtOrders) return false
    this.nextLookAtOrders = now + UNPAID_ORDERS_EVERY_MS
    return true
  }

  /** Waits until nothing runs, and nothing is left to claim. */
  async idle(): Promise<void> {
    const running = () => [...this.running.values(), ...this.beside.values()][0]
    for (let work; (work = this.claiming ?? this.pausing ?? running());) await work
  }

  /** The row at the end of its settle, or a moment later; all who wait for it share the question. */
  private look(id: string): Promise<TransactionRow> {
    const known = this.looks.get(id)
    if (known) return known.row
    const end = new AbortController()
    const later = sleep(LOOK_EVERY_MS, undefined, { signal: end.signal, ref: false })
    const look = () => {
      this.looks.delete(id)
      return this.module.transactions.get(id)
    }
    const row = later.then(look, look)
    this.looks.set(id, { row, end })
    return row
  }

  private wake(): void {
    this.isWoken = true
    this.claiming ??= ownContext.runInAsyncScope(() => this.claimAll())
  }

  private async claimAll(): Promise<void> {
    try {
      while (this.isWoken) {
        this.isWoken = false
        const accounts = await this.module.accounts()
        while (await withDeadline(Queue.longestClaimMs, this.claimOne(accounts))) continue
      }
    } catch (error) {
      // Rows that are due stay so, and the watcher's job wakes the queue again.
      this.module.logger.warn(`Payment Service: no payment could be claimed: ${reasonOf(error)}`)
      if (this.named.size && !this.pausing) this.pause(AFTER_FAILED_CLAIM_MS)
    } finally {
      this.claiming = null
    }
  }

  /** Claims a row that has a place, and begins its settle; returns whether there was one. */
  private async claimOne(accounts: Accounts): Promise<boolean> {
    const { dueTransactions, subscriptionLookups } = this.module
    const merchants = accounts.merchantAccounts()
    // One place is kept for what is due by itself, or payers who look at a page all the time would keep it waiting for ever.
    const kept = this.hasBacklog ? 1 : 0
    const waiting = [...this.named].filter(
      ([id, { merchant }]) =>
        !this.running.has(id) && readPlaces.isFree(accounts, merchant, "queue", kept)
    )
    // Polls come often, so whoever brings news goes first.
    const [id, next] = waiting.find(([, { isDue }]) => isDue) ?? waiting[0] ?? []
    if (id && next) {
      const row = await dueTransactions.claim(id, next)
      this.named.delete(id)
      // Somebody else changes or settles it, and it may be due.
      if (!row) this.hasBacklog = true
      // An earlier claim, which was not waited for any more, may have begun it.
      else if (!this.running.has(id)) next.begin(row, accounts)
      return true
    }
    // Payments that wait for their change are not overtaken by more of them.
    const areChangesWaiting = this.inPlace.pendingCount + this.unfinished.pendingCount > 0
    if (!this.hasBacklog || this.pausing || areChangesWaiting) return false
    this.hasBacklog = false
    for (let tries = 0; tries < merchants.length; tries++) {
      const merchant = merchants[this.lastPlace++ % merchants.length]
      if (!merchant) continue
      if (!readPlaces.isFree(accounts, merchantAccountId(merchant), "queue")) {
        this.hasBacklog = true
        continue
      }
      const row = await dueTransactions.claimDue(merchant)
      if (!row) continue
      this.hasBacklog = true
      // Rows that nobody waits for are read no faster than the options say.
      this.pause(1_000 / accounts.store.watcher.readsPerSecond)
      // A settle that outlives its claim goes on.
      if (!this.running.has(row.id)) this.begin(row, accounts)
      return true
    }
    // Ids that callbacks have named come last, one after the other.
    const lookup = this.running.has(LOOKUP) ? null : await subscriptionLookups.claimDue(accounts)
    if (!lookup) return false
    const looking = lookUp(container, accounts, lookup).finally(() => {
      this.hasBacklog = true
    })
    this.keep(LOOKUP, withDeadline(Queue.longestChangeMs, looking))
    return true
  }

  /** Claims no rows that are due by themselves for so long, and then looks again. */
  private pause(ms: number): void {
    this.pausing = sleep(ms, undefined, { ref: false }).then(() => {
      this.pausing = null
      this.wake()
    })
  }

  private readonly begin: Begin = (row, accounts) => {
    this.named.delete(row.id)
    this.keep(row.id, this.run(row, accounts))
  }

  private keep(id: string, work: Promise<void>): void {
    const logged = work.catch((error: unknown) => {
      // The claim ends by itself, and the row is due then.
      this.module.logger.warn(`Payment Service: ${id} could not be planned: ${reasonOf(error)}`)
    })
    const ended = logged.finally(() => {
      this.running.delete(id)
      this.looks.get(id)?.end.abort()
      this.wake()
    })
    this.running.set(id, ended)
  }

  private async run(claimed: ClaimedRow, accounts: Accounts): Promise<void> {
    const began = this.module.clock.now()
    let isUnread = false
    const row = await this.settleClaimed(claimed, accounts).catch((error: unknown) => {
      isUnread = error instanceof PaymentServiceError && isUnanswered(error)
      const failure = { began, error: asError(error) }
      return withDeadline(Queue.longestChangeMs, this.recordFailure(claimed, failure))
    })
    const ending = this.module.dueTransactions.endClaim(claimed, row, isUnread)
    const isDue = await withDeadline(Queue.longestChangeMs, ending)
    // Another instance may have been told of it meanwhile, and cannot claim it.
    if (isDue) this.settleSoon([row])
  }

  private async settleClaimed(claimed: ClaimedRow, accounts: Accounts): Promise<TransactionRow> {
    if (this.leftBehind.has(claimed.id)) {
      throw new TookTooLong("an earlier attempt has not ended yet")
    }
    const row = await this.readClaimed(claimed, accounts)
    const follow = () => this.follow(claimed, row, accounts)
    return concernsMedusa(row) ? await this.inTurn(follow) : await follow()
  }

  /** Waits for a change of Medusa. One that hangs gives back its place, may still end, and until then its row is not settled again here. */
  private async follow(claimed: ClaimedRow, row: TransactionRow, accounts: Accounts) {
    const ports = settlePortsOf(container)
    const following = applyDecision(ports, accounts, row).then(async (followed) => {
      await reportSettlement(ports, claimed, followed)
      return followed
    })
    try {
      return await withDeadline(Queue.longestChangeMs, following)
    } catch (error) {
      if (error instanceof TookTooLong) {
        this.leftBehind.add(claimed.id)
        const isOver = () => this.leftBehind.delete(claimed.id)
        void following.then(isOver, isOver)
      }
      throw error
    }
  }

  private async readClaimed(claimed: ClaimedRow, accounts: Accounts): Promise<TransactionRow> {
    const { module } = this
    // An answer counts for whoever named the row before it was asked for.
    const since = Math.max(Number(claimed.hinted_at), Number(timing.freshSince(module.clock.now())))
    if (isProvenSince(claimed, new Date(since))) return claimed
    const merchant = merchantOf(claimed)
    const read = readTransaction(module, accounts, claimed, { by: "queue" })
    const { row } = await read.finally(() => this.wake())
    if (claimed.was_silent) await module.deleteSilences(merchant)
    return row
  }

  /** Runs work that changes Medusa, in its turn. What takes long leaves its place to the next, and goes on. */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const beginInPlace = (resolve: (result: T) => void, reject: (error: unknown) => void) =>
      void this.inPlace(async () => {
        const working = work()
        working.then(resolve, reject)
        await withDeadline(Queue.longestInPlaceMs, working).catch(() => undefined)
      })
    return await this.unfinished(() => new Promise<T>(beginInPlace))
  }

  private async recordFailure(claimed: ClaimedRow, failure: Failure): Promise<TransactionRow> {
    const { module, failures } = this
    const { error } = failure
    module.logger.warn(
      `Payment Service: transaction ${claimed.transaction_id} could not be settled and will be tried again: ${reasonOf(error)}`
    )
    failures.set(claimed.id, failure)
    const forget = () => failures.get(claimed.id) === failure && failures.delete(claimed.id)
    setTimeout(forget, 2 * Queue.longestWaitMs).unref()
    // A person is told when this is repeated, see `QUIET_ATTEMPTS`.
    if (error instanceof TookTooLong) return await recordUnfinished({ module }, claimed.id, error)
    const isOfService = error instanceof PaymentServiceError
    if (isOfService && isUnanswered(error)) await reportSilence(module, claimed, error)
    else if (isOfService && claimed.was_silent) await module.deleteSilences(merchantOf(claimed))
    const row = await module.transactions.get(claimed.id)
    // The watcher gives it up. `not_found` is an answer, and usual for a transaction that nobody ever paid.
    const isUnread = isOfService && error.kind !== "not_found"
    if (isUnread && timing.isGivenUpUnread(row, module.clock.now())) {
      await reportUnread(module, row, refusalOf(error))
    }
    return row
  }
}

const merchantOf = (row: TransactionRow) => merchantAccountId(merchantAccountOf(row))

const ANSWERS: PaymentServiceErrorKind[] = ["invalid", "not_found", "link_refused", "file_refused"]

/** Whether the service, and not the transaction, is the reason of a failed read. */
export const isUnanswered = ({ kind }: PaymentServiceError) => !ANSWERS.includes(kind)

/** Records a merchant's silence, told when it lasts. News of ten minutes ago is told by itself. Any answer closes the problem. */
async function reportSilence(module: Ports["module"], row: ClaimedRow, error: PaymentServiceError) {
  const merchant = merchantAccountOf(row)
  const silentSince = await module.watching.recordSilence(merchant, error.retryAfterMs)
  const now = Number(module.clock.now())
  const [since, named] = [Number(silentSince), Number(row.hinted_at)]
  if (now - since > LONG_SILENCE_MS) {
    const facts = { ...merchant, since: silentSince.toISOString() }
    return await module.problems.report(problem("service_unreachable", facts), {}, silentSince)
  }
  const isUnread = named > Number(row.read_at) && now - named > LONG_SILENCE_MS
  const wereOthersRead = since - named > MINUTE_MS
  if (isUnread && wereOthersRead) await reportUnread(module, row, refusalOf(error), "named")
}

/** Reports a transaction that cannot be read: the comparison found it (`unread`), news of it came (`named`), or the watcher gives it up. */
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
