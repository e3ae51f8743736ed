import { createHmac, randomBytes } from "node:crypto"

import type { Context, InferTypeOf, Logger } from "@medusajs/framework/types"
import {
  generateEntityId,
  InjectManager,
  MedusaContext,
  MedusaError,
  MedusaService,
} from "@medusajs/framework/utils"

import { PaymentServiceClient, type TransactionDetails } from "../../service/client"
import { redact, redactingLogger, registerSecret } from "../../service/redact"
import type { Decision } from "../../settlement/decide"
import { nextWatchAt } from "../../settlement/watch-schedule"
import { CallbackTokens } from "./callback-tokens"
import { type Clock, DatabaseClock } from "./clock"
import { Inbox } from "./inbox"
import { Leases, type RunSql } from "./leases"
import { Callback } from "./models/callback"
import { CallbackToken } from "./models/callback-token"
import { GeneratedKey } from "./models/generated-key"
import { Event } from "./models/event"
import { Lease } from "./models/lease"
import { Problem } from "./models/problem"
import { ReconciliationRun } from "./models/reconciliation-run"
import { RefundProof } from "./models/refund-proof"
import { Transaction } from "./models/transaction"
import { WatcherRun } from "./models/watcher-run"
import { Outbox } from "./outbox"
import { type AccountOptions, resolveOptions, type ResolvedOptions } from "./options"
import { Problems } from "./problems"
import { placesOf, Reconciliation, type ServicePlace } from "./reconciliation"
import { findLockingModule, warnOfMemoryLocking } from "./warn-of-memory-locking"

export type TransactionRow = InferTypeOf<typeof Transaction>
export type WatcherRunRow = InferTypeOf<typeof WatcherRun>
export type ProblemRow = InferTypeOf<typeof Problem>
export type ReconciliationRunRow = InferTypeOf<typeof ReconciliationRun>
export type CallbackRow = InferTypeOf<typeof Callback>
export type CallbackTokenRow = InferTypeOf<typeof CallbackToken>

export const TRANSACTION_SETTLED = "payment_service.transaction_settled"
const PAYER_KEY = "payer-id"
const PAYER_KEY_BYTES = 32
/** Polls share one read of the service per transaction in this time, across instances. */
const POLL_INTERVAL_MS = 2_000

/** As much of MikroORM's entity manager as a statement needs. */
type Executor = { execute<T>(sql: string, parameters?: unknown[]): Promise<T> }

/**
 * The plugin's own tables, its options, and the way to the service. Everything that must hold across
 * several instances of a store (leases, claims) is one SQL statement here, on the database's clock.
 */
