import { UNPUBLISHED, WATCHED } from "../../payments/statements/rules-in-sql"
import { OPEN } from "../../problems/statements/problems-in-sql"
import type { StoreOptions } from "../../settings/options"
import { empty, join, raw, sql, type Sql, Statements } from "../../database/sql"

/** No statement changes more rows than this, so that none holds up a shopper's. */
const BATCH = 500

/** A payment's journal tells the same as callbacks, and events that were sent. */
const DAYS_OF_HINTS = 30
const DAYS_OF_COMPARISONS = 90
/** After this long, an id that is no subscription, or got no answer, may be asked for again. */
const DAYS_OF_UNKNOWN_IDS = 1

const OPEN_PROBLEM = sql`payment_service_problem p where ${OPEN}`
const PAYOUT_UNDER_WAY = sql`payment_service_payout p where p.deleted_at is null
  and p.state not in ('created', 'rejected', 'marked_sent', 'marked_not_sent', 'discarded')`
const PROOF_TO_BOOK = sql`payment_service_ledger_entry p where p.to_book_at is not null`

/** Nothing open is about the order, or the payment, of the row `t`. Postgres reads a subquery that does not name `t` only once. */
const noneOfOrder = (open: Sql) => sql`(t.order_id is null or t.order_id not in (
  select p.order_id from ${open} and p.order_id is not null))`
const noneOfPayment = (open: Sql) => sql`t.id not in (
  select p.transaction_row_id from ${open} and p.transaction_row_id is not null)`

/** Nothing is open or due about the payment `t`: neither a look, an event, a person's decision nor money that goes out. */
const IS_FINAL = sql`(${WATCHED}) is not true and (${UNPUBLISHED}) is not true and t.completion is null
  and t.state <> 'creating' and (t.state <> 'paid' or t.settled_at is not null or t.handled_at is not null)
  and (t.exception is null or t.handled_at >= t.exception_at)
  and ${noneOfPayment(OPEN_PROBLEM)} and ${noneOfOrder(OPEN_PROBLEM)}
  and ${noneOfPayment(PAYOUT_UNDER_WAY)} and ${noneOfOrder(PAYOUT_UNDER_WAY)} and ${noneOfPayment(PROOF_TO_BOOK)}`

/** Our tables no longer have the payment of the row `t`, nor any other one of its order. */
const NO_PAYMENT_LEFT = sql`not exists (select from payment_service_transaction r where r.id = t.transaction_row_id)
  and not exists (select from payment_service_transaction r where r.order_id = t.order_id)`

const LATEST_MOMENTS = "paid_at settled_at handled_at exception_at read_at opened_at".split(" ")

