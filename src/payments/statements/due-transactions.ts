import { isAmong } from "../../database/list-query"
import { UNSENT } from "../../database/outbox"
import { columnsAndValues, empty, join, sql, type Sql, Statements } from "../../database/sql"
import type { TransactionRow } from "../../modules/payment-service/tables"
import { PAYOUT_UNKNOWN_MS } from "../../payouts/rules/payout"
import { isLost, isUnknownSince } from "../../payouts/statements/payouts"
import * as problems from "../../problems/statements/problems-in-sql"
import { isLookupDue } from "../../subscriptions/statements/lookups"
import { CLAIM_MS, nextWatchAt } from "../rules/timing"
import { type Merchant, merchantAccountId } from "../rules/transaction"
import { isToBeBooked } from "./ledger"
import * as rules from "./rules-in-sql"
import { isUnfinished } from "./transactions"

/** `was_silent`: the service did not answer for its merchant before. */
export type ClaimedRow = TransactionRow & { was_silent: boolean }

/** A clock may be set back so far between a hint and its claim. */
const CLOCK_STEP_MS = 1_000

/** Part of a statement: makes transactions due now, or a settled one in five seconds, however many hints come for it. */
export const hinting = (condition: Sql) =>
  sql`update payment_service_transaction t set hinted_at = clock.now,
    -- A watch that was planned before the payment settled does not count any more.
    watch_at = case when ${rules.SETTLED_IN_ORDER} and coalesce(hinted_at <= settled_at, true)
      then clock.now + interval '5 seconds'
      when settled_at is not null or handled_at is not null
      then least(watch_at, clock.now + interval '5 seconds')
      -- A paid one that Medusa has refused waits for its next attempt: core's own rollback of the last one ends in a hint.
      when state = 'paid' then least(watch_at, greatest(clock.now, apply_after))
      else least(watch_at, clock.now) end
  from clock where ${condition} and deleted_at is null
  returning t.*`

/** Finds the transactions that are due to be read, and claims each for one reader only, on all instances together. */
export class DueTransactions extends Statements {
  /** Makes a transaction due. It is then watched as often as a new one, in case the service's reads lag behind. */
  async hint(id: string): Promise<void> {
    await this.hintWhere(isAmong("id", id))
  }

  /** Like `hint`, for ids of the service in lower case; unknown ids are ignored. */
  async hintNamed(transactionIds: string[]): Promise<void> {
    await this.hintWhere(isAmong("lower(transaction_id)", transactionIds))
  }

  /** Like `hint`, but also one that has settled is due now. */
  async hintNow(id: string): Promise<void> {
    const now = this.clock.now()
    await this.run`
      update payment_service_transaction set hinted_at = ${now}, watch_at = least(watch_at, ${now}::timestamptz)
      where id = ${id} and deleted_at is null`
  }

  /** Like `hint`, for all payments with a status that no option named when they were read last. */
  async hintUnknownStatuses(): Promise<void> {
    await this.hintWhere(problems.HAS_UNKNOWN_STATUS)
  }

  private async hintWhere(condition: Sql): Promise<void> {
    await this.run`
      with clock as (select ${this.clock.now()}::timestamptz as now) ${hinting(condition)}`
  }

  /** Makes all transactions with the status of this problem's cause due now, locked as by callbacks; returns how many, and the oldest. */
  async makeStatusDue(cause: string, limit: number): Promise<{ count: number; oldest: string[] }> {
    const now = this.clock.now()
    const due = await this.run<{ id: string; count: number }[]>`
      with due as (
        update payment_service_transaction t set watch_at = least(coalesce(watch_at, ${now}), ${now})
        where t.id in (select t.id from payment_service_transaction t
          where ${problems.HAS_UNKNOWN_STATUS} and ${rules.CAUSE_OF_STATUS} = ${cause} order by t.id for update)
        returning t.id, t.opened_at)
      select id, count(*) over ()::integer as count from due order by opened_at limit ${limit}`
    return { count: due[0]?.count ?? 0, oldest: due.map(({ id }) => id) }
  }

  /** Claims a transaction for one settle, unless another one runs. If its process dies, it is due again after half a minute. */
  async claim(id: string, { isDue }: { isDue: boolean }): Promise<ClaimedRow | null> {
    const soon = new Date(this.clock.now().getTime() + CLOCK_STEP_MS)
    const due = isDue ? sql`and t.watch_at <= ${soon}` : empty
    return await this.claimFirst(sql`t.id = ${id} ${due}`)
  }

  /** Claims the one that has been due longest at a merchant, unless that is in a pause. */
  async claimDue(merchant: Merchant): Promise<ClaimedRow | null> {
    const place = merchantAccountId(merchant)
    const now = this.clock.now()
    const isDue = sql`${rules.WATCHED} and ${rules.MERCHANT_ACCOUNT_OF_ROW} = ${place} and t.watch_at <= ${now}
      and not exists (select 1 from payment_service_silence where id = ${place} and paused_until > ${now})`
    return await this.claimFirst(isDue)
  }

