import type { Clock } from "./clock"
import type { StoreOptions } from "./option-schema"
import { empty, join, raw, type RunSql, sql, Sql } from "./sql"

export type CreationLimits = StoreOptions["creationLimits"]
export type CreationLimit = keyof CreationLimits

/** The subject and the payer of a new payment; null where one is unknown. */
export interface Opener {
  /** Id of the cart, or of the payment collection where there is no cart. */
  cart: string
  payer: string | null
  /** A digest of the address, never the address itself. */
  address: string | null
}

/** A window begins with a creation; the first creation after its end begins the next one. */
const WINDOW = sql`interval '10 minutes'`

/**
 * Limits how often payments are opened, anew or again: a script must not flood the service in the merchant's name. Each limit has a
 * counter that a statement raises only below the limit, so the limits hold exactly across all instances. The first payment of a cart
 * raises all of them whatever they say, because everybody can fill carts under another's e-mail address.
 */
export class CreationCounts {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /**
   * Counts a payment that is about to be opened.
   *
   * @returns the limit that it would break, or null; then it counts nowhere
   */
  async count(opener: Opener, limits: CreationLimits): Promise<CreationLimit | null> {
    const now = this.clock.now()
    const counters = countersOf(opener)
    const raised = counters.map(({ limit, id }, index) => raise(index, id, now, limits[limit]))
    const passedOnes = counters.map((_, index) => sql`(select count(*) from ${counted(index)})`)
    const [{ passed }] = await this.run<[{ passed: number }]>(
      sql`with ${join(raised)} select (${join(passedOnes, " + ")})::int as passed`
    )
    const refusing = counters[passed]
    if (!refusing) return null
    await this.lower(counters.slice(0, passed))
    return refusing.limit
  }

  /** Takes a payment out of the count that the service has not made. */
  async giveBack(opener: Opener): Promise<void> {
    await this.lower(countersOf(opener))
  }

  /** Deletes counters whose window is over; the next creation would begin a new window anyway. */
  async forgetOld(): Promise<void> {
    await this.run(
      sql`delete from payment_service_creation_count where since < ${this.clock.now()}::timestamptz - ${WINDOW}`
    )
  }

  /** If the process dies first, the counters stay one too high until their window is over. */
  private async lower(counters: Counter[]): Promise<void> {
    // One statement per counter: a single one would lock them in any order, and two of those could deadlock.
    for (const { id } of counters) {
      await this.run(
        sql`update payment_service_creation_count set count = count - 1 where count > 0 and id = ${id}`
      )
    }
  }
}

interface Counter {
  limit: CreationLimit
  id: string
}

/** The narrowest limit comes first, so that refusals of one payer use up none of the store's limit. */
function countersOf({ cart, payer, address }: Opener): Counter[] {
  return [
    { limit: "perCart", id: `cart:${cart}` },
    ...(payer ? [{ limit: "perPayer" as const, id: `payer:${payer}` }] : []),
    ...(address ? [{ limit: "perAddress" as const, id: `address:${address}` }] : []),
    { limit: "perStore", id: "store" },
  ]
}

const counted = (index: number) => raw(`counted_${index}`)

/** Raises a counter that is below its limit, or for a cart's first payment, if all counters before it were raised. */
function raise(index: number, id: string, now: Date, limit: number): Sql {
  const isOver = sql`counter.since <= excluded.since - ${WINDOW}`
  const isFirst = index > 0 ? sql`or (select count from ${counted(0)}) = 1` : empty
  return sql`${counted(index)} as (
    insert into payment_service_creation_count as counter (id, since, count)
    select ${id}, ${now}::timestamptz, 1 ${index > 0 ? sql`from ${counted(index - 1)}` : empty}
    on conflict (id) do update set
      count = case when ${isOver} then 1 else counter.count + 1 end,
      since = case when ${isOver} then excluded.since else counter.since end
    where ${isOver} or counter.count < ${limit} ${isFirst}
    returning count)`
}
