import { isIP } from "node:net"

import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { findOrderId } from "../../../medusa/links"
import { findOrderToPay } from "../../../medusa/order"
import { type AccountOptions, paymentServiceModule } from "../../../modules/payment-service"
import { accountOfProvider } from "../../../providers/payment-service/methods"
import type { RequestData } from "../../../providers/payment-service/session-data"
import { payableTransactions } from "../../../transactions/payable-transactions"
import { portsOf } from "../../../transactions/ports"
import { collectionToPay } from "../../../workflows/orders/collection-to-pay"

/** Time for the whole request for a session, with the reads of other payments and their deletion. */
const LONGEST_REQUEST_MS = 8_500
/** Another tab's request is waited for only briefly: if the service does not answer, it may take long. */
const ONE_AT_A_TIME = { ttlMs: 15_000, waitMs: 2_000 }

/**
 * For our providers, replaces whatever a browser sends as session data by our own keys: the time by which the
 * request is to be answered, and the payer's IP address when the store wants it sent. Everything else about
 * the payer is looked up on the server. A request for an order's paid collection goes to that for the rest.
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
    const accounts = await module.accounts()
    // An account that is not configured has no provider, so core itself refuses the request.
    const ip = payerIp(accounts.find(account)?.payer.ip ?? "off", req)
    const collectionId = req.params.id ?? ""
    let isOver = false
    // Listened to from the start, because `close` comes only once, even if the browser gives up early.
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
      // Read under the lease, so that no other request changes its payments meanwhile.
      const order = orderId ? await findOrderToPay(req.scope, collectionId) : null
      // A paid cart is refused here, so that the shopper reads our words. Core would try to delete the paid
      // session at the same time and answer "Could not delete all payment sessions".
      await payableTransactions(portsOf(req.scope), accounts, {
        paymentCollectionId: collectionId,
        order,
      })
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
