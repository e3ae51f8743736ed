import { isIP } from "node:net"

import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import {
  type AccountOptions,
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../../modules/payment-service"
import { accountOfProvider } from "../../../providers/payment-service/methods"
import {
  countingFromNow,
  payableTransactions,
} from "../../../providers/payment-service/open-transaction"

/** The other tab is not waited for as long as a service may take that does not answer. */
const ONE_AT_A_TIME = { ttlMs: 15_000, waitMs: 2_000 }

/**
 * The shopper decides nothing: for our providers, whatever a browser sends as session data is replaced by
 * our own keys. The only one is the payer's address, when the store wants it sent; everything else about
 * the payer is looked up on the server.
 */
export async function replaceSessionData(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const body = req.body as { provider_id?: unknown; data?: unknown }
  const account = accountOfProvider(body.provider_id)
  if (account !== null) {
    const module = req.scope.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
    // An account that is not configured has no provider either; core says so in its own words.
    const ip = module.hasAccount(account) && payerIp(module.optionsFor(account).payer.ip, req)
    body.data = ip ? { payer_ip: ip } : {}
    const collectionId = req.params.id ?? ""
    let isOver = false
    // From here on, because a browser that has given up is heard of only once.
    const over = new Promise<void>((resolve) =>
      res.once("close", () => {
        isOver = true
        resolve()
      })
    )
    // One request per cart at a time: core deletes every session that it finds, the one that another tab
    // is just opening included, and that tab would be told that its session was not found.
    await module.leases.hold(`session:${collectionId}`, ONE_AT_A_TIME, async () => {
      await countingFromNow(collectionId, async () => {
        // Refused here in words of ours: inside, core deletes the paid session at the same time, and its
        // "Could not delete all payment sessions" would be what the shopper reads.
        await payableTransactions(module, collectionId)
        if (!isOver) {
          next()
          await over
        }
      })
    })
    return
  }
  next()
}

function payerIp(source: AccountOptions["payer"]["ip"], req: MedusaRequest): string | null {
  if (source === "off") {
    return null
  }
  const header = req.headers[source.toLowerCase()]
  const value = source === "request" ? req.ip : Array.isArray(header) ? header.at(-1) : header
  // A proxy appends what it saw itself; whatever stands before that, the shopper may have written.
  const address = value?.split(",").at(-1)?.trim() ?? ""
  return isIP(address) ? address : null
}
