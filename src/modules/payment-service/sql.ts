import sqlTag, { empty, join, raw, type RawValue, Sql } from "sql-template-tag"

/** A value in a statement: the driver takes dates, too, which the library's own type leaves out. */
type Value = string | number | boolean | Date | null | Sql

/** A piece of SQL with its values where they are used. A `?` in its text would be taken for one of them. */
export const sql = sqlTag as (text: TemplateStringsArray, ...values: Value[]) => Sql

/** Runs one SQL statement in its own transaction. */
export type RunSql = <T>(statement: Sql) => Promise<T>

/** Runs statements in one transaction, each of which sees all that is committed when it begins. */
export type InTransaction = <T>(work: (run: RunSql) => Promise<T>) => Promise<T>

/** `a = ?, b = ?` for an object whose keys are names of columns; an undefined value leaves its column out. */
export function assignments(columns: Record<string, Value | undefined>): Sql {
  const given = Object.entries(columns).flatMap(([name, value]) =>
    value === undefined ? [] : sql`${raw(name)} = ${value}`
  )
  return join(given, ", ")
}

/** `(a, b) select ?, ?` for an object whose keys are names of columns. */
export function columnsAndValues(columns: Record<string, Value>): Sql {
  return sql`(${raw(Object.keys(columns).join(", "))})
    select ${join(Object.values(columns) as RawValue[])}`
}

/**
 * A value as Postgres takes it for `jsonb`: it refuses a NUL and half of a pair of surrogates, which a text from outside
 * has when it was cut there, and what it refuses would never be recorded.
 */
export function jsonb(value: unknown): Sql {
  return sql`${storableJson(value)}::jsonb`
}

/** The text of `jsonb`. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === "string" ? part.replace(/\0|\p{Surrogate}/gu, "\uFFFD") : part
  )
}

export { empty, join, raw, type RawValue, Sql }