  private async claimFirst(condition: Sql): Promise<ClaimedRow | null> {
    const now = this.clock.now()
    const end = new Date(now.getTime() + CLAIM_MS)
    const [claimed] = await this.run<ClaimedRow[]>`
      update payment_service_transaction t set claimed_until = ${end}, watch_at = ${end}
      where id = (
        select t.id from payment_service_transaction t
        where ${condition} and (t.claimed_until is null or t.claimed_until <= ${now}
            -- No claim lasts so long: the database's clock was set back.
            or t.claimed_until > ${new Date(end.getTime() + CLAIM_MS)})
          and t.transaction_id is not null and t.deleted_at is null
        order by t.watch_at limit 1 for update skip locked)
      returning t.*, exists (
        select 1 from payment_service_silence s where s.id = ${rules.MERCHANT_ACCOUNT_OF_ROW}) as was_silent`
    return claimed ?? null
  }

  /** Ends a claim, and plans the next settle by the row's schedule, unless a hint came during it; returns whether it is due now. */
  async endClaim(claimed: ClaimedRow, row: TransactionRow, isUnanswered: boolean) {
    const now = this.clock.now()
    const next = nextWatchAt(row, now, isUnanswered)
    const [ended] = await this.run<{ isDue: boolean | null }[]>`
      update payment_service_transaction set claimed_until = ${now},
        watch_at = case when hinted_at is not distinct from ${claimed.hinted_at}
            and watch_at is not distinct from ${row.watch_at}
          then ${next}::timestamptz
          when state = 'paid' then greatest(least(watch_at, ${next}), apply_after)
          else least(watch_at, ${next}) end
      where id = ${claimed.id} and claimed_until = ${claimed.claimed_until}
      returning watch_at <= ${now} as "isDue"`
    return ended?.isDue ?? false
  }

  /** Counts the due transactions of merchant accounts. `newestDue` is the time when the last of them became due. */
  async findNotConfigured(
    merchantAccountIds: string[]
  ): Promise<(Merchant & { count: number; oldest: Date; newestDue: Date })[]> {
    return merchantAccountIds.length
      ? await this.run`
        select lower(t.merchant_id) as "merchantId", t.base_url as "baseUrl",
            count(*)::integer as count, min(t.opened_at) as oldest, max(t.watch_at) as "newestDue"
          from payment_service_transaction t
          where ${rules.WATCHED} and ${rules.MERCHANT_ACCOUNT_OF_ROW} in (${join(merchantAccountIds)}) and t.watch_at <= ${this.clock.now()}
            and t.handled_at is null
          group by lower(t.merchant_id), t.base_url`
      : []
  }
}

/** The kinds of background work that are due. A date says since when; null and false mean that nothing is due. */
export interface DueWork {
  /** Readable transactions: their merchant account is configured and not paused. */
  transactions: Date | null
  events: Date | null
  /** A settled transaction lacks its event, or a problem must be opened or closed. */
  missed: boolean
  /** Open problems of unpaid orders exist; the orders may be paid or canceled by now. */
  unpaidOrders: boolean
  /** Completions whose end was not recorded. */
  completions: boolean
  /** Ids from callbacks that the service must be asked for as subscriptions. */
  subscriptions: boolean
  lostPayouts: boolean
  proofsToBook: boolean
  unknownPayouts: boolean
  /** Ids (`merchantAccountId`) of merchants with due transactions but without an account, if a problem must change; else null. */
  notConfigured: string[] | null
}

/** After each so many reads in a row without an answer, the service gets a pause for that merchant: 4, 8, 16 … s, with jitter. */
const UNANSWERED_BEFORE_PAUSE = 8
const FIRST_PAUSE_MS = 4_000
const LONGEST_PAUSE_MS = 2 * 60_000
/** A longer `Retry-After` is cut to this. */
const LONGEST_RETRY_AFTER_MS = 10 * 60_000

/** Tells the watcher with one statement whether anything is due, so that an idle store has no other reads or writes. */
export class Watching extends Statements {
  /** When this process last asked what is due. */
  askedAt: Date | null = null

