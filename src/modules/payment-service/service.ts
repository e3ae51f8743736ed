import { randomBytes } from "node:crypto"

import type { ConfigModule, Context, Logger } from "@medusajs/framework/types"
import {
  generateEntityId,
  InjectManager,
  InjectTransactionManager,
  MedusaContext,
} from "@medusajs/framework/utils"

import { type Clock, DatabaseClock } from "../../database/clock"
import { Leases } from "../../database/leases"
import { Outbox } from "../../database/outbox"
import { Retention } from "./retention"
import { columnsAndValues, empty, jsonb, runnerOf, sql } from "../../database/sql"
import type { Database, RunSql, Sql } from "../../database/sql"
import { CallbackTokens } from "../../payments/statements/callback-tokens"
import { Callbacks } from "../../payments/statements/callbacks"
import { DueTransactions, Watching } from "../../payments/statements/due-transactions"
import { Ledger } from "../../payments/statements/ledger"
import { openedFor, WAS_PAID } from "../../payments/statements/rules-in-sql"
import { Overview, TransactionList } from "../../payments/statements/transaction-list"
import { CompletionMarks, Openings, Transactions } from "../../payments/statements/transactions"
import { PayoutList, Payouts } from "../../payouts/statements/payouts"
import type { ProblemAction } from "../../problems/rules/problems"
import { ProblemList, Problems } from "../../problems/statements/problems"
import { Reconciliation } from "../../reconciliation/statements/runs"
import { redactingLogger, type ServiceLogger } from "../../service/redact"
import { type Accounts, StoredSettings } from "../../settings/accounts"
import { Keys } from "../../settings/keys"
import { readFileOptions, requireListedOnce } from "../../settings/resolve-options"
import { SettingsList } from "../../settings/statements/settings"
import { storeFacts, warningsOf } from "../../settings/warnings"
import { SubscriptionLookups } from "../../subscriptions/statements/lookups"
import { digestsOf } from "../../values/digests"
import { type PayerRow, Tables, type TransactionRow } from "./tables"

interface Executor {
  execute<T>(sql: string, parameters?: unknown[]): Promise<T>
  getKnex(): { raw(sql: string, values: unknown[]): Promise<{ rows: unknown }> }
}

/** The plugin's tables and accounts. What must hold across several instances is one SQL statement in one of the parts below. */
export default class PaymentServiceModuleService extends Tables {
  readonly logger: ServiceLogger
  readonly settings: StoredSettings
  readonly callbackTokens: CallbackTokens

  private readonly database: Database = {
    run: runnerOf((statement) => this.run(statement)),
    runLong: runnerOf((statement) => this.runWithLongValues(statement)),
    inTransaction: (work) => this.runInTransaction(work),
    tables: this,
    // The field is read at each call, because tests set another clock.
    clock: { now: () => this.clock.now() },
  }
  clock: Clock = new DatabaseClock(this.database.run)

  readonly leases = new Leases(this.database.run)
  readonly transactions = new Transactions(this.database)
  readonly dueTransactions = new DueTransactions(this.database)
  readonly transactionList = new TransactionList(this.database)
  readonly problems = new Problems(this.database)
  readonly problemList = new ProblemList(this.database)
  readonly payouts = new Payouts(this.database)
  readonly ledger = new Ledger(this.database)
  readonly payoutList = new PayoutList(this.database)
  readonly overview = new Overview(this.database)
  readonly openings = new Openings(this.database)
  readonly completionMarks = new CompletionMarks(this.database)
  readonly callbacks = new Callbacks(this.database)
  readonly subscriptionLookups = new SubscriptionLookups(this.database)
  readonly outbox = new Outbox(this.database)
  readonly watching = new Watching(this.database)
  readonly reconciliation = new Reconciliation(this.database)
  readonly retention = new Retention(this.database)

  private readonly generatedKeys = new Map<string, string>()

  constructor(
    container: { logger: Logger; configModule?: Pick<ConfigModule, "plugins"> },
    options: unknown
  ) {
    // MedusaService reads the container from its arguments.
    super(...arguments)
    this.logger = redactingLogger(container.logger)
    requireListedOnce(container.configModule?.plugins)
    // A wrong option stops the start of the store here, before a shopper meets it.
    const file = readFileOptions(options)
    const list = new SettingsList(this.database)
    this.settings = new StoredSettings(file, list, this.database.clock, this.logger)
    this.callbackTokens = new CallbackTokens(this.database, this.accounts)
  }

  __hooks = {
    onApplicationStart: async () => {
      await (this.clock as Partial<DatabaseClock>).look?.()
      await this.callbackTokens.recordConfigured()
      const accounts = await this.accounts()
      await this.payouts.recordUsers(accounts.store.payouts.users)
      const { container } = await import("@medusajs/framework")
      for (const { messages } of warningsOf(accounts, storeFacts(container))) {
        this.logger.warn(`Payment Service: ${messages.en}`)
      }
    },
  }

  /** All accounts as they are now. A use-case asks once, at its beginning. */
  readonly accounts = (): Promise<Accounts> => this.settings.accounts()

  /** The transaction that a payment session has now, or was opened for. */
  async findBySession(sessionId: string): Promise<TransactionRow | null> {
    const [row] = await this.database.run<TransactionRow[]>(ofSession(sessionId))
    return row ?? null
  }

