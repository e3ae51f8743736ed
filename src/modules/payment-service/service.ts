import { createHash, createHmac, randomBytes } from "node:crypto"

import type { Context, InferTypeOf, Logger } from "@medusajs/framework/types"
import { InjectManager, MedusaContext, MedusaError, MedusaService } from "@medusajs/framework/utils"

import { PaymentServiceClient } from "../../service/client"
import { redactingLogger, registerSecret } from "../../service/redact"
import { nextWatchAt } from "../../settlement/watch-schedule"
import { Leases } from "./leases"
import { Callback } from "./models/callback"
import { CallbackToken } from "./models/callback-token"
import { GeneratedKey } from "./models/generated-key"
import { Lease } from "./models/lease"
import { Transaction } from "./models/transaction"
import { WatcherRun } from "./models/watcher-run"
import { type AccountOptions, resolveOptions, type ResolvedOptions } from "./options"

export type TransactionRow = InferTypeOf<typeof Transaction>
export type WatcherRunRow = InferTypeOf<typeof WatcherRun>
export type CallbackRow = InferTypeOf<typeof Callback>
export type CallbackTokenRow = InferTypeOf<typeof CallbackToken>

/** A token for the callback address is as long as a SHA-256: nobody guesses it. */
const TOKEN_BYTES = 32
const PAYER_KEY = "payer-id"
/** Callbacks can arrive before the service's reply to our own creation; unknown ids wait this long. */
const UNKNOWN_ID_PATIENCE_MS = 60_000
/** First pause before an inbox row is looked at again, doubled at each attempt. */
const CALLBACK_BACKOFF_MS = 1_000
const LONGEST_CALLBACK_PAUSE_MS = 10 * 60_000
const MOST_CALLBACK_ATTEMPTS = 12
const CALLBACK_RETENTION_DAYS = 30
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
}) {
  readonly logger: Logger
  /** What must happen in one place at a time, on all instances together. */
  readonly leases: Leases
  private readonly options: ResolvedOptions

  constructor(container: { logger: Logger }, options: unknown) {
    // eslint-disable-next-line prefer-rest-params -- MedusaService reads the container from its arguments
    super(...(arguments as unknown as []))
    this.options = resolveOptions(options)
    this.leases = new Leases((statement, parameters) => this.run(statement, parameters))
    this.logger = redactingLogger(container.logger) as Logger
    for (const account of this.options.all()) {
      registerSecret(account.secret)
      if (account.signingSecret) registerSecret(account.signingSecret)
      if (account.callbackToken) registerSecret(account.callbackToken)
    }
  }

  __hooks = {
    onApplicationStart: () => this.recordConfiguredTokens(),
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
      { order: { created_at: "DESC" }, take: 1 }
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
      { ...scope, created_at: { $gt: since } },
      { select: ["id"], take: 1 }
    )
    return count
  }

  /** Medusa deletes the session of this row; a row that moved on to another session stays as it is. */
  async detach(rowId: string, sessionId: string): Promise<void> {
    await this.updateTransactions({
      selector: { id: rowId, session_id: sessionId },
      data: { detached_at: new Date() },
    })
  }

  /**
   * Records a read on a row, unless the row's state or exception changed since it was loaded.
   *
   * @returns the row as it is now, or null when it changed and the read has to be judged again
   */
  async recordRead(
    before: Pick<TransactionRow, "id" | "state" | "exception">,
    read: {
      state: TransactionRow["state"]
      exception: string | null
      status: string
      qr: string | null
      paid: boolean
    }
  ): Promise<TransactionRow | null> {
    const recorded = await this.run<unknown[]>(
      `update payment_service_transaction set state = ?, exception = ?, status = ?,
         qr = coalesce(?, qr), read_at = now(), updated_at = now(),
         paid_at = case when ? then coalesce(paid_at, now()) else paid_at end,
         -- Proof is never left to whoever found it: the watcher takes it up if they do not get on.
         watch_at = case when ? and paid_at is null
           then least(coalesce(watch_at, now()), now() + interval '5 seconds') else watch_at end
       where id = ? and state = ? and exception is not distinct from ?
       returning id`,
      [
        read.state,
        read.exception,
        read.status,
        read.qr,
        read.paid,
        read.paid,
        before.id,
        before.state,
        before.exception,
      ]
    )
    return recorded.length ? await this.retrieveTransaction(before.id) : null
  }

  /**
   * For a poll: may this call read the service now? At most one caller in two seconds may, on all
   * instances together.
   */
  async claimPoll(rowId: string): Promise<boolean> {
    const claimed = await this.run<unknown[]>(
      `update payment_service_transaction set poll_claimed_at = now()
       where id = ?
         and (poll_claimed_at is null or poll_claimed_at < now() - (? * interval '1 millisecond'))
         and (apply_after is null or apply_after <= now())
       returning id`,
      [rowId, POLL_INTERVAL_MS]
    )
    return claimed.length > 0
  }

  /**
   * Takes transactions that are due to be watched, oldest first, each for one worker only: claiming puts
   * its next watch off by a minute, so a worker that dies leaves the row due again by itself. Rows of an
   * address or merchant that is no longer configured are left alone.
   */
  async claimDueTransactions(limit: number): Promise<TransactionRow[]> {
    const places = this.options.all().map(({ baseUrl, merchantId }) => [baseUrl, merchantId])
    const claimed = await this.run<{ id: string }[]>(
      `update payment_service_transaction set watch_at = now() + interval '1 minute'
       where id in (
         select id from payment_service_transaction
         where watch_at <= now() and settled_at is null and transaction_id is not null
           and (base_url, merchant_id) in (${places.map(() => "(?, ?)").join(", ")})
         order by watch_at limit ? for update skip locked)
       returning id`,
      [...places.flat(), limit]
    )
    return claimed.length
      ? await this.listTransactions(
          { id: claimed.map(({ id }) => id) },
          { take: null, order: { created_at: "ASC" } }
        )
      : []
  }

  /**
   * Somebody says that something happened to this transaction: the watcher looks at it soon, and as often
   * as at a new one, in case the service's own reads are behind.
   */
  async hint(id: string): Promise<void> {
    await this.run(
      `update payment_service_transaction set hinted_at = now(),
         watch_at = least(coalesce(watch_at, now() + interval '5 seconds'), now() + interval '5 seconds')
       where id = ? and settled_at is null`,
      [id]
    )
  }

  /** The store's limits for the watcher; with several accounts, those of the first. */
  watcherLimits(): AccountOptions["watcher"] {
    const [first] = this.options.all()
    return first?.watcher ?? { readsPerSecond: 5, concurrency: 4 }
  }

  /** Keeps what the last pass of the watcher did. */
  async recordWatcherRun(
    run: Pick<WatcherRunRow, "settled" | "failed" | "silent_passes" | "paused_until">
  ): Promise<void> {
    const row = { id: "watcher", finished_at: new Date(), ...run }
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
    await this.updateTransactions({ id, watch_at: nextWatchAt(row, new Date()) })
  }

  // --- inbox -------------------------------------------------------------------------------------

  /** Writes down that somebody names these transactions; `null` when there is nothing to write down. */
  async keepCallback(input: {
    transactionIds: string[]
    size: number
    digest: string
  }): Promise<CallbackRow | null> {
    if (!input.transactionIds.length) {
      return null
    }
    const now = new Date()
    return await this.createCallbacks({
      transaction_ids: input.transactionIds.map((id) => id.toLowerCase()) as unknown as Record<
        string,
        unknown
      >,
      size: input.size,
      digest: input.digest,
      received_at: now,
      next_attempt_at: new Date(now.getTime() + CALLBACK_BACKOFF_MS),
    })
  }

  /**
   * Takes inbox rows that are due, each for one worker only: claiming moves its next attempt, so a
   * worker that dies leaves the row due again by itself.
   */
  async claimDueCallbacks(limit: number): Promise<string[]> {
    const claimed = await this.run<{ id: string }[]>(
      `update payment_service_callback set attempts = attempts + 1,
         next_attempt_at = now() + least(? * power(2, least(attempts, 20)), ?) * (0.75 + random() / 2) * interval '1 millisecond'
       where id in (
         select id from payment_service_callback
         where state = 'waiting' and next_attempt_at <= now()
         order by next_attempt_at limit ? for update skip locked)
       returning id`,
      [CALLBACK_BACKOFF_MS, LONGEST_CALLBACK_PAUSE_MS, limit]
    )
    return claimed.map(({ id }) => id)
  }

  /**
   * After an attempt at an inbox row: closed when every transaction was settled, when none of its ids has
   * turned out to be ours in a minute, and when it failed so often that the watcher may go on alone.
   */
  async recordAttempt(
    row: CallbackRow,
    outcome: "settled" | "failed" | "none of ours"
  ): Promise<void> {
    const patienceIsOver = Date.now() - row.received_at.getTime() >= UNKNOWN_ID_PATIENCE_MS
    const state =
      outcome === "settled"
        ? "handled"
        : outcome === "none of ours"
          ? patienceIsOver && "unknown"
          : row.attempts >= MOST_CALLBACK_ATTEMPTS && "parked"
    if (state) {
      await this.updateCallbacks({ id: row.id, state, next_attempt_at: null })
    }
  }

  /** Closed inbox rows are of no use after this long. */
  async forgetOldCallbacks(): Promise<void> {
    await this.run(
      `delete from payment_service_callback
       where state <> 'waiting' and received_at < now() - (? * interval '1 day')`,
      [CALLBACK_RETENTION_DAYS]
    )
  }

  // --- callback tokens ---------------------------------------------------------------------------

  /** Is this a token that the callback address has, or had? */
  async acceptsToken(token: string): Promise<boolean> {
    const digest = digestOf(token)
    const [known] = await this.listCallbackTokens({ digest }, { take: 1 })
    if (known) {
      return true
    }
    const configured = this.options
      .all()
      .some((options) => options.callbackToken && digestOf(options.callbackToken) === digest)
    if (configured) {
      await this.recordConfiguredTokens()
    }
    return configured
  }

  /** The address to enter at the service, with the configured token, else the generated one. */
  async callbackUrl(account?: string): Promise<string> {
    const options = account === undefined ? this.options.all()[0] : this.optionsFor(account)
    const token =
      options?.callbackToken ?? (await this.currentGeneratedToken()) ?? (await this.generateToken())
    return `${options?.backendUrl ?? ""}/hooks/payment-service/${token}`
  }

  /** Makes a new token; the one before keeps working until it is removed. */
  async replaceGeneratedToken(): Promise<void> {
    const before = await this.listCallbackTokens({ source: "generated", replaced_at: null })
    await this.generateToken()
    await this.updateCallbackTokens(before.map(({ id }) => ({ id, replaced_at: new Date() })))
  }

  /**
   * Ends a replaced token for good.
   *
   * @throws MedusaError `NOT_ALLOWED` for a token that is in use: replace it first
   */
  async removeReplacedToken(id: string): Promise<void> {
    const token = await this.retrieveCallbackToken(id)
    if (!token.replaced_at) {
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        "This token is in use. Replace it first, then remove it."
      )
    }
    await this.deleteCallbackTokens(id)
  }

  private async currentGeneratedToken(): Promise<string | null> {
    const [row] = await this.listCallbackTokens(
      { source: "generated", replaced_at: null },
      { order: { created_at: "ASC" }, take: 1 }
    )
    if (row?.token) {
      registerSecret(row.token)
    }
    return row?.token ?? null
  }

  private async generateToken(): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString("base64url")
    registerSecret(token)
    await this.createCallbackTokens({ token, digest: digestOf(token), source: "generated" })
    return token
  }

  /** Remembers configured tokens, so that one that is replaced in the options keeps working. */
  private async recordConfiguredTokens(): Promise<void> {
    const configured = [
      ...new Set(this.options.all().flatMap(({ callbackToken }) => callbackToken ?? [])),
    ]
    const digests = configured.map(digestOf)
    const known = await this.listCallbackTokens({ source: "option" })
    const missing = digests.filter((digest) => !known.some((row) => row.digest === digest))
    await this.createCallbackTokens(
      missing.map((digest) => ({ digest, source: "option" as const }))
    )
    const replaced = known.filter((row) => !row.replaced_at && !digests.includes(row.digest))
    await this.updateCallbackTokens(replaced.map(({ id }) => ({ id, replaced_at: new Date() })))
    if (
      this.options.all().some(({ callbackToken }) => !callbackToken) &&
      !(await this.currentGeneratedToken())
    ) {
      await this.generateToken()
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
      [`pskey_${name}`, name, randomBytes(TOKEN_BYTES).toString("base64")]
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

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex")
}
