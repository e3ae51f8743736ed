import { PAYOUT_UNKNOWN_MS } from "../../settlement/payouts/payout"
import { type MerchantAccount, merchantAccountId } from "../../settlement/merchant-account"
import { UNSENT } from "./outbox"
import { isLost, isToBeBooked, isUnknownSince } from "./payouts"
import { isUnfinished } from "./completion-marks"
import { BY_A_PERSON, IS_STATUS_KNOWN, IS_UNFOLLOWED, OPEN } from "./problems-in-sql"
import { MERCHANT_ACCOUNT_OF_ROW, UNPUBLISHED, WATCHED } from "./rules-in-sql"
import { columnsAndValues, join, Statements } from "./sql"
import { isLookupDue, TURN } from "./subscription-lookups"

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
  /** Ids from callbacks that the service must be asked for as subscriptions, and nobody has the turn. */
  subscriptions: boolean
  /** Payouts whose process died. */
  lostPayouts: boolean
  /** Payouts that pay something back, which Medusa has not booked yet. */
  payoutsToBook: boolean
  /** Payouts whose outcome has been unknown for a while. */
  unknownPayouts: boolean
  /** Ids (`merchantAccountId`) of merchants with due transactions but without an account, if a problem must change; else null. */
  notConfigured: string[] | null
}

/** After each so many reads in a row without an answer, the service gets a pause for that merchant: 4, 8, 16 … s, with jitter. */
const UNANSWERED_BEFORE_PAUSE = 8
const FIRST_PAUSE_MS = 4_000
const LONGEST_PAUSE_MS = 2 * 60_000
/** The longest `Retry-After` that is obeyed; a longer one is cut to this. */
const LONGEST_RETRY_AFTER_MS = 10 * 60_000

/** Tells the watcher with one statement whether anything is due, so that an idle store has no other reads or writes. */
export class Watching extends Statements {
  /** The time when this process last asked what is due; null when it never did. */
  askedAt: Date | null = null

  /** Each part of the statement reads the first entry of an index, or the few open problems. */
  async findDueWork(configured: MerchantAccount[]): Promise<DueWork> {
    const now = this.clock.now()
    const [found] = await this.run<[DueWork]>`
      with recursive merchant (id) as (
        (select ${MERCHANT_ACCOUNT_OF_ROW} from payment_service_transaction t where ${WATCHED} order by 1 limit 1)
        union all
        select next.id from merchant cross join lateral (
          select ${MERCHANT_ACCOUNT_OF_ROW} as id from payment_service_transaction t
          where ${WATCHED} and ${MERCHANT_ACCOUNT_OF_ROW} > merchant.id order by 1 limit 1) next),
      due as (
        select merchant.id, merchant.id in (${join(configured.map(merchantAccountId))}) as is_configured,
          first.watch_at as since, last.watch_at as newest
        from merchant
        cross join lateral (
          select t.watch_at from payment_service_transaction t
          where ${WATCHED} and ${MERCHANT_ACCOUNT_OF_ROW} = merchant.id and t.watch_at <= ${now}
          order by t.watch_at limit 1) first
        cross join lateral (
          select t.watch_at from payment_service_transaction t
          where ${WATCHED} and ${MERCHANT_ACCOUNT_OF_ROW} = merchant.id and t.watch_at <= ${now}
          order by t.watch_at desc limit 1) last)
      select
        (select min(due.since) from due left join payment_service_silence silence on silence.id = due.id
          where due.is_configured and (silence.paused_until is null or silence.paused_until <= ${now})) as transactions,
        (select send_at from payment_service_event
          where ${UNSENT} and send_at <= ${now} order by send_at limit 1) as events,
        exists (select 1 from (select 1 from payment_service_transaction
            where ${UNPUBLISHED} order by opened_at desc limit 1) one)
          or ${IS_UNFOLLOWED} or ${IS_STATUS_KNOWN} as missed,
        exists (select 1 from payment_service_problem p
          where ${OPEN} and p.kind = 'order_unpaid') as "unpaidOrders",
        exists (select 1 from (select 1 from payment_service_transaction
          where ${isUnfinished(now)} limit 1) one) as completions,
        exists (select 1 from (select 1 from payment_service_subscription_lookup
          where ${isLookupDue(now)} order by due_at limit 1) one)
          and not exists (select 1 from payment_service_silence
            where id = ${TURN} and paused_until > ${now}) as subscriptions,
        exists (select 1 from (select 1 from payment_service_payout
          where ${isLost(now)} order by answer_by limit 1) one) as "lostPayouts",
        exists (select 1 from (select 1 from payment_service_payout
          where ${isToBeBooked(now)} limit 1) one) as "payoutsToBook",
        exists (select 1 from payment_service_payout p
          where ${isUnknownSince(new Date(now.getTime() - PAYOUT_UNKNOWN_MS))}) as "unknownPayouts",
        case when exists (select 1 from due where not is_configured and newest > coalesce((
            select max(coalesce(p.closed_at, p.last_seen_at)) from payment_service_problem p
            where p.cause = 'configuration:' || due.id and p.deleted_at is null
              and (p.closed_at is null or p.${BY_A_PERSON})), '-infinity'))
          or exists (select 1 from payment_service_problem p
            where ${OPEN} and p.kind = 'not_configured' and not exists (
              select 1 from due where not is_configured and p.cause = 'configuration:' || due.id))
          then (select coalesce(jsonb_agg(id), '[]') from due where not is_configured)
          end as "notConfigured"`
    return found
  }

  /**
   * Records that the service did not answer for a merchant, and returns since when it is silent. After several such reads in a
   * row nothing is read there for a while that nobody waits for; after several more, for twice as long. `retryAfterMs` is the
   * pause that the service asks for.
   */
  async recordSilence(merchant: MerchantAccount, retryAfterMs = 0): Promise<Date> {
    const now = this.clock.now()
    const [{ since }] = await this.run<[{ since: Date }]>`
      insert into payment_service_silence as silence ${columnsAndValues({
        id: merchantAccountId(merchant),
        since: now,
        unanswered: 1,
        paused_until: retryAfterMs > 0 ? pauseUntil(now, retryAfterMs) : null,
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

  /** Records that the service answers for a merchant again. */
  async recordAnswer(merchant: MerchantAccount): Promise<void> {
    await this.run`delete from payment_service_silence where id = ${merchantAccountId(merchant)}`
  }
}

const pauseUntil = (now: Date, ms: number) =>
  new Date(now.getTime() + Math.min(ms, LONGEST_RETRY_AFTER_MS))
