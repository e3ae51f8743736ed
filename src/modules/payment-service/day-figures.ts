import { generateEntityId } from "@medusajs/framework/utils"

import type { Figures } from "../../settlement/figures"
import type { Period } from "../../settlement/local-days"
import type { Clock } from "./clock"
import { PAID_SUM, WAS_PAID } from "./rules-in-sql"
import { type InTransaction, jsonb, type RunSql, sql, type Sql } from "./sql"

/** A shorter span is only part of a day; a whole day may be this short where the clock is set forward. */
const WHOLE_DAY_MS = 23 * 60 * 60_000

type StoredFigures = Figures & Span
interface Span {
  since: Date
  until: Date
}

/** The columns of `Figures`. */
const FIGURES = sql`paid, times_to_pay, carts_opened, carts_paid`

/** Spans of time as rows of a statement. */
const rowsOf = (spans: Span[]) =>
  sql`jsonb_to_recordset(${jsonb(spans)}) as span (id text, since timestamptz, until timestamptz)`

/** The figures of each span, counted from the transactions. Index-only scans suffice, except for the attempts of carts. */
const counted = (spans: Span[]) => sql`${rowsOf(spans)}
  cross join lateral (
    select coalesce(jsonb_agg(sum order by sum.method, sum.currency), '[]') as paid from (
      select t.method, ${PAID_SUM.currency} as currency, count(*)::int as count,
        sum(${PAID_SUM.amount}::numeric)::text as amount
      from payment_service_transaction t
      where ${WAS_PAID} and t.paid_at >= span.since and t.paid_at < span.until group by 1, 2) sum) money
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_array(seconds, count)), '[]') as times_to_pay from (
      select round(extract(epoch from t.paid_at - t.opened_at))::int as seconds, count(*) as count
      from payment_service_transaction t
      where ${WAS_PAID} and t.paid_at >= span.since and t.paid_at < span.until group by 1) time) times
  cross join lateral (
    select count(*)::int as carts_opened, (count(*) filter (where attempts.is_paid))::int as carts_paid
    from (
      select distinct t.cart_id, case when t.cart_id is null then t.payment_collection_id end as collection_id
      from payment_service_transaction t
      where t.opened_at >= span.since and t.opened_at < span.until and t.deleted_at is null) cart
    cross join lateral (
      select min(opened_at) as first_at, bool_or(state = 'paid') as is_paid from (${attemptsOf(sql`opened_at, state`)}) one
    ) attempts
    where attempts.first_at >= span.since) carts`

/**
 * The attempts to pay for `cart`: those of its cart, or those of its collection if it has no cart. `is not distinct from`
 * replaces `is null`, with which Postgres might read all rows without a cart.
 */
function attemptsOf(columns: Sql): Sql {
  return sql`select ${columns} from payment_service_transaction
      where cart_id = cart.cart_id and deleted_at is null
    union all
    select ${columns} from payment_service_transaction
      where payment_collection_id = cart.collection_id and cart_id is not distinct from cart.cart_id
        and deleted_at is null`
}

/**
 * The figures of the overview. Counting the payments of months takes seconds in a large store, so figures of past days are
 * stored. They can still change, so a trigger of the transactions' table marks the moments that a change affects, in the same
 * transaction as the change: a reader that does not see the mark does not see the change either. Stored figures count only while
 * no mark is seen for them. One transaction at a time deletes marks together with the figures they affect, and counts anew.
 */
export class DayFigures {
  constructor(
    private readonly run: RunSql,
    private readonly inTransaction: InTransaction,
    private readonly clock: Clock
  ) {}

  /** The figures of each of these spans, in their order. */
  async of(periods: Period[]): Promise<Figures[]> {
    const asked = periods.map(({ from, to }): Span => ({ since: from, until: to }))
    const found = new Map<string, Figures>()
    const add = (figures: StoredFigures[]) => {
      for (const one of figures) found.set(keyOf(one), one)
    }
    const missing = () => asked.filter((span) => !found.has(keyOf(span)))
    add(await this.run(stored(asked)))
    const now = this.clock.now()
    if (missing().some((span) => isDayOver(span, now))) {
      await this.inTransaction(async (run) => {
        await forgetMarked(run)
        // Another process may have counted them meanwhile.
        add(await run(stored(missing())))
        add(
          await store(
            run,
            missing().filter((span) => isDayOver(span, now))
          )
        )
      })
    }
    // Unfinished days and parts of days are counted each time.
    const others = missing()
    if (others.length) {
      add(await this.run(sql`select since, until, ${FIGURES} from ${counted(others)}`))
    }
    return asked.flatMap((span) => found.get(keyOf(span)) ?? [])
  }

  /** Deletes the marks and the figures they affect, also in stores whose overview nobody opens. */
  async forgetMarked(): Promise<void> {
    await this.inTransaction(forgetMarked)
  }
}

const keyOf = ({ since, until }: Span) => `${since.toISOString()} ${until.toISOString()}`

function isDayOver({ since, until }: Span, now: Date): boolean {
  return until <= now && until.getTime() - since.getTime() >= WHOLE_DAY_MS
}

function stored(spans: Span[]): Sql {
  return sql`select day.since, day.until, ${FIGURES} from ${rowsOf(spans)}
    join payment_service_day_figures day
      on day.since = span.since and day.until = span.until and day.deleted_at is null
    where not exists (select 1 from payment_service_changed_moment changed
      where changed.at >= day.since and changed.at < day.until and changed.deleted_at is null)`
}

async function forgetMarked(run: RunSql): Promise<void> {
  // Until this transaction ends, no other stores figures: they could be older than a mark that is deleted here.
  await run(sql`select pg_advisory_xact_lock(hashtext('payment_service_day_figures'))`)
  await run(sql`with taken as (delete from payment_service_changed_moment returning at),
      -- Many marks lie in few hours.
      changed as (select distinct date_trunc('hour', at) as hour from taken)
    delete from payment_service_day_figures day using changed
    where day.since < changed.hour + interval '1 hour' and day.until > changed.hour`)
}

async function store(run: RunSql, spans: Span[]): Promise<StoredFigures[]> {
  if (!spans.length) return []
  const days = spans.map((span) => ({ id: generateEntityId("", "psday"), ...span }))
  return await run(
    sql`insert into payment_service_day_figures (id, since, until, ${FIGURES})
      select id, since, until, ${FIGURES} from ${counted(days)}
      -- Figures that exist already were marked after the marks had been deleted.
      on conflict (since, until) where deleted_at is null do update set paid = excluded.paid,
        times_to_pay = excluded.times_to_pay, carts_opened = excluded.carts_opened, carts_paid = excluded.carts_paid
      returning since, until, ${FIGURES}`
  )
}
