import { z } from "@medusajs/framework/zod"

export type CheckBody = z.output<typeof CheckBody>
/** The account to check; by default all accounts. */
export const CheckBody = z.strictObject({ account: z.string().min(1).max(200).optional() })
