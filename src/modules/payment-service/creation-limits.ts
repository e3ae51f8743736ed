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

/** The row of a creation, or the limit that it would break. */
export type Counted<Row> = { row: Row; refusal: null } | { row: null; refusal: CreationLimit }

/** A window begins with a creation; the first creation after its end begins the next one. */
const WINDOW = sql`interval '10 minutes'`

/**
 * Limits how many payments are opened at the service: carts cost nothing, and a script that fills one after the other must not
 * flood the service in the merchant's name. Each limit has a counter that a statement raises only below the limit, so the limits
 * hold exactly across all instances.
 */
export class CreationCounts {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /**
   * Counts a creation that is about to be made and writes its row, in one statement.
   *
   * @param insert inserts the row with its values selected `from` the given source, and returns it
   * @returns the row, or the refusal: a refused creation is neither counted nor written
   */
  async countOne<Row extends object>(
    opener: Opener,
    limits: CreationLimits,
    insert: (from: Sql) => Sql
  ): Promise<Counted<Row>> {
    const now = this.clock.now()
    const counters = countersOf(opener)
    const raised = counters.map(({ limit, id }, index) => raise(index, id, now, limits[limit]))
    const passedOnes = counters.map((_, index) => sql`(select count(*) from ${counted(index)})`)
    const [found] = await this.run<[Row & { passed: number }]>(
      sql`with ${join(raised)}, written as (${insert(counted(counters.length - 1))})
       select (${join(passedOnes, " + ")})::int as passed, written.*
       from (select) as always left join written on true`
    )
    const refusing = counters[found.passed]
    if (!refusing) return { row: found, refusal: null }
    await this.giveBack(counters.slice(0, found.passed).map(({ id }) => id))
    return { row: null, refusal: refusing.limit }
  }

  /** Deletes counters whose window is over; the next creation would begin a new window anyway. */
  async forgetOld(): Promise<void> {
    await this.run(
      sql`delete from payment_service_creation_count where since < ${this.clock.now()}::timestamptz - ${WINDOW}`
    )
  }

  /** Lowers counters again. If the process dies first, they stay one too high until their window is over. */
  private async giveBack(ids: string[]): Promise<void> {
    // One statement per counter: a single one would lock them in any order, and two of those could deadlock.
    for (const id of ids) {
      await this.run(
        sql`update payment_service_creation_count set count = count - 1 where count > 0 and id = ${id}`
      )
    }
  }
}

/** The narrowest limit comes first, so that refusals of one payer use up none of the store's limit. */
function countersOf({ cart, payer, address }: Opener): { limit: CreationLimit; id: string }[] {
  return [
    { limit: "perCart", id: `cart:${cart}` },
    ...(payer ? [{ limit: "perPayer" as const, id: `payer:${payer}` }] : []),
    ...(address ? [{ limit: "perAddress" as const, id: `address:${address}` }] : []),
    { limit: "perStore", id: "store" },
  ]
}

const counted = (index: number) => raw(`counted_${index}`)

/** Raises a counter that is below its limit, if all counters before it were raised. */
function raise(index: number, id: string, now: Date, limit: number): Sql {
  const isOver = sql`counter.since <= excluded.since - ${WINDOW}`
  return sql`${counted(index)} as (
    insert into payment_service_creation_count as counter (id, since, count)
    select ${id}, ${now}::timestamptz, 1 ${index > 0 ? sql`from ${counted(index - 1)}` : empty}
    on conflict (id) do update set
      count = case when ${isOver} then 1 else counter.count + 1 end,
      since = case when ${isOver} then excluded.since else counter.since end
    where ${isOver} or counter.count < ${limit}
    returning id)`
}
