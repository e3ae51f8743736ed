import { z } from "@medusajs/framework/zod"

import { RECORDS_SORTED_BY } from "../../../../workflows/listings/list-records"
import {
  Moment,
  oneOrMany,
  paging,
  SearchText,
  sortedBy,
  TimeZone,
  TrueOrFalse,
} from "../query-fields"

/** A label of `export.statusCodes` or `export.methodCodes`, or a numeric code. */
const Code = z.string().min(1).max(100)

/** The filters of the service's records. */
export const recordFilters = {
  /** The account whose merchant's records are listed; by default the first one. */
  account: z.string().optional(),
  from: Moment,
  to: Moment,
  time_zone: TimeZone,
  /** The statuses and methods that the service is asked for. */
  status: oneOrMany(Code).optional(),
  method: oneOrMany(Code).optional(),
  /** Part of an id, a payload or a description, the amount, or an order's number, e-mail address or id of this store. */
  q: SearchText,
  /** Only records with a transaction of this store, or only those without one. */
  known: TrueOrFalse.optional(),
  /** Only records with one of these statuses, as they have it; unlike `status`, it asks the service for nothing else. */
  status_name: oneOrMany(z.string().min(1).max(200)).optional(),
  order: sortedBy(RECORDS_SORTED_BY, "-created_at"),
}

export type RecordsQuery = z.output<typeof RecordsQuery>
export const RecordsQuery = z
  .strictObject({
    ...recordFilters,
    ...paging,
    /** Names the answer of the service that the page before came from. */
    fetch: z.string().max(64).optional(),
    /** Asks the service now, also when a list of the last five minutes is there. */
    refresh: TrueOrFalse.optional(),
  })
  .refine(({ from, to }) => from < to, "`from` must be before `to`")
