import { join, jsonb, raw, sql, Sql, Statements } from "../../database/sql"
import type { TransactionRow } from "../../modules/payment-service/tables"
import { OLD_COMPLETION_MS } from "../rules/timing"
import { PAID_AND_NOT_HANDLED } from "./rules-in-sql"

/** The metadata key of the completion's id, in a cart and then in its order. */
export const COMPLETION_ID = "payment_service_completion_id"

const MOST_UNFINISHED = 20

/** One attempt of core to complete a cart. */
export interface Completion {
  /** ISO 8601. */
  beganAt: string
  /** Random. Core copies it, with the cart's metadata, to the order that it makes. */
  id: string
  /** Whether the cart is held until the payment is booked, too. */
  isHeld: boolean
  /** Core has asked us for the payment, its last step: the order has everything else. */
  isAsked: boolean
  /** A person was told of the order that it left, which is not linked to the cart: the watcher leaves it alone. */
  isReported?: true
}

/** The mark on a row while core completes its cart. */
export interface CompletionMark {
  id: string
  cart_id: string
  payment_collection_id: string
  completion: Completion
  /** Whether the mark is older than the longest completion. */
  isOld: boolean
}

/** Marks that began before are older than the longest completion. */
const oldSince = (now: Date) => new Date(now.getTime() - OLD_COMPLETION_MS).toISOString()

/** SQL condition: the mark is older than the longest completion. */
const isOldMark = (now: Date): Sql => sql`completion ->> 'beganAt' < ${oldSince(now)}`
/**
 * SQL condition: core may be completing the cart of the row `t`. The mark may stand on another transaction of the cart, whose
 * completion this one has taken over.
 */
export const isBeingCompleted = (now: Date): Sql =>
  sql`exists (select 1 from payment_service_transaction m where m.deleted_at is null and m.completion is not null
    and (m.id = t.id or m.cart_id = t.cart_id)
    and m.completion ->> 'beganAt' >= ${oldSince(now)})`
/** SQL condition: the row has an old mark. */
export const isUnfinished = (now: Date): Sql =>
  sql`completion is not null and ${isOldMark(now)} and completion ->> 'isReported' is null
    and cart_id is not null and deleted_at is null`

const MARK = raw("id, cart_id, payment_collection_id, completion")

/** Marks on rows of transactions whose cart core is completing, or was completing when its process died. */
export class CompletionMarks extends Statements {
  /**
   * Marks that core is about to complete a cart with this transaction, and writes the completion's id to the cart's metadata. One
   * statement does both, because no change by a storefront in between may be lost. A mark that the cart has already is taken over
   * with its id: the order has that id, whichever of the two makes it, and the other one cannot end the mark any more.
   */
  async begin(
    row: { id: string; cart_id: string },
    { id, isHeld }: Pick<Completion, "id" | "isHeld">
  ): Promise<CompletionMark> {
    const begun = { beganAt: this.clock.now().toISOString(), isHeld }
    const [mark] = await this.run<[CompletionMark]>`
      with of_cart as (
        select id from payment_service_transaction
        where cart_id = ${row.cart_id} and completion is not null and deleted_at is null),
      marked as (
        update payment_service_transaction
        set completion = coalesce(completion, ${jsonb({ id, isAsked: false })}) || ${jsonb(begun)}
        where id in (select id from of_cart) or (id = ${row.id} and not exists (select 1 from of_cart))
        returning ${MARK}, false as "isOld"),
      named as (
        update cart set metadata = case when jsonb_typeof(metadata) = 'object' then metadata else '{}' end ||
          (select jsonb_build_object(${COMPLETION_ID}::text, completion ->> 'id') from marked limit 1)
        where id = ${row.cart_id})
      select * from marked`
    return mark
  }

  /** Notes something about the completion of a cart that is marked. */
  async note(cartId: string, what: Pick<Completion, "isAsked"> | Pick<Completion, "isReported">) {
    await this.run`update payment_service_transaction set completion = completion || ${jsonb(what)}
      where cart_id = ${cartId} and completion is not null and deleted_at is null`
  }

  /** The marks of a cart; more than one only when two of its transactions began at the same moment. */
  async find(cartId: string): Promise<CompletionMark[]> {
    return await this.run<CompletionMark[]>`
      select ${MARK}, ${isOldMark(this.clock.now())} as "isOld"
      from payment_service_transaction
      where cart_id = ${cartId} and completion is not null and deleted_at is null
      order by completion ->> 'beganAt'`
  }

  /** Carts with marks that are older than the longest completion. */
  async findUnfinished(): Promise<string[]> {
    const rows = await this.run<{ cart_id: string }[]>`
      select cart_id from payment_service_transaction
      where ${isUnfinished(this.clock.now())}
      order by completion ->> 'beganAt' limit ${MOST_UNFINISHED}`
    return [...new Set(rows.map(({ cart_id }) => cart_id))]
  }

  /** Removes the mark of a completion that has ended, unless another one has taken it over. */
  async end({ id, completion }: Pick<CompletionMark, "id" | "completion">): Promise<void> {
    await this.run`update payment_service_transaction set completion = null
      where id = ${id} and completion ->> 'id' = ${completion.id}
        and completion ->> 'beganAt' = ${completion.beganAt}`
  }

  /** Records that `order.placed` was emitted, and removes the marks. Returns the unhandled paid rows, as they were before. */
  async recordOrderPlaced(
    orderId: string,
    paymentCollectionIds: string[]
  ): Promise<TransactionRow[]> {
    return await this.run`
      with placed as (
        update payment_service_transaction set order_id = coalesce(order_id, ${orderId}), updated_at = now(),
          completion = null
        where payment_collection_id in (${join(paymentCollectionIds)})
          and (order_id is null or completion is not null) and deleted_at is null)
      select * from payment_service_transaction t
      where payment_collection_id in (${join(paymentCollectionIds)}) and ${PAID_AND_NOT_HANDLED}
        and deleted_at is null`
  }
}
