import { z } from "@medusajs/framework/zod"

import { Moment, paging } from "../query-fields"

/** Which of the service's subscriptions are asked for. */
export type SubscriptionsQuery = z.output<typeof SubscriptionsQuery>
export const SubscriptionsQuery = z
  .strictObject({
    /** The account whose merchant's subscriptions these are; the first one unless given. */
    account: z.string().optional(),
    /** A label of `subscriptions.statusCodes`, or a numeric code itself. */
    status: z.string().min(1).max(100).optional(),
    from: Moment.optional(),
    to: Moment.optional(),
    ...paging,
  })
  .refine(({ from, to }) => !from || !to || from < to, "`from` must be before `to`")

/** Which account asks for one subscription; all of them are asked in turn unless it is given. */
export const SubscriptionQuery = z.strictObject({ account: z.string().optional() })
