import { generateEntityId } from "@medusajs/framework/utils"

import type { CreatedTransaction } from "../../service/client"
import type { Clock } from "./clock"
import type { RunSql } from "./leases"
import type { TransactionRow } from "./tables"

/** Nobody pays faster than this. */
const FIRST_WATCH_MS = 5_000

/** What a transaction is opened for, before the service knows of it. */
export type NewTransaction = Pick<
  TransactionRow,
  | "account"
  | "base_url"
  | "merchant_id"
  | "method"
  | "provider_id"
  | "session_id"
  | "return_session_id"
  | "payment_collection_id"
  | "cart_id"
  | "order_id"
  | "customer_id"
  | "amount"
  | "medusa_amount"
  | "currency"
>

/** How rows of transactions come to be. */
export class Openings {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /**
   * What concerns whoever wants to pay in these collections.
   *
   * @param order the collections are an order's: what it has got is no hindrance when it is owed more by now
   * @returns `paid`: one that is paid and that no person has taken care of; `watched`: the latest that may still
   * be paid, newest first
   */
  async findIn(
    collectionIds: string[],
    { isOrder, most }: { isOrder: boolean; most: number }
  ): Promise<{ paid: TransactionRow | null; watched: TransactionRow[] }> {
    const isPaid = `paid_at is not null and handled_at is null
      ${isOrder ? "and (settled_at is null or exception is not null)" : ""}`
    const found = await this.run<(TransactionRow & { is_paid: boolean })[]>(
      `select *, coalesce(${isPaid}, false) as is_paid from payment_service_transaction
       where payment_collection_id in (${collectionIds.map(() => "?").join(", ")}) and deleted_at is null
         and ((${isPaid}) or (state in ('pending', 'canceled', 'expired') and watch_at is not null))
       order by is_paid desc, opened_at desc limit ?`,
      [...collectionIds, most]
    )
    return {
      paid: found.find(({ is_paid }) => is_paid) ?? null,
      watched: found.filter(({ is_paid }) => !is_paid),
    }
  }

  /** Before the service is asked for it: a transaction that is made there is in our books, whatever happens. */
  async write(transaction: NewTransaction): Promise<TransactionRow> {
    const columns = {
      id: generateEntityId("", "pstx"),
      ...transaction,
      opened_at: this.clock.now(),
    }
    const [row] = await this.run<[TransactionRow]>(
      `insert into payment_service_transaction (${Object.keys(columns).join(", ")})
       values (${Object.keys(columns)
         .map(() => "?")
         .join(", ")}) returning *`,
      Object.values(columns)
    )
    return row
  }

  /** The service has made it. */
  async recordCreated(rowId: string, created: CreatedTransaction): Promise<TransactionRow> {
    const now = this.clock.now().getTime()
    const { transactionId, expiresInSeconds } = created
    const [row] = await this.run<[TransactionRow]>(
      `update payment_service_transaction set state = 'pending', watch_at = ?, status = ?,
         transaction_id = ?, transaction_key = ?, redirect = ?, usdt_rate = ?, expires_at = ?,
         updated_at = now()
       where id = ? returning *`,
      [
        new Date(now + FIRST_WATCH_MS),
        created.status,
        transactionId,
        transactionId.toLowerCase(),
        created.redirect,
        created.usdtRate === null ? null : String(created.usdtRate),
        expiresInSeconds === null ? null : new Date(now + expiresInSeconds * 1000),
        rowId,
      ]
    )
    return row
  }

  /** The service has not made it, or nobody knows. */
  async recordFailed(rowId: string, state: "refused" | "unknown"): Promise<void> {
    await this.run(
      "update payment_service_transaction set state = ?, updated_at = now() where id = ?",
      [state, rowId]
    )
  }
}
