import { raw, sql, Statements } from "../../database/sql"
import type { StoreOptions } from "../../settings/options"

export type CreationLimits = StoreOptions["creationLimits"]
export type CreationLimit = keyof CreationLimits

/** The payer of a new payment in a payment collection; null where one is unknown. */
export interface Opener {
  collection: string
  payer: string | null
  /** A digest of the address, never the address itself. */
  address: string | null
}

/** A window begins with a payment; the first one after its end begins the next window. */
export const WINDOW = raw("interval '10 minutes'")

/**
 * Limits how often payments are opened: a script must not flood the service in the merchant's name. Each limit has a counter that a
 * statement raises only below the limit, so the limits hold exactly across all instances. What came to nothing is taken out again.
 */
export class CreationCounts extends Statements {
  /** Counts a shopper's choice of a way to pay, also of the payment that is open; returns whether it is below the limit. */
  async countChoice(collection: string, { perCart }: CreationLimits): Promise<boolean> {
    return await this.raise(choicesOf(collection), perCart)
  }

  async giveBackChoice(collection: string): Promise<void> {
    await this.lower([choicesOf(collection)])
  }

  /**
   * Counts a payment that the service is about to be asked for. The first one of a cart or order is counted and never refused,
   * because others may have used up the limits, with another's e-mail address for example.
   *
   * @returns the limit that it would break, or null; a refused one counts nowhere
   */
  async countCreation(opener: Opener, limits: CreationLimits): Promise<CreationLimit | null> {
    const now = this.clock.now()
    const isFirst = sql`not exists (
      select from payment_service_transaction
      where payment_collection_id = ${opener.collection} and transaction_id is not null
        and opened_at > ${now}::timestamptz - ${WINDOW} and deleted_at is null)`
    const raised: string[] = []
    for (const { limit, id } of countersOf(opener)) {
      if (!(await this.raise(id, limits[limit], isFirst))) {
        await this.lower(raised)
        return limit
      }
      raised.push(id)
    }
    return null
  }

  async giveBackCreation(opener: Opener): Promise<void> {
    await this.lower(countersOf(opener).map(({ id }) => id))
  }

  /** Raises a counter that is below its limit, or in any case; returns whether it did. */
  private async raise(id: string, limit: number, inAnyCase = raw("false")): Promise<boolean> {
    const isOver = sql`counter.since <= excluded.since - ${WINDOW}`
    const raised = await this.run<unknown[]>`
      insert into payment_service_creation_count as counter (id, since, count)
      select ${id}, ${this.clock.now()}::timestamptz, 1
      on conflict (id) do update set
        count = case when ${isOver} then 1 else counter.count + 1 end,
        since = case when ${isOver} then excluded.since else counter.since end
      where ${isOver} or counter.count < ${limit} or ${inAnyCase}
      returning id`
    return raised.length > 0
  }

  /** If the process dies first, the counters stay one too high until their window is over. */
  private async lower(ids: string[]): Promise<void> {
    // One statement per counter: a single one would lock them in any order, and two of those could deadlock.
    for (const id of ids) {
      await this.run`
        update payment_service_creation_count set count = count - 1 where count > 0 and id = ${id}`
    }
  }
}

const choicesOf = (collection: string) => `collection:${collection}`

/** The narrowest limit comes first, so that refusals of one payer use up none of the store's limit. */
function countersOf({ payer, address }: Opener): { limit: CreationLimit; id: string }[] {
  return [
    ...(payer ? [{ limit: "perPayer" as const, id: `payer:${payer}` }] : []),
    ...(address ? [{ limit: "perAddress" as const, id: `address:${address}` }] : []),
    { limit: "perStore", id: "store" },
  ]
}
