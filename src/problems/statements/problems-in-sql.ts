import { join, sql, type Sql } from "../../database/sql"
import * as rows from "../../payments/statements/rules-in-sql"
import { BY_A_PERSON, causeOfTransaction } from "../rules/problems"

/** SQL condition: one of `BY_A_PERSON`. */
export const CLOSED_BY_A_PERSON = sql`resolution in (${join(BY_A_PERSON)})`
/** A problem `p` is open. */
export const OPEN = sql`p.closed_at is null and p.deleted_at is null`

/** Closes the problems that an answer of the service ends, in a statement with `clock.now` and the rows `recorded`, which it is about. */
export const CLOSE_ENDED_BY_ANSWER = sql`update payment_service_problem p
  set closed_at = clock.now, resolution = 'settled', updated_at = now()
  from clock, recorded t
  where p.cause = any(${rows.CAUSES_THAT_AN_ANSWER_ENDS}) and ${OPEN}`

/** Ids of rows whose problem is not open yet. Such rows are few and problems are many, so each row looks its problem up. */
export const NOT_OPEN_YET = sql`select t.id from payment_service_transaction t
  where ${rows.NEEDS_PERSON} and t.deleted_at is null
    -- For a row that a person took care of, only a later exception counts.
    and (t.handled_at is null or t.exception_at > t.handled_at)
    and not exists (
      select 1 from payment_service_problem p
      where p.cause = ${rows.CAUSE_OF_ROW} and p.deleted_at is null
        and (p.closed_at is null or (p.closed_at >= t.exception_at and p.${CLOSED_BY_A_PERSON})) offset 0)`
export const IN_ORDER_AGAIN = sql`select t.id from payment_service_problem p
  join payment_service_transaction t on t.id = p.transaction_row_id
  where ${OPEN} and p.cause like ${causeOfTransaction("%")} and t.exception is null`
/** A transaction `t` has a status that no option names. An index uses exactly this condition. */
export const HAS_UNKNOWN_STATUS = sql`t.exception = 'unknown_status' and t.deleted_at is null`
/** The same, and the problem `p` is about this status. */
export const IS_OF_STATUS = sql`p.kind = 'unknown_status' and ${HAS_UNKNOWN_STATUS} and ${rows.CAUSE_OF_STATUS} = p.cause`
/** The number and the sum of the payments with the status that the problem `p` is about, by currency; nothing for other kinds. */
export const MONEY_OF_STATUS = sql`select ${rows.PAID_SUM.currency} as currency, count(*)::int as count,
    sum(${rows.PAID_SUM.amount}::numeric) as amount
  from payment_service_transaction t where ${IS_OF_STATUS} group by 1`
/** Open problems of a status that no transaction has any more. */
export const OF_KNOWN_STATUS = sql`p.kind = 'unknown_status' and not exists (
  select 1 from payment_service_transaction t where ${IS_OF_STATUS} offset 0)`

export const closingWhere = (condition: Sql, now: Date) =>
  sql`update payment_service_problem p
    set closed_at = ${now.toISOString()}, resolution = 'settled', updated_at = now()
    where ${OPEN} and ${condition}`
