import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

/** Masks the token in the address, because core's request log prints full addresses and the token is a secret. */
export function maskCallbackToken(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): void {
  req.originalUrl = "/hooks/payment-service/***"
  next()
}
