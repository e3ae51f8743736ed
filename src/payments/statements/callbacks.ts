import { generateEntityId } from "@medusajs/framework/utils"
import pLimit from "p-limit"

import { empty, join, jsonb, sql, Statements } from "../../database/sql"
import type { TransactionRow } from "../../modules/payment-service/tables"
import { namingSubscriptions } from "../../subscriptions/statements/lookups"
import { hinting } from "./due-transactions"

/** So many callbacks are written at a time. The rest of a flood waits, which leaves connections for paying shoppers. */
const AT_A_TIME = 4

/** Writes down the ids that callbacks name, before the callbacks are answered. */
export class Callbacks extends Statements {
  private readonly inTurn = pLimit(AT_A_TIME)

  /**
   * Writes down the ids in a callback's body (in lower case; the body may hold the payer's data) and makes their transactions due, in
   * one statement; returns those. A transaction that gets its id only after that finds the callback, see `Openings.recordCreated`.
   * `subscriptionIds` are those to look up as subscriptions if they belong to no transaction of ours.
   */
  async keep(transactionIds: string[], subscriptionIds: string[] = []): Promise<TransactionRow[]> {
    if (!transactionIds.length) return []
    return await this.inTurn(() => {
      const now = this.clock.now()
      // Rows are locked in one order, so that statements of several instances never deadlock.
      return this.run<TransactionRow[]>`
        with clock as (select ${now}::timestamptz as now),
         kept as (insert into payment_service_callback (id, transaction_ids, received_at)
           values (${generateEntityId("", "pscb")}, ${jsonb(transactionIds)}, ${now})),
         hinted as (${hinting(
           sql`id in (select id from payment_service_transaction
             where lower(transaction_id) in (${join(transactionIds)}) and deleted_at is null order by id for update)`
         )}),
         -- A flood of callbacks makes a few entries at most, because all of them say the same.
         noted as (insert into payment_service_journal_entry (id, transaction_row_id, at, kind, facts)
           select 'psjou_' || replace(gen_random_uuid()::text, '-', ''), hinted.id, clock.now, 'callback', '{}'::jsonb
           from hinted, clock where not exists (select 1 from payment_service_journal_entry one
             where one.transaction_row_id = hinted.id and one.kind = 'callback' and one.deleted_at is null
               and one.at > clock.now - interval '10 seconds'))
         ${subscriptionIds.length ? sql`, asked as (${namingSubscriptions(subscriptionIds)})` : empty}
         select * from hinted`
    })
  }

  async lastReceivedAt(): Promise<Date | null> {
    const [last] = await this.run<{ received_at: Date }[]>`
      select received_at from payment_service_callback where deleted_at is null
      order by received_at desc limit 1`
    return last?.received_at ?? null
  }
}
