import type { MedusaRequest } from "@medusajs/framework/http"
import { z } from "@medusajs/framework/zod"

import { isTimeZone } from "../../../settlement/local-days"

/** Fields that several lists of ours take in their query. */

const MOST_ROWS = 200
const LONGEST_SEARCH = 200

/** One value or several: `state=paid`, `state[]=paid&state[]=expired`. */
export const oneOrMany = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .union([schema, z.array(schema).min(1).max(50)])
    .transform((value) => [value].flat() as z.output<Schema>[])

export const SearchText = z.string().trim().max(LONGEST_SEARCH).optional()

export const Moment = z.iso
  .datetime({
    offset: true,
    error: "A moment such as `from` or `to` must be a date and time in ISO 8601",
  })
  .transform((text) => new Date(text))

export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, "`time_zone` must be a time zone such as Europe/Moscow")
  .default("UTC")

export const paging = {
  limit: z.coerce.number().int().min(1).max(MOST_ROWS).default(20),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
}

/** Names of columns, with `-` before one for the largest or latest first. */
export function sortedBy<Column extends string>(
  columns: Record<Column, unknown>,
  byDefault: `-${Column}`
) {
  const names = Object.keys(columns) as Column[]
  return z
    .enum([...names, ...names.map((column): `-${Column}` => `-${column}`)])
    .optional()
    .transform((order): Column | `-${Column}` => order ?? byDefault)
}

/** How a value of `sortedBy` sorts. Core wants `order` to stay a text in the query. */
export function sortOf<Column extends string>(order: Column | `-${Column}`) {
  return { by: order.replace("-", "") as Column, descending: order.startsWith("-") }
}

/** The query as its schema has read it. Core types every query's `order` as a text of its own. */
export function queryOf({ validatedQuery }: MedusaRequest): object {
  return validatedQuery
}
