import type { LocalDay, Period } from "../../settlement/local-days"
import type { Clock } from "./clock"
import { OPEN } from "./problems"
import { IS_PAYABLE, SUM_THAT_CAME, WAITS_FOR_MEDUSA, WAS_PAID } from "./rules-in-sql"
import { join, type RunSql, sql } from "./sql"

/** Amounts are decimal text. */
interface MoneyCount {
  currency: string
  count: number
  amount: string
}

export interface PaidOfDay extends MoneyCount {
  /** `YYYY-MM-DD` in the time zone of the question. */
  day: string
  method: string
}

export interface PaidByMethod extends MoneyCount {
  method: string
}

/** Carts, or orders without a cart, for which a payment was opened. */
export interface CartCount {
  opened: number
  paid: number
}

/** How long it took to pay, in seconds; null when nothing was paid. */
export interface TimeToPay {
  median: number | null
  p90: number | null
}

export type ProblemAge = "day" | "week" | "older"

export interface WaitingMoney {
  kind: string
  /** Open for less than a day, for less than a week, or for longer. */
  age: ProblemAge
  currency: string | null
  count: number
  /** Null for kinds that are about no sum of money. */
  amount: string | null
}

export interface MoneyUnderWay extends MoneyCount {
  /** The payer may pay, or has paid and Medusa has not taken it yet. */
  standing: "payable" | "waiting_for_medusa"
}

/**
 * The figures of the overview. Statements read indexes only, so they stay fast in a large store; an index that
 * includes what they read is named in the migration of the overview.
 */
export class Overview {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /** The money that was paid on each day, by method and currency, in order. */
  async paidByDay(days: LocalDay[]): Promise<PaidOfDay[]> {
    const spans = days.map(
      ({ day, from, to }) => sql`(${day}::text, ${from}::timestamptz, ${to}::timestamptz)`
    )
    return await this.run(
      sql`select days.day, paid.* from (values ${join(spans)}) days (day, since, until)
       cross join lateral (
         select t.method, ${SUM_THAT_CAME.currency} as currency, count(*)::int as count,
           sum(${SUM_THAT_CAME.amount}::numeric)::text as amount
         from payment_service_transaction t
         where ${WAS_PAID} and t.paid_at >= days.since and t.paid_at < days.until group by 1, 2) paid
       order by 1, 2, 3`
    )
  }

  /** The money that was paid in a period, by method and currency. */
  async paidByMethod({ from, to }: Period): Promise<PaidByMethod[]> {
    return await this.run(
      sql`select t.method, ${SUM_THAT_CAME.currency} as currency, count(*)::int as count,
         sum(${SUM_THAT_CAME.amount}::numeric)::text as amount
       from payment_service_transaction t
       where ${WAS_PAID} and t.paid_at >= ${from} and t.paid_at < ${to} group by 1, 2 order by 1, 2`
    )
  }

  /**
   * How many carts saw their first payment in a period, and how many of them were paid by any. Another attempt within a
   * day of the period's ends is taken into account, too, so a cart at midnight counts once.
   */
  async carts({ from, to }: Period): Promise<CartCount> {
    const [carts] = await this.run<[CartCount]>(
      sql`select count(*)::int as opened, (count(*) filter (where is_paid))::int as paid
       from (
         select min(opened_at) as first_at, bool_or(state = 'paid') as is_paid
         from payment_service_transaction
         where opened_at >= ${from}::timestamptz - interval '1 day' and opened_at < ${to}::timestamptz + interval '1 day'
           and deleted_at is null
         -- Digests of 64 bits need half the memory of the ids.
         group by hashtextextended(coalesce(cart_id, payment_collection_id), 0)) cart
       where first_at >= ${from} and first_at < ${to}`
    )
    return carts
  }

  /** How long it took from opening a payment until it was seen paid, for those that were paid in a period. */
  async timeToPay({ from, to }: Period): Promise<TimeToPay> {
    // Counting whole seconds takes a third of the time that sorting all payments does.
    const [found] = await this.run<[TimeToPay]>(
      sql`with seconds as (
         select round(extract(epoch from t.paid_at - t.opened_at))::int as length, count(*) as count
         from payment_service_transaction t
         where ${WAS_PAID} and t.paid_at >= ${from} and t.paid_at < ${to} group by 1),
       ranked as (
         select length, sum(count) over (order by length) as up_to, sum(count) over () as total from seconds)
       select min(length) filter (where up_to >= 0.5 * total) as median,
         min(length) filter (where up_to >= 0.9 * total) as p90 from ranked`
    )
    return found
  }

  /** Open problems and the money in question, by kind, age and currency. */
  async waitingForPerson(): Promise<WaitingMoney[]> {
    const now = this.clock.now()
    return await this.run(
      sql`select p.kind, p.currency, count(*)::int as count, sum(p.amount::numeric)::text as amount,
         case when p.opened_at > ${now}::timestamptz - interval '1 day' then 'day'
           when p.opened_at > ${now}::timestamptz - interval '7 days' then 'week' else 'older' end as age
       from payment_service_problem p where ${OPEN} group by p.kind, p.currency, 5
       order by sum(p.amount::numeric) desc nulls last, p.kind, 5`
    )
  }

  /** Money that may still come, and money that came and is not in Medusa yet. */
  async underWay(): Promise<MoneyUnderWay[]> {
    return await this.run(
      sql`select 'payable' as standing, t.currency, count(*)::int as count, sum(t.amount::numeric)::text as amount
       from payment_service_transaction t where ${IS_PAYABLE} group by t.currency
       union all
       select 'waiting_for_medusa', ${SUM_THAT_CAME.currency}, count(*)::int,
         sum(${SUM_THAT_CAME.amount}::numeric)::text
       from payment_service_transaction t where ${WAITS_FOR_MEDUSA} group by 2
       order by 1, 2`
    )
  }
}