  /** The transaction of this session or return id (our row's id), or another one of its collection that was paid since it was opened. */
  async findForPayer(id: string): Promise<PayerRow | null> {
    const [row] = await this.database.run<PayerRow[]>`
      with asked as (${ofSession(id, sql`or id = ${id}`)})
       select t.*, since.*, o.display_id as order_display_id,
         (select id from asked) as asked_id,
         (select id in (${openedFor(id)}) and (o.id is null or o.created_at > opened_at) from asked) as began_cart,
         exists (select 1 from payment_service_transaction d
           where d.payment_collection_id = t.payment_collection_id and d.deferred_at is not null
             and d.deleted_at is null) as is_order_first
       from payment_service_transaction t
       left join lateral (
         select c.amount::text as sum_since, c.currency_code as currency_since,
           c.amount > 0 and c.status in ('not_paid', 'awaiting') as is_owed_since,
           (select o.order_id from order_payment_collection o
            where o.payment_collection_id = c.id and o.deleted_at is null limit 1) as order_since,
           (select jsonb_build_object('session_id', s.id, 'method', a.method)
            from payment_service_transaction a join payment_session s on s.id = a.session_id
            where a.payment_collection_id = c.id and a.state = 'pending' and a.deleted_at is null
              and s.deleted_at is null limit 1) as open_since
         from payment_collection c
         where c.id = t.payment_collection_id and t.state in ('pending', 'canceled', 'expired') and not exists (
           select 1 from payment_session s where s.id = t.session_id and s.deleted_at is null)) since on true
       left join "order" o on o.id = coalesce(t.order_id, since.order_since)
       where t.id in (
         select id from asked union all
         select t.id from asked join payment_service_transaction t using (payment_collection_id)
         where asked.paid_at is null and t.paid_at >= asked.opened_at and ${WAS_PAID} and t.handled_at is null)
       order by t.paid_at nulls last limit 1`
    return row ?? null
  }

  /** @param transactionId the service's id, in any case */
  async findByTransactionId(transactionId: string): Promise<TransactionRow | null> {
    const [row] = await this.database.run<TransactionRow[]>`
      select * from payment_service_transaction
      where lower(transaction_id) = ${transactionId.toLowerCase()} and deleted_at is null`
    return row ?? null
  }

  /** Enters in a transaction's journal what a person did. The time is the database's, as in the entries that the table's trigger makes. */
  async enterAction(
    rowId: string,
    kind: "checked" | "identified" | "acted",
    by: string | null,
    facts: { action?: ProblemAction; problem?: string } = {}
  ): Promise<void> {
    await this.database.run`
      insert into payment_service_journal_entry (id, transaction_row_id, at, kind, facts, by)
      values (${generateEntityId("", "psjou")}, ${rowId}, clock_timestamp(), ${kind}, ${jsonb(facts)}, ${by})`
  }

  /** Deletes an expired lock of core's whose holder died; whether there was one. Locking in Postgres never gives it out again. */
  async freeEndedLock(key: string): Promise<boolean> {
    const [table] = await this.database.run<
      unknown[]
    >`select 1 where to_regclass('locking') is not null`
    if (!table) return false
    const ended = await this.database.run<unknown[]>`
      delete from locking where id = ${key} and expiration < now() returning id`
    return ended.length > 0
  }

  /** The payer ids that a guest may have had, by which nobody can tell the e-mail address; the first one is that of now. */
  async guestPayerIds(email: string): Promise<string[]> {
    const keys = Keys.ofEnvironment().of("payer", [await this.generatedKey("digests")])
    return digestsOf(keys, email.trim().toLowerCase()).map((digest) => `guest_${digest}`)
  }

  /** A key that the store has made for itself. One that cannot be opened gets a successor, and stays for when it can be. */
  protected async generatedKey(name: string): Promise<string> {
    const known = this.generatedKeys.get(name)
    if (known) return known
    const keys = Keys.ofEnvironment()
    const made = randomBytes(32).toString("base64")
    const key = { id: `pskey_${name}`, value: keys.keep(name, made) }
    // When instances start together, the first one's key is stored, and all of them read it.
    const [{ value: stored }] = await this.database.run<[{ value: string }]>`
      insert into payment_service_generated_key ${columnsAndValues(key)}
      on conflict (id) do update set updated_at = now() returning value`
    const value = keys.kept(name, stored) ?? (await this.generatedKey(`${name}-next`))
    this.generatedKeys.set(name, value)
    return value
  }

  @InjectManager()
  protected async run<T>(statement: Sql, @MedusaContext() context: Context = {}): Promise<T> {
    return await (context.manager as Executor).execute<T>(statement.sql, statement.values)
  }

  @InjectManager()
  protected async runWithLongValues<T>(
    statement: Sql,
    @MedusaContext() context: Context = {}
  ): Promise<T> {
    const knex = (context.manager as Executor).getKnex()
    return (await knex.raw(statement.sql, statement.values)).rows as T
  }

  @InjectTransactionManager()
  protected async runInTransaction<T>(
    work: (run: RunSql) => Promise<T>,
    @MedusaContext() context: Context = {}
  ): Promise<T> {
    const manager = context.transactionManager as Executor
    return await work(runnerOf((statement) => manager.execute(statement.sql, statement.values)))
  }
}

const ofSession = (sessionId: string, others = empty) =>
  sql`select * from payment_service_transaction
     where (session_id = ${sessionId} or id = (${openedFor(sessionId)}) ${others}) and deleted_at is null
     order by opened_at desc limit 1`
