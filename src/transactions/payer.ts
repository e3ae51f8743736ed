import type { Buyer } from "../medusa/buyer"
import type { AccountOptions, PaymentServiceModuleService } from "../modules/payment-service"
import { refusedPayment } from "../modules/payment-service/refused-deed"
import type { CreateTransactionRequest } from "../service/client"

/**
 * The metadata about the payer that the options `payer.*` send to the service. The service may disable a merchant that must send an
 * id and does not.
 *
 * @throws MedusaError `INVALID_DATA` when an id is required and nothing is known to make it from
 */
export function payerMetadata(
  options: AccountOptions,
  { payer, payerName }: Pick<Buyer, "payerName"> & { payer: string | null },
  clientIp: string | null
): CreateTransactionRequest["metadata"] {
  if (!payer && options.payer.userId === "required") throw refusedPayment("needs_email")
  const metadata = {
    ...(payer ? { userId: payer } : {}),
    ...(options.payer.name && payerName ? { userName: payerName } : {}),
    ...(options.payer.ip !== "off" && clientIp ? { clientIp } : {}),
  }
  return Object.keys(metadata).length ? metadata : undefined
}

/**
 * A stable id of the payer, made on the server: the customer's own id, or a keyed digest of a guest's e-mail. Null when neither
 * is known.
 */
export async function payerId(
  { customerId, isGuest, email }: Pick<Buyer, "customerId" | "isGuest" | "email">,
  module: PaymentServiceModuleService
): Promise<string | null> {
  if (customerId && !isGuest) return customerId
  return email ? await module.guestPayerId(email) : null
}
