import { z } from "@medusajs/framework/zod"

import { paging } from "../query-fields"

export type ComparisonsQuery = z.output<typeof ComparisonsQuery>
export const ComparisonsQuery = z.strictObject(paging)