export default class PaymentServiceModuleService extends MedusaService({
  Transaction,
  Callback,
  CallbackToken,
  GeneratedKey,
  Lease,
  WatcherRun,
  Event,
  Problem,
  RefundProof,
  ReconciliationRun,
}) {
  readonly logger: Logger
  /** What must happen in one place at a time, on all instances together. */
  readonly leases: Leases
  /** What time it is for everything in our tables; tests set another one. */
  clock: Clock
  /** What a person must look at. */
  readonly problems: Problems
  /** What callbacks named. */
  readonly inbox: Inbox
  readonly callbackTokens: CallbackTokens
  /** Events that are written down and not sent yet. */
  readonly outbox: Outbox
  /** What the comparison with the service's own records keeps. */
  readonly reconciliation: Reconciliation
  private readonly options: ResolvedOptions

  constructor(container: { logger: Logger }, options: unknown) {
    // eslint-disable-next-line prefer-rest-params -- MedusaService reads the container from its arguments
    super(...(arguments as unknown as []))
    this.options = resolveOptions(options)
    const run: RunSql = (statement, parameters) => this.run(statement, parameters)
    this.leases = new Leases(run)
    this.clock = new DatabaseClock(run)
    // Asked each time, because tests set another clock.
    const clock: Clock = { now: () => this.clock.now() }
    this.inbox = new Inbox(run, clock, this)
    this.callbackTokens = new CallbackTokens(this.options, clock, this)
    this.problems = new Problems(run, clock)
    this.outbox = new Outbox(run, clock)
    this.reconciliation = new Reconciliation(run, clock, this.problems)
    this.logger = redactingLogger(container.logger) as Logger
    for (const account of this.options.all()) {
      registerSecret(account.secret)
      if (account.signingSecret) registerSecret(account.signingSecret)
      if (account.callbackToken) registerSecret(account.callbackToken)
    }
  }

  __hooks = {
    onApplicationStart: async () => {
      await (this.clock as Partial<DatabaseClock>).look?.()
      await this.callbackTokens.recordConfigured()
      warnOfMemoryLocking(this.logger, await findLockingModule())
    },
  }

  /** Options of an account, resolved at each call, because they can change while the store runs. */
  optionsFor(account: string): AccountOptions {
    return this.options.optionsFor(account)
  }

  hasAccount(account: string): boolean {
    return this.options.has(account)
  }

  /** The service as an account reaches it now. */
  clientFor(account: string): PaymentServiceClient {
    return new PaymentServiceClient(this.optionsFor(account), { logger: this.logger })
  }

  /** Every merchant at every address, once each: several accounts may share one. */
  places(): ServicePlace[] {
    return placesOf(this.options.all())
  }

  /** The service as it lists the transactions of a merchant. */
  clientAt(place: ServicePlace): PaymentServiceClient {
    return new PaymentServiceClient(place.accounts[0], { logger: this.logger })
  }

  /**
   * Options by which a row is read: its address, and the newest secret of its merchant, whatever the
   * account is called now and wherever new transactions go.
   *
   * @throws MedusaError `NOT_ALLOWED` when its merchant is no longer configured
   */
  optionsForRow(
    row: Pick<TransactionRow, "id" | "account" | "base_url" | "merchant_id">
  ): AccountOptions {
    const sameMerchant = ({ merchantId }: AccountOptions) =>
      merchantId.toLowerCase() === row.merchant_id.toLowerCase()
    const own = this.hasAccount(row.account) ? this.optionsFor(row.account) : null
    const options = own && sameMerchant(own) ? own : this.options.all().find(sameMerchant)
    if (!options) {
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        `Transaction ${row.id} was created for a merchant that is no longer configured`
      )
    }
    return { ...options, baseUrl: row.base_url }
  }

  /** The service as a row must be read, see `optionsForRow`. */
  clientForRow(
    row: Pick<TransactionRow, "id" | "account" | "base_url" | "merchant_id">
  ): PaymentServiceClient {
    return new PaymentServiceClient(this.optionsForRow(row), { logger: this.logger })
  }

  // --- transactions ------------------------------------------------------------------------------

  /** The transaction of a payment session: the one it has now, or the one it was opened for. */
  async findBySession(sessionId: string): Promise<TransactionRow | null> {
    const [row] = await this.listTransactions(
      { $or: [{ session_id: sessionId }, { return_session_id: sessionId }] },
      { order: { opened_at: "DESC" }, take: 1 }
    )
    return row ?? null
  }

  /** The transaction with this id at the service (any case), if it is one of ours. */
  async findByTransactionId(transactionId: string): Promise<TransactionRow | null> {
    const [row] = await this.listTransactions(
      { transaction_key: transactionId.toLowerCase() },
      { take: 1 }
    )
    return row ?? null
  }

  /** How many transactions were opened for a cart (or collection) since a moment. */
  async countOpenedSince(
    scope: { cart_id: string } | { payment_collection_id: string },
    since: Date
  ): Promise<number> {
    const [, count] = await this.listAndCountTransactions(
      { ...scope, opened_at: { $gt: since } },
      { select: ["id"], take: 1 }
    )
    return count
  }

  /** Medusa deletes the session of this row; a row that moved on to another session stays as it is. */
  async detach(rowId: string, sessionId: string): Promise<void> {
    await this.updateTransactions({
      selector: { id: rowId, session_id: sessionId },
      data: { detached_at: this.clock.now() },
    })
  }

  /**
   * Records a read on a row, unless the row's state or exception changed since it was loaded.
   *
   * @returns the row as it is now, or null when it changed and the read has to be judged again
   */
  async recordRead(
    before: Pick<TransactionRow, "id" | "state" | "exception">,
    read: Pick<TransactionDetails, "status" | "qr" | "amount" | "currency">,
    decision: Pick<Decision, "state" | "exception" | "differences" | "late">
  ): Promise<TransactionRow | null> {
    const isPaid = decision.state === "paid"
    const recorded = await this.run<unknown[]>(
      `with clock as (select ?::timestamptz as now)
       update payment_service_transaction set state = ?, exception = ?, status = ?,
         exception_at = case when exception is distinct from ? then clock.now else exception_at end,
         exception_reason = case when ? then ? when ?::text is null then null else exception_reason end,
         qr = coalesce(?, qr), read_amount = ?, read_currency = ?,
         read_at = clock.now, updated_at = now(),
         paid_late = paid_late or (? and paid_at is null),
         paid_at = case when ? then coalesce(paid_at, clock.now) else paid_at end,
         -- Proof is never left to whoever found it: the watcher takes it up if they do not get on.
         watch_at = case when ? and paid_at is null
           then least(coalesce(watch_at, clock.now), clock.now + interval '5 seconds') else watch_at end
       from clock where id = ? and state = ? and exception is not distinct from ?
       returning id`,
      [
        this.clock.now(),
        decision.state,
        decision.exception,
        // Texts of somebody else: a status may be any, and so may a merchant or a reference.
        redact(read.status),
        decision.exception,
        decision.differences.length > 0,
        redact(decision.differences.join("; ")),
        decision.exception,
        read.qr,
        read.amount,
        read.currency,
        decision.late,
        isPaid,
        isPaid,
        before.id,
        before.state,
        before.exception,
      ]
    )
    return recorded.length ? await this.retrieveTransaction(before.id) : null
  }

  /**
   * Records why Medusa did not follow, and when it may be tried again. Only the holder of the row's `apply`
   * lease calls this.
   */
  async recordRefusal(
    row: TransactionRow,
    refusal: { exception: TransactionRow["exception"]; reason: string; pauseMs: number }
  ): Promise<void> {
    const now = this.clock.now()
    await this.updateTransactions({
      id: row.id,
      apply_attempts: row.apply_attempts + 1,
      apply_after: new Date(now.getTime() + refusal.pauseMs),
      ...(refusal.exception
        ? {
            exception: refusal.exception,
            exception_reason: redact(refusal.reason),
            exception_at: refusal.exception === row.exception ? row.exception_at : now,
          }
        : {}),
    })
  }

  /** Nothing is out of order any more, or Medusa has followed: `settled` says how far. */
  async recordProgress(
    row: TransactionRow,
    settled?: { captured: boolean; orderId: string | undefined }
  ): Promise<void> {
    const inOrder = { exception: null, exception_at: null, exception_reason: null }
    await this.updateTransactions({
      id: row.id,
      apply_attempts: 0,
      apply_after: null,
      ...(settled ? {} : inOrder),
      ...(settled?.captured
        ? {
            ...inOrder,
            settled_at: row.settled_at ?? this.clock.now(),
            ...(settled.orderId ? { order_id: settled.orderId } : {}),
          }
        : {}),
    })
  }

  /**
   * Writes the event that a transaction has settled in another state than the last time. A payment settles
   * when Medusa holds it, a cancellation when Medusa has closed its session.
   */
  async tellSettled(row: TransactionRow): Promise<void> {
    const hasFollowed =
      row.state === "paid" ? row.settled_at !== null : isClosed(row.state) && !row.apply_after
    if (row.told_state === row.state || !hasFollowed) {
      return
    }
    const id = generateEntityId("", "psevt")
    await this.run(
      `with told as (
         update payment_service_transaction set told_state = state
         where id = ? and state = ? and told_state = ? returning *)
       insert into payment_service_event (id, name, data, written_at, send_at)
       select ?, ?, jsonb_build_object('id', ?::text, 'transaction_row_id', id,
         'transaction_id', transaction_id, 'session_id', session_id, 'cart_id', cart_id,
         'order_id', order_id, 'old_state', ?::text, 'new_state', state,
         'amount', coalesce(accepted_amount, amount), 'currency', currency, 'late', paid_late),
         ?, ? from told`,
      [
        row.id,
        row.state,
        row.told_state,
        id,
        TRANSACTION_SETTLED,
        id,
        row.told_state,
        this.clock.now(),
        this.clock.now(),
      ]
    )
  }

  /** Rows that have settled without anybody having been told: what a killed process left behind. */
  async findUntold(limit: number): Promise<TransactionRow[]> {
    const rows = await this.run<{ id: string }[]>(
      `select id from payment_service_transaction
       where told_state <> state and deleted_at is null
         and (settled_at is not null or (state in ('canceled', 'expired') and apply_after is null))
       order by opened_at desc limit ?`,
      [limit]
    )
    return rows.length
      ? await this.listTransactions({ id: rows.map(({ id }) => id) }, { take: null })
      : []
  }

  /** Core was told that the order may be placed before the money comes. */
  async markDeferred(id: string): Promise<void> {
    await this.run(
      "update payment_service_transaction set deferred_at = coalesce(deferred_at, ?) where id = ?",
      [this.clock.now(), id]
    )
  }

  /**
   * Was an order placed on the promise of this collection's payments, and can none of the others be paid
   * any more? A creation without a reply counts as payable for as long as one usually is.
   */
  async isDeferredAndLost(
    row: Pick<TransactionRow, "id" | "payment_collection_id">
  ): Promise<boolean> {
    const [found] = await this.run<{ lost: boolean | null }[]>(
      `select bool_or(deferred_at is not null) and not bool_or(id <> ? and (state in ('pending', 'paid')
         or (state in ('creating', 'unknown')
           and opened_at > ?::timestamptz - interval '1 hour'))) as lost
       from payment_service_transaction where payment_collection_id = ? and deleted_at is null`,
      [row.id, this.clock.now(), row.payment_collection_id]
    )
    return found?.lost ?? false
  }

  /**
   * For a poll: may this call read the service now? At most one caller in two seconds may, on all
   * instances together.
   */
  async claimPoll(rowId: string): Promise<boolean> {
    const claimed = await this.run<unknown[]>(
      `with clock as (select ?::timestamptz as now)
       update payment_service_transaction set poll_claimed_at = clock.now
       from clock where id = ?
         and (poll_claimed_at is null
           or poll_claimed_at < clock.now - (? * interval '1 millisecond'))
         and (apply_after is null or apply_after <= clock.now)
       returning id`,
      [this.clock.now(), rowId, POLL_INTERVAL_MS]
    )
    return claimed.length > 0
  }

  /**
   * Takes transactions that are due to be watched, oldest first unless in any order, each for one worker
   * only: claiming puts its next watch off by a minute, so a worker that dies leaves the row due again by
   * itself. Rows of an address or merchant that is no longer configured are left alone.
   */
  async claimDueTransactions(limit: number, inAnyOrder = false): Promise<TransactionRow[]> {
    const now = this.clock.now()
    const places = this.options.all().map(({ baseUrl, merchantId }) => [baseUrl, merchantId])
    const claimed = await this.run<{ id: string }[]>(
      `update payment_service_transaction set watch_at = ?::timestamptz + interval '1 minute'
       where id in (
         select id from payment_service_transaction
         where watch_at <= ? and settled_at is null and transaction_id is not null
           and (base_url, merchant_id) in (${places.map(() => "(?, ?)").join(", ")})
         order by ${inAnyOrder ? "random()" : "watch_at"} limit ? for update skip locked)
       returning id`,
      [now, now, ...places.flat(), limit]
    )
    return claimed.length
      ? await this.listTransactions(
          { id: claimed.map(({ id }) => id) },
          { take: null, order: { opened_at: "ASC" } }
        )
      : []
  }

  /**
   * Somebody says that something happened to this transaction: the watcher looks at it soon, and as often
   * as at a new one, in case the service's own reads are behind.
   */
  async hint(id: string): Promise<void> {
    await this.run(
      `with soon as (select ?::timestamptz as now, ?::timestamptz + interval '5 seconds' as at)
       update payment_service_transaction set hinted_at = soon.now,
         watch_at = least(coalesce(watch_at, soon.at), soon.at)
       from soon where id = ? and settled_at is null`,
      [this.clock.now(), this.clock.now(), id]
    )
  }

  /** The store's limits for the watcher; with several accounts, those of the first. */
  watcherLimits(): AccountOptions["watcher"] {
    const [first] = this.options.all()
    return first?.watcher ?? { readsPerSecond: 5, concurrency: 4 }
  }

  /** Keeps what the last pass of the watcher did. */
  async recordWatcherRun(
    run: Pick<
      WatcherRunRow,
      "settled" | "failed" | "silent_passes" | "silent_since" | "paused_until"
    >
  ): Promise<void> {
    const row = { id: "watcher", finished_at: this.clock.now(), ...run }
    await ((await this.lastWatcherRun())
      ? this.updateWatcherRuns(row)
      : this.createWatcherRuns(row))
  }

  async lastWatcherRun(): Promise<WatcherRunRow | null> {
    const [last] = await this.listWatcherRuns({ id: "watcher" })
    return last ?? null
  }

  /** Puts a transaction's next watch where its schedule wants it. */
  async planWatch(id: string): Promise<void> {
    const row = await this.retrieveTransaction(id)
    await this.run("update payment_service_transaction set watch_at = ? where id = ?", [
      nextWatchAt(row, this.clock.now()),
      id,
    ])
  }

  /**
   * Lets go of a lock of core's whose holder died. Medusa's locking in Postgres writes down when a lock
   * ends, but gives nobody a lock that is there, ended or not: a cart whose completion was killed could
   * never be ordered. The other ways to lock do this by themselves.
   */
  async freeEndedLock(key: string): Promise<void> {
    const [table] = await this.run<{ there: boolean }[]>(
      "select to_regclass('locking') is not null as there"
    )
    if (table?.there) {
      await this.run("delete from locking where id = ? and expiration < now()", [key])
    }
  }

  // --- payer ids ---------------------------------------------------------------------------------

  /** A guest's payer id: stable for the e-mail address, and nobody can turn it back into one. */
  async guestPayerId(email: string): Promise<string> {
    const key = Buffer.from(await this.generatedKey(PAYER_KEY), "base64")
    return `guest_${createHmac("sha256", key).update(email.trim().toLowerCase()).digest("hex").slice(0, 32)}`
  }

  protected async generatedKey(name: string): Promise<string> {
    const [row] = await this.run<{ value: string }[]>(
      // One statement, so that two instances that start together agree on one key.
      `insert into payment_service_generated_key (id, name, value) values (?, ?, ?)
       on conflict (id) do update set name = excluded.name returning value`,
      [`pskey_${name}`, name, randomBytes(PAYER_KEY_BYTES).toString("base64")]
    )
    if (!row) {
      throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, `Key ${name} could not be stored`)
    }
    return row.value
  }

  /** One SQL statement, in its own transaction. */
  @InjectManager()
  protected async run<T>(
    statement: string,
    parameters: unknown[] = [],
    @MedusaContext() context: Context = {}
  ): Promise<T> {
    return await (context.manager as Executor).execute<T>(statement, parameters)
  }
}

function isClosed(state: TransactionRow["state"]): boolean {
  return state === "canceled" || state === "expired"
}
