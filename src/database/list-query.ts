import { empty, join, raw, sql, type Sql, Statements } from "./sql"

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

/** Any other value than SQL stands for a condition that is not asked for. */
type Condition = Sql | undefined | false | null

/** A list of one table's rows. Texts of SQL are parts of statements, and never a value from outside. */
export abstract class ListQuery<
  Row extends { id: string },
  Filter,
  Column extends string,
> extends Statements {
  protected abstract readonly from: string
  protected abstract readonly madeAt: string
  protected abstract readonly sortedBy: Record<Column, string | Sql>
  /** The columns of `sortedBy` without a value in some rows. */
  protected readonly nullable: Column[] = []
  protected abstract conditions(filter: Filter): Condition[]

  /** Rows without the value that the list is sorted by come last either way; equal ones are sorted by when they were made. */
  async page(filter: Filter, { order, limit, offset = 0 }: Page<Column>): Promise<Row[]> {
    const { by, descending } = sortOf(order)
    const direction = raw(descending ? "desc" : "asc")
    // For a column that always has a value, only a statement that says nothing about nulls can use its index.
    const nulls = raw(this.nullable.includes(by) ? "nulls last" : "")
    return await this.run`select * from ${this.found(filter)}
      order by ${toSql(this.sortedBy[by])} ${direction} ${nulls}, ${raw(this.madeAt)} ${direction}, id ${direction}
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

  /** All matching rows, newest first, in batches. Each begins behind the last row of the one before, so none is read twice. */
  async *all(filter: Filter, batchSize: number): AsyncGenerator<Row[], void> {
    const madeAt = raw(this.madeAt)
    let behind = empty
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
    const conditions = this.conditions(filter).filter(isAsked)
    return sql`${raw(this.from)} where ${join(conditions, " and ")}`
  }
}

/** The condition that a column has this value or one of these; undefined when none is asked for. */
export function isAmong(column: string, values: string | string[]): Sql
export function isAmong(column: string, values: string | string[] | undefined): Sql | undefined
export function isAmong(column: string, values: string | string[] | undefined) {
  if (values === undefined) return undefined
  return values.length ? sql`${raw(column)} in (${join([values].flat())})` : NOTHING
}

/** The condition that one of those asked for holds; without any, none does. */
export function isAny(conditions: Condition[]): Sql {
  const asked = conditions.filter(isAsked)
  return asked.length ? sql`(${join(asked, " or ")})` : NOTHING
}

const NOTHING = raw("false")

const toSql = (text: string | Sql) => (typeof text === "string" ? raw(text) : text)

const isAsked = (condition: Condition): condition is Sql => Boolean(condition)
