import { MedusaError } from "@medusajs/framework/utils"

import { reasonOf } from "../../../../modules/payment-service/reason-of"

/** What the service answered is no error of ours: an admin should read it. */
export function orMedusaError(error: unknown): never {
  if (MedusaError.isMedusaError(error)) {
    throw error
  }
  throw new MedusaError(
    MedusaError.Types.UNEXPECTED_STATE,
    `The payment could not be looked at: ${reasonOf(error)}. Please try again in a minute.`
  )
}
