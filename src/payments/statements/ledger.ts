import { generateEntityId } from "@medusajs/framework/utils"

import { columnsAndValues, empty, join, sql, Statements } from "../../database/sql"
import type { RunSql, Sql } from "../../database/sql"
import type { LedgerEntryRow } from "../../modules/payment-service/tables"
import { causeOfBalance, causeOfRefundDue } from "../../problems/rules/problems"
import { OPEN } from "../../problems/statements/problems-in-sql"
import { compareSums } from "../../values/amount"
import { isProof } from "../rules/ledger"

type NewEntry = Pick<LedgerEntryRow, "kind" | "amount" | "currency"> & Partial<LedgerEntryRow>

/** A proof is booked by its writer at once; the watcher does it after this long, should that have failed. */
const BOOK_LATER_MS = 60_000
const MOST_AT_ONCE = 100

const laterToBook = (now: Date) => new Date(now.getTime() + BOOK_LATER_MS)
/** SQL condition on a line `l`: it is a proof that nobody has booked in time. */
export const isToBeBooked = (now: Date) => sql`l.to_book_at <= ${now} and l.deleted_at is null`

/** The ledgers of orders and payments. They are only added to, but a proof gets to know its refund, and when it is to be booked. */
export class Ledger extends Statements {
  /** The lines of these payments and, if they are named, of their orders; oldest first. */
  async of(rowIds: string[], orderIds: string[] = []): Promise<LedgerEntryRow[]> {
    if (!rowIds.length && !orderIds.length) return []
    return await this.run(linesOf(rowIds, orderIds))
  }

  /** Whether people have decided, or are asked, anything about an order's money: most orders go without. */
  async isConcerned(orderId: string): Promise<boolean> {
    const [{ found }] = await this.run<[{ found: boolean }]>`select exists (
        select from payment_service_problem p where p.cause in (${causeOfRefundDue(orderId)}, ${causeOfBalance(orderId)}) and ${OPEN})
      or exists (select from payment_service_ledger_entry where order_id = ${orderId} and deleted_at is null)
      or exists (
        select from payment_service_transaction t
        join payment_service_ledger_entry e on e.transaction_row_id = t.id
        where t.order_id = ${orderId} and t.deleted_at is null and e.deleted_at is null) as found`
    return found
  }

  /** Money that went back is there once for each problem at which that was said, and for each payout. */
  async add(entry: NewEntry): Promise<void> {
    await this.database.inTransaction((run) => enter(run, this.clock.now(), entry))
  }

  /**
   * Adds that a refund was asked for in vain. It is there once, however often the button was clicked since `known` was read.
   *
   * @param known all lines of the payment when no proof was found among them
   * @returns false, and adds nothing, when money has gone back since
   */
  async ask(asked: NewEntry, known: LedgerEntryRow[]): Promise<boolean> {
    return await this.database.inTransaction(async (run) => {
      const rowId = asked.transaction_row_id ?? ""
      await run(lockingPayment(rowId))
      const since = (await run<LedgerEntryRow[]>(linesOf([rowId]))).filter(
        ({ id }) => !known.some((line) => line.id === id)
      )
      if (since.some(isProof)) return false
      const isRepeated = since.some(
        ({ kind, amount }) => kind === "asked" && compareSums(amount, asked.amount) === 0
      )
      if (!isRepeated) await enter(run, this.clock.now(), asked)
      return true
    })
  }

  /** Has the watcher look soon at proofs that Medusa has not booked; with null, it has booked all that it can. */
  async setToBook(
    proofs: Pick<LedgerEntryRow, "id">[],
    at: Date | null = this.clock.now()
  ): Promise<void> {
    if (!proofs.length) return
    await this.run`update payment_service_ledger_entry set to_book_at = ${at}
      where id in (${join(proofs.map(({ id }) => id))})`
  }

  /** The payments with proofs that are due to be booked. They are due again later, until that is recorded. */
  async claimToBook(): Promise<string[]> {
    const now = this.clock.now()
    const due = await this.run<{ id: string }[]>`
      update payment_service_ledger_entry set to_book_at = ${laterToBook(now)} where id in (
        select l.id from payment_service_ledger_entry l where ${isToBeBooked(now)}
        order by l.to_book_at, l.id limit ${MOST_AT_ONCE} for update skip locked)
      returning transaction_row_id as id`
    return [...new Set(due.map(({ id }) => id))]
  }

  /** Makes a proof the one of core's refund. Returns false when another refund has it by now. */
  async bind(
    { id, refund_id }: Pick<LedgerEntryRow, "id" | "refund_id">,
    refundId: string
  ): Promise<boolean> {
    const bound = await this.run<unknown[]>`
      update payment_service_ledger_entry set refund_id = ${refundId}
      where id = ${id} and refund_id is not distinct from ${refund_id} returning id`
    return bound.length > 0
  }
}

/** Enters a line behind all lines of its payment, whose order tells what answers what. It must be run in a transaction. */
export async function enter(run: RunSql, now: Date, entry: NewEntry): Promise<void> {
  const rowId = entry.transaction_row_id ?? ""
  // A separate statement takes the lock, so that the next one sees everything that was committed during the wait.
  await run(lockingPayment(rowId))
  const at = sql`greatest(${now}::timestamptz, (
    select max(at) + interval '1 millisecond' from payment_service_ledger_entry
    where transaction_row_id = ${rowId} and deleted_at is null))`
  const to_book_at = isProof(entry) ? laterToBook(now) : null
  const columns = { id: generateEntityId("", "psled"), at, to_book_at, ...entry }
  await run`
    insert into payment_service_ledger_entry ${columnsAndValues(columns)} on conflict do nothing`
}

const lockingPayment = (rowId: string) =>
  sql`select id from payment_service_transaction where id = ${rowId} for update`

function linesOf(rowIds: string[], orderIds: string[] = []): Sql {
  const ofOrders = orderIds.length ? sql`or order_id in (${join(orderIds)})` : empty
  return sql`select * from payment_service_ledger_entry
    where (transaction_row_id in (${join([...rowIds, ""])}) ${ofOrders}) and deleted_at is null
    order by at, id`
}
