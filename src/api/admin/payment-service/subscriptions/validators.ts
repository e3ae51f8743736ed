import { z } from "@medusajs/framework/zod"

import { Moment, paging } from "../query-fields"

/** The filters of the service's subscriptions. */
export type SubscriptionsQuery = z.output<typeof SubscriptionsQuery>
export const SubscriptionsQuery = z
  .strictObject({
    /** The account whose merchant's subscriptions are listed; by default the first one. */
    account: z.string().optional(),
    /** A label of `subscriptions.statusCodes`, or a numeric code. */
    status: z.string().min(1).max(100).optional(),
    from: Moment.optional(),
    to: Moment.optional(),
    ...paging,
  })
  .refine(({ from, to }) => !from || !to || from < to, "`from` must be before `to`")
