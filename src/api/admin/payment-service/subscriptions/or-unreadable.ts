import { MedusaError } from "@medusajs/framework/utils"

import { reasonOf } from "../../../../modules/payment-service/reason-of"

/**
 * Makes other errors into Medusa's own, because core hides their text, and an admin should read it.
 *
 * @throws MedusaError always
 */
export function orUnreadable(error: unknown): never {
  if (MedusaError.isMedusaError(error)) {
    throw error
  }
  throw new MedusaError(
    MedusaError.Types.UNEXPECTED_STATE,
    `The subscriptions could not be read: ${reasonOf(error)}. Please try again in a minute.`
  )
}
