import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { findSalesChannelAndCountry } from "../../../../medusa/buyer"
import { paymentServiceModule } from "../../../../modules/payment-service"
import { endOfWait, payerState, queueOf } from "../../../../payments"
import { isWatched } from "../../../../payments/rules/timing"

/** The service sends the payer here, perhaps on another device: to the storefront's page for the state that a short settle finds. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const found = await module.findForPayer(req.params.id ?? "")
  if (!found) {
    const said = "This payment is not known here. Please go back to the shop."
    return void res.status(404).type("text").send(said)
  }
  const giveUpAt = endOfWait()
  const [accounts, { salesChannelId, countryCode }] = await Promise.all([
    module.accounts(),
    findSalesChannelAndCountry(req.scope, { orderId: found.order_id, cartId: found.cart_id }),
  ])
  const isPaused = found.apply_after !== null && found.apply_after > module.clock.now()
  const mayChange = isWatched(found) && found.settled_at === null && !isPaused
  const queue = queueOf(module)
  // After a failure, which is in the log, the storefront asks again.
  const row = mayChange ? await queue.settle(found, { giveUpAt }).catch(() => found) : found
  const options = accounts.storefrontOf(row)
  if (!options) {
    return void res.type("text").send("This payment is known here. Please go back to the shop.")
  }
  const state = payerState(row)
  const storefront = (salesChannelId && options.storefronts[salesChannelId]) || options
  const { successUrl, failureUrl, pendingUrl = failureUrl } = storefront
  const unpaidUrl = state === "canceled" || state === "expired" ? failureUrl : pendingUrl
  const address = fillIn(state === "paid" && row.order_id ? successUrl : unpaidUrl, {
    return_id: row.id,
    session_id: row.id,
    country_code: countryCode ?? "",
    state,
  })
  // After a POST, the payer's browser is to ask for the shop's page by GET.
  res.set("Cache-Control", "no-store").redirect(req.method === "POST" ? 303 : 302, address)
}

/** A service may return the payer by a form. Nothing in it counts. */
export const POST = GET

/** A part of the path without a value is left out with its slash, because `//` would lead elsewhere. */
function fillIn(template: string, values: Record<string, string>): string {
  const valueOf = (_: string, name: string) => encodeURIComponent(values[name] ?? "")
  return template
    .replace(/\/\{([a-z_]+)\}(?=[/?#]|$)/g, (part, name: string) => (values[name] ? part : ""))
    .replace(/\{([a-z_]+)\}/g, valueOf)
}
