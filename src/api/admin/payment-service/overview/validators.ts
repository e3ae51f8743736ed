import { z } from "@medusajs/framework/zod"

import { Moment, TimeZone } from "../query-fields"

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MOST_DAYS = 366

export type OverviewQuery = z.output<typeof OverviewQuery>
/** The period; by default the last seven days of the time zone. */
export const OverviewQuery = z
  .strictObject({ from: Moment.optional(), to: Moment.optional(), time_zone: TimeZone })
  .refine(({ from, to }) => !from === !to, "`from` and `to` are given together, or neither")
  .refine(({ from, to }) => !from || !to || from < to, "`from` must be before `to`")
  .refine(
    // An invalid moment (NaN) passes here, because its own field reports it.
    ({ from, to }) => !from || !to || !(Number(to) - Number(from) > MOST_DAYS * DAY_MS + HOUR_MS),
    `the period may have ${MOST_DAYS} days at most`
  )
