import { z } from "@medusajs/framework/zod"

import { paging } from "../query-fields"

export type ComparisonsQuery = z.output<typeof ComparisonsQuery>
export const ComparisonsQuery = z.strictObject(paging)

export type CompareBody = z.output<typeof CompareBody>
/** The account whose merchant is compared; by default all merchants. */
export const CompareBody = z.strictObject({ account: z.string().min(1).max(200).optional() })
