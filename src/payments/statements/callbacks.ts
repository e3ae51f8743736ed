import { createHash, randomBytes } from "node:crypto"

import { generateEntityId } from "@medusajs/framework/utils"
import pLimit from "p-limit"

import { type Database, empty, join, jsonb, sql, Statements } from "../../database/sql"
import type { TransactionRow } from "../../modules/payment-service/tables"
import { notFound, refused } from "../../refusals/refused"
import { registerSecret } from "../../service/redact"
import { EACH_UUID } from "../../service/schemas"
import type { Accounts } from "../../settings/accounts"
import { Keys } from "../../settings/keys"
import { namingSubscriptions } from "../../subscriptions/statements/lookups"
import { hinting } from "./due-transactions"

/** So many callbacks are written at a time. The rest of a flood waits, which leaves connections for paying shoppers. */
const AT_A_TIME = 4

/** Writes down the ids that callbacks name, before the callbacks are answered. */
export class Callbacks extends Statements {
  private readonly inTurn = pLimit(AT_A_TIME)

  /**
   * Writes down the ids in a callback's body (in lower case; the body may hold the payer's data) and makes their transactions due, in
   * one statement; returns those. A transaction that gets its id only after that finds the callback, see `Openings.recordCreated`.
   * `subscriptionIds` are those to look up as subscriptions if they belong to no transaction of ours.
   */
  async keep(transactionIds: string[], subscriptionIds: string[] = []): Promise<TransactionRow[]> {
    if (!transactionIds.length) return []
    return await this.inTurn(() => {
      const now = this.clock.now()
      // Rows are locked in one order, so that statements of several instances never deadlock.
      return this.run<TransactionRow[]>`
        with clock as (select ${now}::timestamptz as now),
         kept as (insert into payment_service_callback (id, transaction_ids, received_at)
           values (${generateEntityId("", "pscb")}, ${jsonb(transactionIds)}, ${now})),
         hinted as (${hinting(
           sql`id in (select id from payment_service_transaction
             where lower(transaction_id) in (${join(transactionIds)}) and deleted_at is null order by id for update)`
         )}),
         -- A flood of callbacks makes a few entries at most, because all of them say the same.
         noted as (insert into payment_service_journal_entry (id, transaction_row_id, at, kind, facts)
           select 'psjou_' || replace(gen_random_uuid()::text, '-', ''), hinted.id, clock.now, 'callback', '{}'::jsonb
           from hinted, clock where not exists (select 1 from payment_service_journal_entry one
             where one.transaction_row_id = hinted.id and one.kind = 'callback' and one.deleted_at is null
               and one.at > clock.now - interval '10 seconds'))
         ${subscriptionIds.length ? sql`, asked as (${namingSubscriptions(subscriptionIds)})` : empty}
         select * from hinted`
    })
  }

  async lastReceivedAt(): Promise<Date | null> {
    const [last] = await this.run<{ received_at: Date }[]>`
      select received_at from payment_service_callback where deleted_at is null
      order by received_at desc limit 1`
    return last?.received_at ?? null
  }
}

const MOST_IDS = 10
const LONGEST_CHECK_IN_CHARACTERS = 1_000
/** A UUID as 32 hex digits, which are not a part of a longer word, a digest for example. */
const WITHOUT_DASHES =
  /(?<![0-9a-z])([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})(?![0-9a-z])/gi

/**
 * Candidate transaction ids in the body of a callback, at most ten, in lower case. The specification does not show its form, so JSON,
 * a form, and JSON in a form's field are all searched as text. They are hints to look at our own rows, never evidence of anything.
 */
export function callbackIds(body: string): string[] {
  // A form writes some signs as their codes, and an id behind one of them would seem to begin with its digits.
  const unescaped = body.replace(/%([0-7][0-9a-f])/gi, (_sign, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16))
  )
  const text = unescaped.replace(WITHOUT_DASHES, "$1-$2-$3-$4-$5")
  const ids = Array.from(text.matchAll(EACH_UUID), ([id]) => id.toLowerCase())
  return [...new Set(ids)].slice(0, MOST_IDS)
}

