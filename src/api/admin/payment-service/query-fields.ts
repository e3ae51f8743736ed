import type { MedusaRequest } from "@medusajs/framework/http"
import { z } from "@medusajs/framework/zod"

import { isTimeZone } from "../../../settlement/local-days"

/** Query fields that several of our lists share. */

const MOST_ROWS = 200
const LONGEST_SEARCH = 200

/** One value or several: `state=paid`, `state[]=paid&state[]=expired`. */
export const oneOrMany = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .union([schema, z.array(schema).min(1).max(50)])
    .transform((value) => [value].flat() as z.output<Schema>[])

/** One of these names or several, in the field of this name. Core's own message about a wrong one names no right ones. */
export const oneOrManyOf = <Name extends string>(field: string, names: readonly Name[]) =>
  oneOrMany(z.string()).transform((given, context): Name[] => {
    const isName = (text: string): text is Name => (names as readonly string[]).includes(text)
    const wrong = given.find((text) => !isName(text))
    if (wrong !== undefined) {
      const message = `\`${field}\` must be one of ${names.join(", ")}, not ${wrong}`
      context.addIssue({ code: "custom", message })
    }
    return given.filter(isName)
  })

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

export const TrueOrFalse = z.enum(["true", "false"]).transform((text) => text === "true")

export const paging = {
  limit: z.coerce.number().int().min(1).max(MOST_ROWS).default(20),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
}

/** The query of a list without filters. */
export type PageQuery = z.output<typeof PageQuery>
export const PageQuery = z.strictObject(paging)

/** Names of columns; `-` before one sorts the largest or latest first. */
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

/** The account whose merchant is asked; by default all merchants. */
export type AccountQuery = z.output<typeof AccountQuery>
export const AccountQuery = z.strictObject({ account: z.string().optional() })

/** The account that a body names, see `AccountQuery`. */
export type AccountBody = z.output<typeof AccountBody>
export const AccountBody = z.strictObject({ account: z.string().min(1).max(200).optional() })

/** The sorting of a `sortedBy` value. Core requires that `order` stays a text in the query. */
export function sortOf<Column extends string>(order: Column | `-${Column}`) {
  return { by: order.replace("-", "") as Column, descending: order.startsWith("-") }
}

/** The query in its schema's type. Core's type declares every query's `order` as plain text. */
export function queryOf({ validatedQuery }: MedusaRequest): object {
  return validatedQuery
}
