import type {
  AuthenticatedMedusaRequest,
  MedusaNextFunction,
  MedusaRequest,
  MedusaResponse,
} from "@medusajs/framework/http"

import { refused } from "../modules/payment-service/refused-deed"
import { portsOf } from "../transactions/ports"
import { inReadersLanguage } from "./admin/payment-service/in-readers-language"

/**
 * Refuses to cancel an order that is being changed. Core refuses that, too, but has asked our provider for a refund by then, which
 * would count as asked for although the order lives on.
 */
export async function refuseCancellation(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const judge = inReadersLanguage(async ({ scope, params }) => {
    const isBeingChanged = await portsOf(scope).medusa.isBeingChanged(params.id ?? "")
    if (isBeingChanged) throw refused("change_is_open")
  })
  await judge(req as AuthenticatedMedusaRequest, res)
  if (!res.headersSent) next()
}
