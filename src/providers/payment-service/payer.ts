import { MedusaError } from "@medusajs/framework/utils"

import type { AccountOptions, PaymentServiceModuleService } from "../../modules/payment-service"
import type { SessionOrigin } from "./store"

export interface PayerMetadata {
  userId?: string
  userName?: string
  clientIp?: string
}

/**
 * What the service is told about the payer, as the options `payer.*` say. The id is made on the server
 * and stable: the customer's own, for guests a keyed digest of their e-mail (specification, "What the
 * service does": a merchant that must send it and does not may be disabled).
 *
 * @throws MedusaError `INVALID_DATA` when an id is required and there is nothing to make it from
 */
export async function payerMetadata(
  options: AccountOptions,
  origin: SessionOrigin,
  clientIp: string | null,
  module: PaymentServiceModuleService
): Promise<PayerMetadata | undefined> {
  const userId = await payerId(origin, module)
  if (!userId && options.payer.userId === "required") {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      "An e-mail address is needed before paying this way. Please enter it and try again."
    )
  }
  const metadata: PayerMetadata = {
    ...(userId ? { userId } : {}),
    ...(options.payer.name && origin.payerName ? { userName: origin.payerName } : {}),
    ...(options.payer.ip !== "off" && clientIp ? { clientIp } : {}),
  }
  return Object.keys(metadata).length ? metadata : undefined
}

async function payerId(
  origin: SessionOrigin,
  module: PaymentServiceModuleService
): Promise<string | null> {
  if (origin.customerId && !origin.isGuest) {
    return origin.customerId
  }
  return origin.email ? await module.guestPayerId(origin.email) : null
}
