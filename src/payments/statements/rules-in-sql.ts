import { raw, sql, type Sql } from "../../database/sql"
import { QUIET_ATTEMPTS } from "../rules/transaction"

// Rules about a transaction's row `t`. One that `payments/rules/` has, too, names its twin there, and a test compares both.

/** The same as `merchantAccountId`. An index uses exactly this expression. */
export const MERCHANT_ACCOUNT_OF_ROW = sql`lower(t.merchant_id) || '@' || t.base_url`
/** The same as `isSameMerchant`. */
export const isOfMerchant = (merchantId: string) =>
  sql`lower(t.merchant_id) = ${merchantId.toLowerCase()}`
/** The same as `causeOfStatus`. An index uses exactly this expression. */
export const CAUSE_OF_STATUS = sql`'status:' || lower(t.merchant_id) || ':' || coalesce(t.status, '')`
/** The cause of the row's problem, the same as that of `problemOf`. */
export const CAUSE_OF_ROW = sql`(case when t.exception = 'unknown_status'
  then ${CAUSE_OF_STATUS} else 'transaction:' || t.id end)`
/** The causes of the problems that an answer ends: `causeOfUnread`, `causeOfSilence` and `causeOfRefusedCredentials`. */
export const CAUSES_THAT_AN_ANSWER_ENDS = sql`array['unread:' || t.id, 'unreachable:' || ${MERCHANT_ACCOUNT_OF_ROW}, 'credentials:' || ${MERCHANT_ACCOUNT_OF_ROW}]`

/** The id of the transaction that was opened for a session, which a later session may have by now. An index uses the conditions. */
export const openedFor = (
  sessionId: string
) => sql`select transaction_row_id from payment_service_journal_entry
  where kind = 'opened' and facts ->> 'session_id' = ${sessionId} and deleted_at is null order by at desc limit 1`

/** The watcher reads this row when it is due (`isWatched`), unless it was deleted. Indexes use exactly this condition. */
export const WATCHED = sql`t.watch_at is not null
  and (t.settled_at is null or t.exception is not null or t.hinted_at > t.settled_at)
  and t.transaction_id is not null and t.deleted_at is null`

/** It has settled (`hasMedusaFollowed`) without its event. Columns have no `t`. An index uses exactly this condition. */
export const UNPUBLISHED = sql`published_state <> state and deleted_at is null
  and (settled_at is not null or (state in ('canceled', 'expired') and apply_after is null))`

/** Sums are compared as `compareSums` does. An index uses exactly this expression. */
export const toKopeck = (amount: string | Sql) =>
  sql`round(${typeof amount === "string" ? raw(amount) : amount}::numeric, 2)`
/** The same as `paidSum`. */
export const PAID_SUM = {
  amount: sql`coalesce(t.read_amount, t.amount)`,
  currency: sql`coalesce(t.read_currency, t.currency)`,
}

/** The same as `wasPaid`, unless the row was deleted. An index uses exactly this condition. */
export const WAS_PAID = sql`t.state = 'paid' and t.paid_at is not null and t.deleted_at is null
  and (t.exception is null or t.exception not in ('reversed', 'merchant_differs', 'reference_differs'))
  and t.handled ->> 'as' is distinct from 'reversed'`
/** Money came that the service took back, or that is another shop's. */
export const IS_NOT_KEPT = sql`t.state = 'paid' and t.deleted_at is null
  and t.exception in ('reversed', 'merchant_differs', 'reference_differs')`
/** No money came, so far. An index uses the first part of this condition. */
export const IS_NOT_PAID = sql`t.paid_at is null and t.deleted_at is null and t.state <> 'paid'`

/** The same as `isPaidAndNotHandled`. */
export const PAID_AND_NOT_HANDLED = sql`t.state = 'paid' and t.handled_at is null`
/** The same as `isSettledInOrder`. */
export const SETTLED_IN_ORDER = sql`t.settled_at is not null and t.exception is null`

/** The same as `needsPerson`. */
export const NEEDS_PERSON = sql`t.exception is not null
  and (t.exception <> 'completion_failed' or t.apply_attempts > ${raw(String(QUIET_ATTEMPTS))})`

/** The same as `handledAtOf`. */
const HANDLED_AT = sql`coalesce((t.handled ->> 'at')::timestamptz, t.handled_at)`
/** The same as `standingOf`. */
export const STANDING = sql`case
  when ${HANDLED_AT} is not null and (t.exception is not null or t.handled_at is not null) then
    case when t.exception is not null and t.exception_at > ${HANDLED_AT}
      then 'waiting_for_person' else 'taken_care_of' end
  when t.state = 'creating' then 'opening'
  when t.state = 'refused' then 'not_opened'
  when t.state = 'unknown' then 'unanswered'
  when t.state = 'pending' then 'payable'
  when t.state <> 'paid' then 'over'
  when t.exception <> 'completion_failed' then 'waiting_for_person'
  when t.settled_at is null then 'waiting_for_medusa'
  else 'settled' end`

/** Lines of the ledger that say that money went back to the payer, as `refundedOf` sums them. */
export const REFUNDS = sql`payment_service_ledger_entry l
  where l.kind in ('outside', 'payout') and l.deleted_at is null`
/** The list of refunds is short, so Postgres begins with it. */
export const HAS_REFUNDS = sql`t.id in (select l.transaction_row_id from ${REFUNDS})`

/** The same as `listedStandingOf`. */
export const LISTED_STANDING = sql`(case
  when ${STANDING} not in ('settled', 'taken_care_of') then ${STANDING}
  else coalesce((
    select case when round(sum(l.amount::numeric), 2) < ${toKopeck(PAID_SUM.amount)} then 'partly_refunded' else 'refunded' end
    from ${REFUNDS} and l.transaction_row_id = t.id having count(*) > 0
  ), ${STANDING}) end)`

/** The same as the standing `payable` of `standingOf`. */
export const IS_PAYABLE = sql`t.state = 'pending' and t.handled_at is null and t.deleted_at is null`
/** The same as the standing `waiting_for_medusa` of `standingOf`. An index uses the first part of this condition. */
export const WAITS_FOR_MEDUSA = sql`t.state = 'paid' and t.settled_at is null and t.handled_at is null
  and t.deleted_at is null and (t.exception is null or t.exception = 'completion_failed')`