/** Decides how long records are kept and whom they name. Records that are open or due are kept whatever their age. */
export class Retention extends Statements {
  /** Deletes what is older than `retention` or its own time, a batch in each statement. What is about payments goes only after them. */
  async forgetOld({ years, days }: StoreOptions["retention"]): Promise<void> {
    const beforeYears = (moment: string) => this.before(moment, years, "year")
    const isOver = (row: "t" | "s") =>
      beforeYears(`greatest(${LATEST_MOMENTS.map((moment) => `${row}.${moment}`).join(", ")})`)
    const statements = [
      // The payments of an order go together, because the meaning of one hangs on the others.
      deleting(
        "payment_service_transaction",
        sql`${beforeYears("t.opened_at")} and ${IS_FINAL} and ${isOver("t")}
          and not exists (select from payment_service_transaction s where s.id <> t.id and s.deleted_at is null
            and (s.order_id = t.order_id or s.payment_collection_id = t.payment_collection_id)
            and not ${isOver("s")})`,
        sql`, theirs as (delete from payment_service_journal_entry where transaction_row_id in (select id from old))`
      ),
      deleting(
        "payment_service_problem",
        sql`${beforeYears("t.closed_at")} and ${NO_PAYMENT_LEFT}`
      ),
      deleting(
        "payment_service_payout",
        sql`${beforeYears("greatest(t.made_at, t.sent_at, t.answered_at, t.marked_at)")}
          and ${NO_PAYMENT_LEFT} and ${noneOfOrder(OPEN_PROBLEM)}
          and t.id not in (select p.id from ${PAYOUT_UNDER_WAY})`,
        sql`, theirs as (delete from payment_service_payout_entry where payout_id in (select id from old))`
      ),
      deleting(
        "payment_service_ledger_entry",
        sql`${beforeYears("t.at")} and ${NO_PAYMENT_LEFT} and ${noneOfOrder(OPEN_PROBLEM)}
          and not exists (select from payment_service_payout p where p.id = t.payout_id)`
      ),
      deleting("payment_service_export_record", beforeYears("t.at")),
      // Ids that are no subscriptions are asked for again; a subscription is found again when it is named.
      deleting(
        "payment_service_subscription_lookup",
        sql`${this.before("t.named_at", DAYS_OF_UNKNOWN_IDS)}
          and (t.found_at is null or (t.due_at is null and ${this.before("t.named_at", days)}))`
      ),
      deleting("payment_service_callback", this.before("t.received_at", DAYS_OF_HINTS)),
      deleting(
        "payment_service_event",
        sql`t.send_at is null and ${this.before("t.written_at", DAYS_OF_HINTS)}`
      ),
      // When the next comparison of a merchant is due depends on the last one.
      deleting(
        "payment_service_reconciliation_run",
        sql`${this.before("t.started_at", DAYS_OF_COMPARISONS)}
          and exists (select from payment_service_reconciliation_run later
            where later.merchant_id = t.merchant_id and later.base_url = t.base_url
              and later.started_at > t.started_at and later.deleted_at is null)`
      ),
      sql`update payment_service_payout_entry set address = null, forwarded_address = null where id in (
        select id from payment_service_payout_entry
        where coalesce(address, forwarded_address) is not null and ${this.before("at", days)} limit ${BATCH}) returning id`,
    ]
    for (const statement of statements) await this.inBatches(statement)
  }

  async eraseDeletedCustomers(): Promise<void> {
    const isDeleted = sql`t.customer_id is not null and not exists (
      select from customer c where c.id = t.customer_id and c.deleted_at is null)`
    await this.erase(isDeleted)
  }

  /** Erases whoever has this e-mail address. The payments that are `left` still name them, because something is open or due. */
  async erasePayer(email: string, payerIds: string[]) {
    const address = email.trim().toLowerCase()
    const customers = sql`select id from customer where lower(email) = ${address}`
    const isTheirs = sql`(t.payer_id in (${join(payerIds)}) or t.customer_id in (${customers}))`
    const erased = await this.erase(isTheirs)
    // Events about subscriptions are the only ones that hold an address.
    await this.run`delete from payment_service_event where send_at is null
      and lower(data #>> '{subscription,customer_email}') = ${address}`
    const [{ left }] = await this.run<[{ left: number }]>`
      select count(*)::int as left from payment_service_transaction t where ${isTheirs}`
    return { erased, left }
  }

  /** Final payments, and their problems, name nobody any more. Sums, times and orders stay for the books. */
  private async erase(isTheirs: Sql): Promise<number> {
    return await this.inBatches(sql`
      with erased as (
        update payment_service_transaction set customer_id = null, payer_id = null, updated_at = now()
        where id in (select t.id from payment_service_transaction t
          where ${isTheirs} and ${IS_FINAL} order by t.id limit ${BATCH} for update skip locked)
        returning id),
      problems as (update payment_service_problem set customer_id = null, updated_at = now()
        where transaction_row_id in (select id from erased))
      select id from erased`)
  }

  private before(moment: string, count: number, unit: "day" | "year" = "day"): Sql {
    return sql`${raw(moment)} < ${this.clock.now()}::timestamptz - ${count} * interval '1 ${raw(unit)}'`
  }

  /** Runs a statement that returns the rows that it has changed, until none is left; returns their number. */
  private async inBatches(statement: Sql): Promise<number> {
    let changed = 0
    for (;;) {
      const { length } = await this.run<unknown[]>(statement)
      changed += length
      if (length < BATCH) return changed
    }
  }
}

/** Rows `t` are locked in the order of their ids, as callbacks lock them. */
const deleting = (table: string, where: Sql, theirs = empty) =>
  sql`with old as (select t.id from ${raw(table)} t where ${where} order by t.id limit ${BATCH} for update skip locked)
    ${theirs}
    delete from ${raw(table)} where id in (select id from old) returning id`
