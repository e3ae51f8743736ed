import { join, raw, type RunSql, sql, type Sql } from "./sql"

/** Lists are counted up to this number, because counting all rows takes longer than showing a page. */
export const MOST_COUNTED = 10_000

/** One page of a list. `order` is a column; with `-` before it, the largest or latest comes first. */
interface Page<Column extends string> {
  order: Column | `-${Column}`
  limit: number
  offset?: number
}

export function sortOf<Column extends string>(order: Column | `-${Column}`) {
  return { by: order.replace("-", "") as Column, descending: order.startsWith("-") }
}

/** Selects rows that have this value, or one of these, in each of these columns. */
export type Among<Column extends string> = Partial<Record<Column, string | string[]>>

/** A condition; undefined, or another value that is not true, for what is not asked. */
type Condition = Sql | undefined | false | null

/** Describes a list: its table, the columns by which it may be sorted, and the conditions that a filter stands for. */
interface ListDescription<Filter, Column extends string> {
  /** The table and its alias. */
  from: Sql
  /** The time when a row was made. */
  madeAt: Sql
  sortedBy: Record<Column, Sql>
  /** The columns of `sortedBy` without a value in some rows. */
  nullable: Column[]
  /** The conditions that every row of the list meets. */
  conditions: (filter: Filter) => Condition[]
}

export class ListQuery<Row extends { id: string }, Filter, Column extends string> {
  constructor(
    protected readonly run: RunSql,
    private readonly list: ListDescription<Filter, Column>
  ) {}

  /** Rows without the value that the list is sorted by come last either way; equal ones are sorted by when they were made. */
  async page(filter: Filter, { order, limit, offset = 0 }: Page<Column>): Promise<Row[]> {
    const { sortedBy, nullable, madeAt } = this.list
    const { by, descending } = sortOf(order)
    const direction = raw(descending ? "desc" : "asc")
    // For a column that always has a value, only a statement that says nothing about nulls can use its index.
    const nulls = raw(nullable.includes(by) ? "nulls last" : "")
    return await this.run`select * from ${this.found(filter)}
      order by ${sortedBy[by]} ${direction} ${nulls}, ${madeAt} ${direction}, id ${direction}
      limit ${limit} offset ${offset}`
  }

  /** Their number, at most `MOST_COUNTED`. */
  async count(filter: Filter): Promise<number> {
    const [counted] = await this.run<[{ count: number }]>`
      select count(*)::int as count from (select 1 from ${this.found(filter)} limit ${MOST_COUNTED}) found`
    return counted.count
  }

  async pageAndCount(filter: Filter, page: Page<Column>): Promise<[Row[], number]> {
    return await Promise.all([this.page(filter, page), this.count(filter)])
  }

  /**
   * All matching rows, newest first, in batches of bounded size. Each batch begins behind the last row of the one before, so none
   * is read twice, and rows that come meanwhile do not shift it.
   */
  async *all(filter: Filter, batchSize: number): AsyncGenerator<Row[], void> {
    const { madeAt } = this.list
    let behind = sql``
    for (;;) {
      const rows = await this.run<(Row & { exact_time: string })[]>`
        select *, ${madeAt}::text as exact_time from ${this.found(filter)} ${behind}
        order by ${madeAt} desc, id desc limit ${batchSize}`
      const last = rows.at(-1)
      if (!last) return
      yield rows
      if (rows.length < batchSize) return
      // A `Date` has milliseconds only, while the column has microseconds.
      behind = sql`and (${madeAt}, id) < (${last.exact_time}::timestamptz, ${last.id})`
    }
  }

  protected found(filter: Filter): Sql {
    const conditions = this.list.conditions(filter).filter(isAsked)
    return sql`${this.list.from} where ${join(conditions, " and ")}`
  }
}

/** The condition that a column has this value or one of these; undefined when none is asked for. */
export function isAmong(column: Sql, values: string | string[]): Sql
export function isAmong(column: Sql, values: string | string[] | undefined): Sql | undefined
export function isAmong(column: Sql, values: string | string[] | undefined) {
  if (values === undefined) return undefined
  return values.length ? sql`${column} in (${join([values].flat())})` : sql`false`
}

/** The condition that one of those asked for holds; without any, none does. */
export function isAny(conditions: Condition[]): Sql {
  const asked = conditions.filter(isAsked)
  return asked.length ? sql`(${join(asked, " or ")})` : sql`false`
}

const isAsked = (condition: Condition): condition is Sql => Boolean(condition)
