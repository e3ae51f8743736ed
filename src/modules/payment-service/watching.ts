import { type Place, placeId } from "../../settlement/place-id"
import type { Clock } from "./clock"
import { WAITING } from "./inbox"
import type { ResolvedOptions } from "./options"
import { UNSENT } from "./outbox"
import { isUnfinished } from "./placings"
import { BY_A_PERSON, IS_STATUS_KNOWN, IS_UNFOLLOWED, OPEN } from "./problems"
import { PLACE_ID_OF_ROW, UNTOLD, WATCHED } from "./rules-in-sql"
import { assignments, columnsAndValues, join, type RunSql, sql } from "./sql"
import type { Tables, WatcherRunRow } from "./tables"

/** What there is to do without anybody asking for it. Dates: since when; null: nothing. */
export interface WhatIsDue {
  /** Transactions to look at, where an account leads to and the service is not given time to recover. */
  transactions: Date | null
  callbacks: Date | null
  events: Date | null
  /** Something settled of which nobody was told, or a problem is to be opened or closed. */
  missed: boolean
  /** Orders that a person was told of as unpaid may be paid or canceled by now. */
  unpaidOrders: boolean
  /** Completions that were not seen to end. */
  completions: boolean
  /** Places with transactions that no account leads to, when there is anything new to say of them; else null. */
  notConfigured: string[] | null
}

export const NOTHING_IS_DUE: WhatIsDue = {
  transactions: null,
  callbacks: null,
  events: null,
  missed: false,
  unpaidOrders: false,
  completions: false,
  notConfigured: null,
}

/** The last round of one place that there was something to do for. */
export type WatcherRound = Pick<
  WatcherRunRow,
  "settled" | "failed" | "silent_passes" | "silent_since" | "paused_until"
>

/**
 * What the watcher goes by: one question says whether there is anything to do, so that a store in which
 * nothing happens is asked nothing else, and is not written to.
 */
export class Watching {
  /** When this process last asked, on behalf of its watcher; null when it has none. */
  askedAt: Date | null = null

  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock,
    private readonly options: ResolvedOptions,
    private readonly rows: Pick<Tables, "listWatcherRuns">
  ) {}

  /** Each part of the question is answered by the first entry of an index, or by the few that are open. */
  async whatIsDue(): Promise<WhatIsDue> {
    const now = this.clock.now()
    const configured = this.options.all().map(placeId)
    const [found] = await this.run<WhatIsDue[]>(
      sql`with recursive place (id) as (
         (select ${PLACE_ID_OF_ROW} from payment_service_transaction t where ${WATCHED} order by 1 limit 1)
         union all
         select next.id from place cross join lateral (
           select ${PLACE_ID_OF_ROW} as id from payment_service_transaction t
           where ${WATCHED} and ${PLACE_ID_OF_ROW} > place.id order by 1 limit 1) next),
       due as (
         select place.id, place.id in (${join(configured)}) as is_configured,
           first.watch_at as since, last.watch_at as newest
         from place
         cross join lateral (
           select t.watch_at from payment_service_transaction t
           where ${WATCHED} and ${PLACE_ID_OF_ROW} = place.id and t.watch_at <= ${now}
           order by t.watch_at limit 1) first
         cross join lateral (
           select t.watch_at from payment_service_transaction t
           where ${WATCHED} and ${PLACE_ID_OF_ROW} = place.id and t.watch_at <= ${now}
           order by t.watch_at desc limit 1) last)
       select
         (select min(due.since) from due left join payment_service_watcher_run run on run.id = due.id
           where due.is_configured and (run.paused_until is null or run.paused_until <= ${now})) as transactions,
         (select next_attempt_at from payment_service_callback
           where ${WAITING} and next_attempt_at <= ${now} order by next_attempt_at limit 1) as callbacks,
         (select send_at from payment_service_event
           where ${UNSENT} and send_at <= ${now} order by send_at limit 1) as events,
         exists (select 1 from (select 1 from payment_service_transaction
             where ${UNTOLD} order by opened_at desc limit 1) one)
           or ${IS_UNFOLLOWED} or ${IS_STATUS_KNOWN} as missed,
         exists (select 1 from payment_service_problem p
           where ${OPEN} and p.kind = 'order_unpaid') as "unpaidOrders",
         exists (select 1 from (select 1 from payment_service_transaction
           where ${isUnfinished(now)} order by placing_at limit 1) one) as completions,
         case when exists (select 1 from due where not is_configured and newest > coalesce((
             select max(coalesce(p.closed_at, p.last_seen_at)) from payment_service_problem p
             where p.cause = 'configuration:' || due.id and p.deleted_at is null
               and (p.closed_at is null or p.${BY_A_PERSON})), '-infinity'))
           or exists (select 1 from payment_service_problem p
             where ${OPEN} and p.kind = 'not_configured' and not exists (
               select 1 from due where not is_configured and p.cause = 'configuration:' || due.id))
           then (select coalesce(jsonb_agg(id), '[]') from due where not is_configured)
           end as "notConfigured"`
    )
    return found ?? NOTHING_IS_DUE
  }

  /** Keeps what came of a round of the watcher at one place. */
  async record(place: Place, round: WatcherRound): Promise<void> {
    const columns = { ...round, finished_at: this.clock.now() }
    await this.run(
      sql`insert into payment_service_watcher_run ${columnsAndValues({ id: placeId(place), ...columns })}
       on conflict (id) do update set ${assignments(columns)}, updated_at = now()`
    )
  }

  /** The last round of each place, the newest first. */
  async lastRounds(): Promise<WatcherRunRow[]> {
    return await this.rows.listWatcherRuns({}, { take: null, order: { finished_at: "DESC" } })
  }
}
