import { raw, type RunSql, sql, type Sql } from "./sql"

/** Lists are counted up to this number, because counting millions takes longer than showing a page. */
export const MOST_COUNTED = 10_000

/** One page of a list, sorted by one of its columns. */
export interface SortedPage<Column> {
  by: Column
  descending: boolean
  limit: number
  offset: number
}

/** The number of rows that the statement finds, at most `MOST_COUNTED`. */
export async function countRows(run: RunSql, rows: Sql): Promise<number> {
  const [counted] = await run<[{ count: number }]>(
    sql`select count(*)::int as count from (select 1 from (${rows}) one limit ${MOST_COUNTED}) found`
  )
  return counted.count
}

/**
 * All matching rows of a table, newest first, in batches of bounded size. Each batch begins behind the last row of the one before,
 * so none is read twice, and rows that come meanwhile do not shift it.
 *
 * @param condition may call the table `t`
 * @param madeAt the column with the time of a row's making
 */
export async function* newestFirst<Row extends { id: string }>(
  run: RunSql,
  { table, madeAt, condition }: { table: string; madeAt: string; condition: Sql },
  batchSize: number
): AsyncGenerator<Row[], void> {
  const at = raw(madeAt)
  let behind = sql``
  for (;;) {
    const rows = await run<(Row & { exact_time: string })[]>(
      sql`select *, ${at}::text as exact_time from ${raw(table)} t
       where ${condition} ${behind} order by ${at} desc, id desc limit ${batchSize}`
    )
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < batchSize) return
    // A `Date` has milliseconds only, while the column has microseconds.
    behind = sql`and (${at}, id) < (${last.exact_time}::timestamptz, ${last.id})`
  }
}
