import { withoutCardNumbers } from "../../settlement/payouts/card-text"
import type { PayoutEntryKind } from "../../settlement/payouts/payout"
import type { Clock } from "./clock"
import {
  LockedPayout,
  type PayoutActor,
  PayoutTransaction,
  type Stop,
  stopOf,
  usedOn,
} from "./payout-transaction"
import { notFound } from "./refused-deed"
import { type InTransaction, join, type RunSql, sql } from "./sql"
import type { PayoutEntryRow, PayoutRow } from "./tables"

/** The last entry in the journal of one of several payouts. */
export type LastEntry = Pick<PayoutEntryRow, "at" | "by" | "by_name"> & {
  payout_id: string
  kind: PayoutEntryKind
}

/** Transactions that depend on other payouts (the day's limit) or on the stop wait here for each other, on all instances. */
const OTHERS_LOCK = sql`select pg_advisory_xact_lock(hashtext('payment_service_payout'), 1)`

/** SQL condition: the request is surely over without an answer, because its process died. */
export const isLost = (now: Date) =>
  sql`state = 'sending' and answer_by <= ${now} and deleted_at is null`

/** SQL condition on payouts `p`: unknown since before a moment, and without an open problem. */
export const isUnknownSince = (moment: Date) =>
  sql`p.state = 'unknown' and p.sent_at <= ${moment} and p.deleted_at is null
    and not exists (select 1 from payment_service_problem known
      where known.cause = 'payout:' || p.id and known.closed_at is null and known.deleted_at is null)`

/** SQL condition: the refund that a payout proves is to be booked, because the process that sent it has not done so. */
export const isToBeBooked = (now: Date) => sql`to_book_at <= ${now} and deleted_at is null`

/** The only writer of payouts. Each change is decided on the locked row and committed with its journal and its event. */
export class Payouts {
  constructor(
    private readonly run: RunSql,
    private readonly inTransaction: InTransaction,
    private readonly clock: Clock
  ) {}

  /** @throws MedusaError `NOT_FOUND` */
  async get(id: string): Promise<PayoutRow> {
    const [row] = await this.run<PayoutRow[]>(
      sql`select * from payment_service_payout where id = ${id} and deleted_at is null`
    )
    if (!row) throw noPayout(id)
    return row
  }

  /** The last entry in the journal of each of these payouts, by the payout's id. */
  async lastEntriesOf(ids: string[]): Promise<Map<string, LastEntry>> {
    const entries = await this.run<LastEntry[]>(
      sql`select distinct on (payout_id) payout_id, at, kind, by, by_name from payment_service_payout_entry
       where payout_id in (${join(ids)}) and deleted_at is null order by payout_id, at desc, id desc`
    )
    return new Map(entries.map((entry) => [entry.payout_id, entry]))
  }

  /** Runs `work`, which writes a new payout, while no other transaction, on any instance, depends on other payouts. */
  async make<T>(work: (payouts: PayoutTransaction) => Promise<T>): Promise<T> {
    return await this.inTransaction(async (run) => {
      await run(OTHERS_LOCK)
      return await work(new PayoutTransaction(run, this.clock))
    })
  }

  /**
   * Changes a payout with its row locked.
   *
   * @param seesOthers whether the change depends on other payouts
   * @throws MedusaError `NOT_FOUND`
   */
  async change<T>(
    id: string,
    work: (payout: LockedPayout) => Promise<T>,
    { seesOthers = false } = {}
  ): Promise<T> {
    return await this.inTransaction(async (run) => {
      // This lock comes before the row's, so that two changes never deadlock.
      if (seesOthers) await run(OTHERS_LOCK)
      const [row] = await run<PayoutRow[]>(
        sql`select * from payment_service_payout where id = ${id} and deleted_at is null for update`
      )
      if (!row) throw noPayout(id)
      return await work(new LockedPayout(run, this.clock, row))
    })
  }

  /** Records who may pay out by the options, when that has changed since a store of this database started last. */
  async recordUsers(users: string[]): Promise<void> {
    await this.make((payouts) => payouts.recordUsers(users))
  }

  /** The stop of all payouts that holds now, or null. */
  async stop(): Promise<Stop | null> {
    return await stopOf(this.run)
  }

  /** Sets the stop, which every claim that is made later sees, or lifts it. */
  async setStopped(isStopped: boolean, by: PayoutActor): Promise<void> {
    await this.make((payouts) => payouts.setStopped(isStopped, by))
  }

  /** The part of a day's limit that is used up, in whole rubles. */
  async usedOn(day: string): Promise<number> {
    return await usedOn(this.run, day)
  }

  /** Payouts whose process died. */
  async findLost(): Promise<string[]> {
    const rows = await this.run<{ id: string }[]>(
      sql`select id from payment_service_payout where ${isLost(this.clock.now())} order by answer_by limit 100`
    )
    return rows.map(({ id }) => id)
  }

  /** Payouts whose refund is to be booked. */
  async findToBeBooked(): Promise<PayoutRow[]> {
    return await this.run(
      sql`select * from payment_service_payout where ${isToBeBooked(this.clock.now())} order by to_book_at limit 20`
    )
  }

  /** Payouts that have been unknown for so long that they need a problem, and have none yet. */
  async findUnknown(sentBefore: Date): Promise<string[]> {
    const rows = await this.run<{ id: string }[]>(
      sql`select p.id from payment_service_payout p where ${isUnknownSince(sentBefore)} order by p.sent_at limit 100`
    )
    return rows.map(({ id }) => id)
  }
}

/** The id comes from an address, into which somebody may have typed a card number. */
const noPayout = (id: string) => notFound("no_payout", withoutCardNumbers(id))
