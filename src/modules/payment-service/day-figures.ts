import { generateEntityId } from "@medusajs/framework/utils"

import type { Figures } from "../../settlement/figures"
import type { Period } from "../../settlement/local-days"
import type { Clock } from "./clock"
import { SUM_THAT_CAME, WAS_PAID } from "./rules-in-sql"
import { type InTransaction, jsonb, type RunSql, sql, type Sql } from "./sql"

/** A shorter span is part of a day: days are shorter than this only where a clock is set forward. */
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

/** The figures of each span, counted from the transactions. Indexes have all that is read, but the attempts of carts. */
const counted = (spans: Span[]) => sql`${rowsOf(spans)}
  cross join lateral (
    select coalesce(jsonb_agg(sum order by sum.method, sum.currency), '[]') as paid from (
      select t.method, ${SUM_THAT_CAME.currency} as currency, count(*)::int as count,
        sum(${SUM_THAT_CAME.amount}::numeric)::text as amount
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
 * The attempts to pay for `cart`: those of its cart, or those of a collection that has none. By `cart_id is null`,
 * Postgres might look for them among all that have no cart.
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
 * The figures of the overview. To count the payments of months takes seconds in a large store, so those of a day that
 * is over are stored. They can change even then, so a trigger of the transactions' table marks the moments that a
 * change is about, in the same transaction as the change: whoever does not see a mark does not see its change either.
 * Stored figures count only where no mark is seen. Marks are taken away together with the figures that they are about,
 * by one transaction at a time, which then counts anew.
 */
export class DayFigures {
  constructor(
    private readonly run: RunSql,
    private readonly together: InTransaction,
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
      await this.together(async (run) => {
        await forgetMarked(run)
        // Somebody else may have counted them meanwhile.
        add(await run(stored(missing())))
        add(
          await store(
            run,
            missing().filter((span) => isDayOver(span, now))
          )
        )
      })
    }
    // Days that go on, and parts of days, are counted each time.
    const others = missing()
    if (others.length) {
      add(await this.run(sql`select since, until, ${FIGURES} from ${counted(others)}`))
    }
    return asked.flatMap((span) => found.get(keyOf(span)) ?? [])
  }

  /** Takes away the marks, and what they are about, for stores whose overview nobody looks at. */
  async forgetMarked(): Promise<void> {
    await this.together(forgetMarked)
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
  // Until this transaction ends, nobody else stores figures, which could be older than a mark that is taken away here.
  await run(sql`select pg_advisory_xact_lock(hashtext('payment_service_day_figures'))`)
  await run(sql`with taken as (delete from payment_service_changed_moment returning at),
      -- The hours of many marks are few.
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
      -- Marked since the marks were taken away.
      on conflict (since, until) where deleted_at is null do update set paid = excluded.paid,
        times_to_pay = excluded.times_to_pay, carts_opened = excluded.carts_opened, carts_paid = excluded.carts_paid
      returning since, until, ${FIGURES}`
  )
}
