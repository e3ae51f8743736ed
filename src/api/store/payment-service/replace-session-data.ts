import { isIP } from "node:net"

import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { findOrderId } from "../../../medusa/links"
import { findOrderToPay } from "../../../medusa/order"
import { type AccountOptions, paymentServiceModule } from "../../../modules/payment-service"
import { accountOfProvider } from "../../../providers/payment-service/methods"
import type { RequestData } from "../../../providers/payment-service/session-data"
import { payableTransactions } from "../../../transactions/payable-transactions"
import { collectionToPay } from "../../../workflows/orders/collection-to-pay"

/** The whole request for a session, the look at other payments and their deletion included. */
const LONGEST_REQUEST_MS = 8_500
/** The other tab is not waited for as long as a service may take that does not answer. */
const ONE_AT_A_TIME = { ttlMs: 15_000, waitMs: 2_000 }

/**
 * The shopper decides nothing: for our providers, whatever a browser sends as session data is replaced by
 * our own keys. These are by when the request is to be answered, and the payer's address when the store
 * wants it sent; everything else about the payer is looked up on the server.
 */
export async function replaceSessionData(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const body = req.body as { provider_id?: unknown; data?: unknown }
  const account = accountOfProvider(body.provider_id)
  if (account !== null) {
    const module = paymentServiceModule(req.scope)
    // An account that is not configured has no provider either; core says so in its own words.
    const ip = module.hasAccount(account) && payerIp(module.optionsFor(account).payer.ip, req)
    const collectionId = req.params.id ?? ""
    let isOver = false
    // From here on, because a browser that has given up is heard of only once.
    const over = new Promise<void>((resolve) =>
      res.once("close", () => {
        isOver = true
        resolve()
      })
    )
    const orderId = await findOrderId(req.scope, collectionId)
    // One request per cart or order at a time: core deletes every session that it finds, the one that another
    // tab is just opening included, and that tab would be told that its session was not found.
    await module.leases.hold(`session:${orderId ?? collectionId}`, ONE_AT_A_TIME, async () => {
      const data: RequestData = { answer_by: Date.now() + LONGEST_REQUEST_MS }
      body.data = ip ? { ...data, payer_ip: ip } : data
      // As it is now that nobody else is at it.
      const order = orderId ? await findOrderToPay(req.scope, collectionId) : null
      // Refused here in words of ours: inside, core deletes the paid session at the same time, and its
      // "Could not delete all payment sessions" would be what the shopper reads.
      await payableTransactions(req.scope, { paymentCollectionId: collectionId, order })
      const payable = order ? await collectionToPay(req.scope, order, collectionId) : collectionId
      if (!isOver) {
        // Core's route reads the collection from the address.
        req.url = req.url.replace(`/${collectionId}/`, `/${payable}/`)
        next()
        await over
      }
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
