import type { Clock } from "./clock"
import { MONEY_OF_STATUS, OPEN } from "./problems-in-sql"
import { IS_PAYABLE, PAID_SUM, WAITS_FOR_MEDUSA } from "./rules-in-sql"
import { type RunSql, sql } from "./sql"

/** The amount is decimal text. */
interface MoneyCount {
  currency: string
  count: number
  amount: string
}

type ProblemAge = "day" | "week" | "older"

interface WaitingMoney {
  kind: string
  /** Open for less than a day, for less than a week, or for longer. */
  age: ProblemAge
  currency: string | null
  count: number
  /** Null for kinds without a sum of money. */
  amount: string | null
}

interface MoneyUnderWay extends MoneyCount {
  /** The payer may pay, or has paid and Medusa has not taken it yet. */
  standing: "payable" | "waiting_for_medusa"
}

/** Money and work that wait now, for the overview. `DayFigures` counts the events of a period. */
export class Overview {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /** Open problems and the money in question, by kind, age and currency; of a status, that of all payments with it. */
  async waitingForPerson(): Promise<WaitingMoney[]> {
    const now = this.clock.now()
    return await this.run(
      sql`select p.kind, coalesce(money.currency, p.currency) as currency, count(*)::int as count,
         sum(coalesce(money.amount, p.amount::numeric))::text as amount,
         case when p.opened_at > ${now}::timestamptz - interval '1 day' then 'day'
           when p.opened_at > ${now}::timestamptz - interval '7 days' then 'week' else 'older' end as age
       from payment_service_problem p left join lateral (${MONEY_OF_STATUS}) money on true
       where ${OPEN} group by 1, 2, 5
       order by sum(coalesce(money.amount, p.amount::numeric)) desc nulls last, p.kind, 5`
    )
  }

  /** Money that may still come, and money that came but is not in Medusa yet. */
  async underWay(): Promise<MoneyUnderWay[]> {
    return await this.run(
      sql`select 'payable' as standing, t.currency, count(*)::int as count, sum(t.amount::numeric)::text as amount
       from payment_service_transaction t where ${IS_PAYABLE} group by t.currency
       union all
       select 'waiting_for_medusa', ${PAID_SUM.currency}, count(*)::int,
         sum(${PAID_SUM.amount}::numeric)::text
       from payment_service_transaction t where ${WAITS_FOR_MEDUSA} group by 2
       order by 1, 2`
    )
  }
}