  /** Each part of the statement reads the first entry of an index, or the few open problems. */
  async findDueWork(configured: Merchant[]): Promise<DueWork> {
    const now = this.clock.now()
    const [found] = await this.run<[DueWork]>`
      with recursive merchant (id) as (
        (select ${rules.MERCHANT_ACCOUNT_OF_ROW} from payment_service_transaction t where ${rules.WATCHED} order by 1 limit 1)
        union all
        select next.id from merchant cross join lateral (
          select ${rules.MERCHANT_ACCOUNT_OF_ROW} as id from payment_service_transaction t
          where ${rules.WATCHED} and ${rules.MERCHANT_ACCOUNT_OF_ROW} > merchant.id order by 1 limit 1) next),
      due as (
        select merchant.id, ${isAmong("merchant.id", configured.map(merchantAccountId))} as is_configured,
          first.watch_at as since, last.watch_at as newest
        from merchant
        cross join lateral (
          select t.watch_at from payment_service_transaction t
          where ${rules.WATCHED} and ${rules.MERCHANT_ACCOUNT_OF_ROW} = merchant.id and t.watch_at <= ${now}
          order by t.watch_at limit 1) first
        cross join lateral (
          select t.watch_at from payment_service_transaction t
          where ${rules.WATCHED} and ${rules.MERCHANT_ACCOUNT_OF_ROW} = merchant.id and t.watch_at <= ${now}
          order by t.watch_at desc limit 1) last)
      select
        (select min(due.since) from due left join payment_service_silence silence on silence.id = due.id
          where due.is_configured and (silence.paused_until is null or silence.paused_until <= ${now})) as transactions,
        (select send_at from payment_service_event
          where ${UNSENT} and send_at <= ${now} order by send_at limit 1) as events,
        exists (select 1 from (select 1 from payment_service_transaction
            where ${rules.UNPUBLISHED} order by opened_at desc limit 1) one)
          -- The order is an index's, because Postgres expects many matches and would otherwise scan all rows.
          or exists (select 1 from (${problems.NOT_OPEN_YET} order by t.exception limit 1) one)
          or exists (${problems.IN_ORDER_AGAIN})
          or exists (select 1 from payment_service_problem p where ${problems.OPEN} and ${problems.OF_KNOWN_STATUS}) as missed,
        exists (select 1 from payment_service_problem p
          where ${problems.OPEN} and p.kind = 'order_unpaid') as "unpaidOrders",
        exists (select 1 from (select 1 from payment_service_transaction
          where ${isUnfinished(now)} limit 1) one) as completions,
        exists (select 1 from (select 1 from payment_service_subscription_lookup
          where ${isLookupDue(now)} order by due_at limit 1) one) as subscriptions,
        exists (select 1 from (select 1 from payment_service_payout p
          where ${isLost(now)} order by answer_by limit 1) one) as "lostPayouts",
        exists (select 1 from (select 1 from payment_service_ledger_entry l
          where ${isToBeBooked(now)} limit 1) one) as "proofsToBook",
        exists (select 1 from payment_service_payout p
          where ${isUnknownSince(new Date(now.getTime() - PAYOUT_UNKNOWN_MS))}) as "unknownPayouts",
        case when exists (select 1 from due where not is_configured and newest > coalesce((
            select max(coalesce(p.closed_at, p.last_seen_at)) from payment_service_problem p
            where p.cause = 'configuration:' || due.id and p.deleted_at is null
              and (p.closed_at is null or p.${problems.CLOSED_BY_A_PERSON})), '-infinity'))
          or exists (select 1 from payment_service_problem p
            where ${problems.OPEN} and p.kind = 'not_configured' and not exists (
              select 1 from due where not is_configured and p.cause = 'configuration:' || due.id))
          then (select coalesce(jsonb_agg(id), '[]') from due where not is_configured)
          end as "notConfigured"`
    return found
  }

  /** Records that the service did not answer for a merchant; returns since when. `retryAfterMs` is the pause that the service asks for. */
  async recordSilence(merchant: Merchant, retryAfterMs = 0): Promise<Date> {
    const now = this.clock.now()
    const askedPause = new Date(now.getTime() + Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS))
    const [{ since }] = await this.run<[{ since: Date }]>`
      insert into payment_service_silence as silence ${columnsAndValues({
        id: merchantAccountId(merchant),
        since: now,
        unanswered: 1,
        paused_until: retryAfterMs > 0 ? askedPause : null,
      })}
      on conflict (id) do update set updated_at = now(),
        unanswered = silence.unanswered + case when silence.paused_until > ${now} then 0 else 1 end,
        paused_until = case
          when silence.paused_until > ${now} then silence.paused_until
          when (silence.unanswered + 1) % ${UNANSWERED_BEFORE_PAUSE} = 0 then greatest(excluded.paused_until, ${now}::timestamptz
            + least(${LONGEST_PAUSE_MS}, ${FIRST_PAUSE_MS} * 2 ^ least((silence.unanswered + 1) / ${UNANSWERED_BEFORE_PAUSE} - 1, 10))
              * (0.75 + random() / 2) * interval '1 millisecond')
          else excluded.paused_until end
      returning since`
    return since
  }
}
