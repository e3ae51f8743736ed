import { generateEntityId } from "@medusajs/framework/utils"
import pLimit from "p-limit"

import type { Clock } from "./clock"
import { hinting } from "./due-transactions"
import { empty, join, jsonb, type RunSql, sql } from "./sql"
import { namingSubscriptions } from "./subscription-lookups"
import type { TransactionRow } from "./tables"

/** This many callbacks are written at a time. The rest of a flood waits, which leaves connections for paying shoppers. */
const AT_A_TIME = 4

/** A callback as it is stored: without its body, which proves nothing and may hold the payer's data. */
interface Callback {
  /** The ids in its body, in lower case. */
  transactionIds: string[]
  /** Those of them to look up as subscriptions if they belong to no transaction of ours. */
  subscriptionIds?: string[]
  /** Bytes of the body, and its SHA-256 in hex. */
  size: number
  digest: string
}

/** Writes down the ids that callbacks name, before the callbacks are answered. */
export class Callbacks {
  private readonly inTurn = pLimit(AT_A_TIME)

  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /**
   * Writes a callback down and makes its transactions due for the watcher, in one statement. A transaction that gets its id only
   * after that finds the callback, see `Openings.recordCreated`.
   *
   * @returns the named transactions
   */
  async keep(callback: Callback): Promise<TransactionRow[]> {
    return callback.transactionIds.length ? await this.inTurn(() => this.write(callback)) : []
  }

  private async write({
    transactionIds,
    subscriptionIds = [],
    size,
    digest,
  }: Callback): Promise<TransactionRow[]> {
    const now = this.clock.now()
    // Rows are locked in one order, so that statements of several instances never deadlock.
    return await this.run<TransactionRow[]>(
      sql`with clock as (select ${now}::timestamptz as now),
       kept as (insert into payment_service_callback (id, transaction_ids, size, digest, received_at)
         values (${generateEntityId("", "pscb")}, ${jsonb(transactionIds)}, ${size}, ${digest}, ${now})),
       hinted as (${hinting(
         sql`id in (select id from payment_service_transaction
           where transaction_key in (${join(transactionIds)}) and deleted_at is null order by id for update)`
       )}),
       -- A flood of callbacks makes a few entries at most, because all of them say the same.
       noted as (insert into payment_service_journal_entry (id, transaction_row_id, at, kind, facts)
         select 'psjou_' || replace(gen_random_uuid()::text, '-', ''), hinted.id, clock.now, 'callback', '{}'::jsonb
         from hinted, clock where not exists (select 1 from payment_service_journal_entry one
           where one.transaction_row_id = hinted.id and one.kind = 'callback' and one.deleted_at is null
             and one.at > clock.now - interval '10 seconds'))
       ${subscriptionIds.length ? sql`, asked as (${namingSubscriptions(subscriptionIds)})` : empty}
       select * from hinted`
    )
  }

  /** The time of the last callback that had any id in it. */
  async lastReceivedAt(): Promise<Date | null> {
    const [last] = await this.run<{ received_at: Date }[]>(
      sql`select received_at from payment_service_callback where deleted_at is null
       order by received_at desc limit 1`
    )
    return last?.received_at ?? null
  }
}
