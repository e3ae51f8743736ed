import { z } from "@medusajs/framework/zod"

export type PaymentsQuery = z.output<typeof PaymentsQuery>
/** Exactly one of the two: the payments of an order, or of a customer. */
export const PaymentsQuery = z
  .strictObject({ order_id: z.string().optional(), customer_id: z.string().optional() })
  .refine(
    ({ order_id, customer_id }) => (order_id === undefined) !== (customer_id === undefined),
    "either `order_id` or `customer_id` must be given"
  )
