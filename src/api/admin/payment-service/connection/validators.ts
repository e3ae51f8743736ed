import { z } from "@medusajs/framework/zod"

export type CheckBody = z.output<typeof CheckBody>
/** The account to check; all of them unless given. */
export const CheckBody = z.strictObject({ account: z.string().min(1).max(200).optional() })