/** Whether a body only checks that somebody takes callbacks: empty, or short JSON without a digit, which an id, a sum or a time has. */
export const isAddressCheck = (body: string) =>
  body === "" || (body.length <= LONGEST_CHECK_IN_CHARACTERS && !/\d/.test(body) && isJson(body))

export function isJson(body: string): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}

export const TOKEN_PLACE = "callback-token"

/** The secret part of the callback address: configured, or generated here. */
export class CallbackTokens extends Statements {
  constructor(
    database: Database,
    private readonly accounts: () => Promise<Accounts>
  ) {
    super(database)
  }

  /** Whether the token is in use, or was replaced and not removed. Its use is written down, at most once a minute, and no log shows it. */
  async accepts(token: string): Promise<boolean> {
    const digest = digestOf(token)
    const now = this.clock.now()
    const known = await this.run<unknown[]>`
      with reached as (
         update payment_service_callback_token set reached_at = ${now} where digest = ${digest} and deleted_at is null
           and coalesce(reached_at < ${now}::timestamptz - interval '1 minute', true))
       select 1 from payment_service_callback_token where digest = ${digest} and deleted_at is null`
    if (known.length) registerSecret(token)
    return known.length > 0
  }

  /** The address to enter at the service, with the configured token, else the generated one; null while the store's own is not set. */
  async callbackUrl({ store }: Accounts): Promise<string | null> {
    const { backendUrl, callbackToken } = store
    const token = callbackToken ?? (await this.currentGenerated()) ?? (await this.generate())
    return backendUrl === undefined ? null : `${backendUrl}/hooks/payment-service/${token}`
  }

  /** Makes a new token; the old one works until it is removed. It throws `NOT_ALLOWED` when the token comes from the options. */
  async replaceGenerated(): Promise<void> {
    if ((await this.accounts()).store.callbackToken) throw refused("token_in_options")
    await this.replaceAllBut(digestOf(await this.generate()), "generated")
  }

  /** Ends a replaced token for good. It throws `NOT_ALLOWED` for one in use, and `NOT_FOUND` for one that another admin has removed. */
  async removeReplaced(id: string): Promise<void> {
    const [token] = await this.database.tables.listCallbackTokens({ id }, { take: 1 })
    if (!token) throw notFound("no_token", id)
    if (!token.replaced_at) throw refused("token_in_use")
    await this.database.tables.deleteCallbackTokens(id)
  }

  private async currentGenerated(): Promise<string | null> {
    const rows = await this.database.tables.listCallbackTokens(
      { source: "generated", replaced_at: null },
      { order: { created_at: "ASC" } }
    )
    const keys = Keys.ofEnvironment()
    // One whose key is lost is shown no more, but callbacks still come with it.
    const [token = null] = rows.flatMap(
      (row) => (row.token && keys.kept(TOKEN_PLACE, row.token)) || []
    )
    if (token) registerSecret(token)
    return token
  }

  private async generate(): Promise<string> {
    const token = randomBytes(32).toString("base64url")
    registerSecret(token)
    await this.database.tables.createCallbackTokens({
      token: Keys.ofEnvironment().keep(TOKEN_PLACE, token),
      digest: digestOf(token),
      source: "generated",
    })
    return token
  }

  /** Stores the digest of the configured token, which keeps working after it is replaced in the options. */
  async recordConfigured(): Promise<void> {
    const accounts = await this.accounts()
    const token = accounts.store.callbackToken
    const digest = token ? digestOf(token) : null
    if (digest) {
      await this.run`insert into payment_service_callback_token (id, digest, source)
        values (${generateEntityId("", "pstok")}, ${digest}, 'option')
        on conflict (digest) where deleted_at is null do update set replaced_at = null`
    }
    await this.replaceAllBut(digest, "option")
    // No log shows a generated token, and there is one from the start.
    await this.callbackUrl(accounts)
  }

  private async replaceAllBut(digest: string | null, source: "generated" | "option") {
    await this.run`
      update payment_service_callback_token set replaced_at = ${this.clock.now()}
      where source = ${source} and digest is distinct from ${digest}
        and replaced_at is null and deleted_at is null`
  }
}

const digestOf = (token: string) => createHash("sha256").update(token).digest("hex")
