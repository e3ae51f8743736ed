import { isIP } from "node:net"

import type { MedusaRequest, MedusaRequestHandler } from "@medusajs/framework/http"

import { collectionToPay } from "../../../medusa/core"
import { findOrderId } from "../../../medusa/reader"
import { type AccountOptions, paymentServiceModule } from "../../../modules/payment-service"
import { holdOpening, payableTransactions, portsOf } from "../../../payments"
import { partsOfProvider } from "../../../payments/rules/transaction"
import type { RequestData } from "../../../providers/payment-service/payment-method-provider"
import { plainAddress } from "../../../settings"
import { untilAnswered } from "../../around-core"

/** The time for the whole request for a session, including reads of other payments and their deletion. */
const LONGEST_REQUEST_MS = 8_500

/**
 * For our providers, replaces a browser's session data by our own keys (`RequestData`); all other facts about the payer are looked up
 * on the server. A request for an order's paid collection is led to the one for the rest.
 */
export const replaceSessionData: MedusaRequestHandler = async (req, res, next) => {
  const body = req.body as { provider_id?: unknown; data?: unknown }
  const account = partsOfProvider(body.provider_id)?.account
  if (account === undefined) {
    next()
    return
  }
  const module = paymentServiceModule(req.scope)
  const accounts = await module.accounts()
  // An account that is not configured has no provider, so core itself refuses the request.
  const answerBy = Date.now() + LONGEST_REQUEST_MS
  const ip = payerIp(accounts.find(account)?.payer.ip ?? "off", req)
  const collectionId = req.params.id ?? ""
  const orderId = await findOrderId(req.scope, collectionId)
  // Core deletes every session that it finds, also one that another tab is just opening.
  await holdOpening(module, orderId ?? collectionId, async () => {
    const data: RequestData = { answer_by: answerBy }
    body.data = ip ? { ...data, payer_ip: ip } : data
    // A paid cart is refused here: core would only say "Could not delete all payment sessions".
    const target = { orderId, collectionId }
    const { order } = await payableTransactions(portsOf(req.scope), accounts, target)
    const payable = order ? await collectionToPay(req.scope, order, collectionId) : collectionId
    // A browser that gave up while the other payments were read chooses nothing.
    if (!res.closed) {
      // Core's route reads the collection from the address.
      req.url = req.url.replace(`/${collectionId}/`, `/${payable}/`)
      await untilAnswered(res, next)
    }
  })
}

function payerIp(source: AccountOptions["payer"]["ip"], req: MedusaRequest): string | null {
  if (source === "off") return null
  const header = req.headers[source.toLowerCase()]
  const value = source === "request" ? req.ip : Array.isArray(header) ? header.at(-1) : header
  // A proxy appends the address that it saw; the shopper may have written everything before it.
  const address = withoutPort(value?.split(",").at(-1)?.trim() ?? "")
  return isIP(address) ? plainAddress(address) : null
}

/** Some proxies write `203.0.113.7:51008` or `[2001:db8::7]:443`. */
function withoutPort(address: string): string {
  const [, v6, v4] = /^(?:\[(.+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(address) ?? []
  return v6 ?? v4 ?? address
}
