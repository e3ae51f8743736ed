import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

/** Core's request log prints full addresses, and the token in ours is a secret. */
export function maskCallbackToken(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): void {
  req.originalUrl = "/hooks/payment-service/***"
  next()
}
