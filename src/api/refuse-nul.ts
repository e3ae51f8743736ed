import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

/** Refuses an address that contains a NUL, because Postgres refuses every statement that contains one. */
export function refuseNul(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): void {
  const refusal = new MedusaError(
    MedusaError.Types.INVALID_DATA,
    "An address must not contain the character NUL (%00)."
  )
  next(req.originalUrl.includes("%00") ? refusal : undefined)
}
