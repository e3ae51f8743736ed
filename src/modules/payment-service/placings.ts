import type { RunSql } from "./leases"

/** In one pass. */
const MOST_UNFINISHED = 20

/** In SQL: a mark that has been there for longer than core works on a completion. */
export const UNFINISHED =
  "placing_at < now() - interval '3 minutes' and cart_id is not null and deleted_at is null"

/** When a completion began, and by what the order that core makes then can be told. */
export interface Mark {
  placing_at: Date
  placing_of: Record<string, unknown>
}

export interface Placing extends Mark {
  id: string
  cart_id: string
}

/** Which carts core is completing right now, or was when its process died: marks on the rows of transactions. */
export class Placings {
  constructor(private readonly run: RunSql) {}

  /**
   * Marks that core is about to complete a cart with this transaction. A mark that is there stays.
   *
   * @returns the first mark of the cart that another completion has left, or still needs
   */
  async begin(row: Pick<Placing, "id" | "cart_id">, mark: Mark): Promise<Mark | null> {
    const [before] = await this.run<Mark[]>(
      `with marked as (
         update payment_service_transaction set placing_at = ?, placing_of = ?::jsonb
         where id = ? and placing_at is null)
       select placing_at, placing_of from payment_service_transaction
       where cart_id = ? and placing_at is not null and deleted_at is null
       order by placing_at limit 1`,
      [mark.placing_at, JSON.stringify(mark.placing_of), row.id, row.cart_id]
    )
    return before ?? null
  }

  /** The first mark of a cart. */
  async find(cartId: string): Promise<Mark | null> {
    const [first] = await this.run<Mark[]>(
      `select placing_at, placing_of from payment_service_transaction
       where cart_id = ? and placing_at is not null and deleted_at is null
       order by placing_at limit 1`,
      [cartId]
    )
    return first ?? null
  }

  /** Marks that have been there for longer than core works on a completion. */
  async findUnfinished(): Promise<Placing[]> {
    return await this.run(
      `select id, cart_id, placing_at, placing_of from payment_service_transaction
       where ${UNFINISHED}
       order by placing_at limit ?`,
      [MOST_UNFINISHED]
    )
  }

  /** The completion with this mark has ended, or left nothing any more. */
  async end(cartId: string, { placing_at }: Pick<Mark, "placing_at">): Promise<void> {
    await this.run(
      `update payment_service_transaction set placing_at = null, placing_of = null
       where cart_id = ? and placing_at = ? and deleted_at is null`,
      [cartId, placing_at]
    )
  }
}
