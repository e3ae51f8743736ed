import sqlTag, { empty, join, raw, type RawValue, Sql } from "sql-template-tag"

import type { Tables } from "../modules/payment-service/tables"
import type { Clock } from "./clock"

/** A value in a statement. The driver accepts dates, too, which the library's own type lacks. */
type Value = string | number | boolean | Date | null | Sql

/** A piece of SQL with its values in place. Its text must not contain `?`, which would be read as a value. */
export const sql = sqlTag as (text: TemplateStringsArray, ...values: Value[]) => Sql

/** Runs one SQL statement in its own transaction, with the values in place: `run` followed by the text, or a piece of SQL. */
export interface RunSql {
  <T>(text: TemplateStringsArray, ...values: Value[]): Promise<T>
  <T>(statement: Sql): Promise<T>
}

export function runnerOf(execute: <T>(statement: Sql) => Promise<T>): RunSql {
  return <T>(text: TemplateStringsArray | Sql, ...values: Value[]) =>
    execute<T>(text instanceof Sql ? text : sql(text, ...values))
}

/** The parts that statements need. Within a transaction, `run` is the transaction's. */
export interface Database {
  run: RunSql
  /** Like `run`, but long values are sent beside the statement, which must state their types: MikroORM writes them into it slowly. */
  runLong: RunSql
  /** Runs statements in one transaction; each sees everything that was committed before its own beginning. */
  inTransaction: <T>(work: (run: RunSql) => Promise<T>) => Promise<T>
  /** The methods that Medusa makes for each table. */
  tables: Tables
  clock: Clock
}

export abstract class Statements {
  protected readonly run: RunSql
  protected readonly clock: Clock

  constructor(protected readonly database: Database) {
    this.run = database.run
    this.clock = database.clock
  }
}

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

export const beginsWith = (text: string, beginning: string) =>
  sql`${raw(text)} like ${`${withoutWildcards(beginning)}%`}`

/** A text of which `like` takes every character for itself. */
export const withoutWildcards = (text: string) => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

/** Whether Postgres takes a text: neither a NUL nor half of a surrogate pair may be in it. */
export const isStorable = (text: string) => !/\0|\p{Surrogate}/u.test(text)

/** A value for `jsonb`. Postgres refuses a NUL and half of a surrogate pair, which a cut text may contain, so both are replaced. */
export function jsonb(value: unknown): Sql {
  const json = JSON.stringify(value, (_name, part: unknown) =>
    typeof part === "string" ? part.replace(/\0|\p{Surrogate}/gu, "\uFFFD") : part
  )
  return sql`${json}::jsonb`
}

export { empty, join, raw, Sql }
