import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { findSalesChannelAndCountry } from "../../../../medusa/cart"
import {
  type AccountOptions,
  type Accounts,
  paymentServiceModule,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../../../modules/payment-service"
import { isPaidInOrder } from "../../../../settlement/standing"
import { isWatched } from "../../../../settlement/watch-schedule"
import { settlesForPayers } from "../../../../workflows/settle/settle-for-payers"
import { type PayerState, payerState } from "../../../store/payment-service/payer-view"

/** The longest time that the payer sees a blank page; after it, the storefront's polling takes over. */
const LONGEST_WAIT_MS = 8_000
/** Return pages wait for their settle, so only a few may keep the service busy. */
const settle = settlesForPayers(4)

/**
 * The return page, to which the service sends the payer, on this or another device. It settles the transaction if needed, then
 * redirects to the storefront's page for its state, whose address tells nobody the ids of cart, order or session. The query string
 * is ignored. However often the page is requested, it shares its reads of the service with the storefront's polls: one per
 * transaction in two seconds, on all instances together.
 */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const found = await module.findForPayer(req.params.id ?? "")
  if (!found) {
    res.status(404).type("text").send("This payment is not known here. Please go back to the shop.")
    return
  }
  const accounts = await module.accounts()
  await Promise.race([
    settleOrFollow(req, module, accounts, found),
    sleep(LONGEST_WAIT_MS, undefined, { ref: false }),
  ])

  const row = await module.transactions.get(found.id)
  const { salesChannelId, countryCode } = await findSalesChannelAndCountry(req.scope, row)
  const options = accounts.storefrontOf(row)
  const storefront = (salesChannelId && options.storefronts[salesChannelId]) || options
  const state = payerState(row)
  const address = fillIn(landingPage(storefront, row, state), {
    return_id: row.id,
    session_id: row.id,
    cart_id: "",
    order_id: "",
    country_code: countryCode ?? "",
    state,
  })
  // After a POST, the payer's browser is to ask for the shop's page by GET.
  res.set("Cache-Control", "no-store").redirect(req.method === "POST" ? 303 : 302, address)
}

/** A service may return the payer by a form. Nothing in it counts. */
export const POST = GET

/**
 * Settles the transaction, or waits for a settle that has read the service since the payer came, because the payer may have paid
 * after an earlier read.
 */
async function settleOrFollow(
  req: MedusaRequest,
  module: PaymentServiceModuleService,
  accounts: Accounts,
  found: TransactionRow
): Promise<void> {
  const cameAt = module.clock.now()
  const giveUpAt = Date.now() + LONGEST_WAIT_MS
  let row = found
  for (let pause = 50; mayChange(module, row); pause = Math.min(pause * 1.5, 250)) {
    const { poll_claimed_at: claimedAt, read_at: readAt } = row
    if (!claimedAt || claimedAt < cameAt) {
      if (await settle(req.scope, row, { provenSince: cameAt, accounts })) return
    } else if (readAt && readAt >= claimedAt && !isPaidInOrder(row)) {
      // Medusa is not about to follow, so waiting brings nothing.
      return
    }
    await sleep(pause, undefined, { ref: false })
    if (Date.now() > giveUpAt) return
    row = await module.transactions.get(found.id)
  }
}

/** Whether a settle may change the row now: it is watched, not settled and in no pause after a failure. */
function mayChange(module: PaymentServiceModuleService, row: TransactionRow): boolean {
  return (
    isWatched(row) &&
    row.settled_at === null &&
    (row.apply_after === null || row.apply_after <= module.clock.now())
  )
}

function landingPage(
  storefront: Pick<AccountOptions, "successUrl" | "failureUrl" | "pendingUrl">,
  row: TransactionRow,
  state: PayerState
): string {
  if (state === "paid" && row.order_id) return storefront.successUrl
  return state === "canceled" || state === "expired"
    ? storefront.failureUrl
    : (storefront.pendingUrl ?? storefront.failureUrl)
}

/** A part of the path without a value is left out with its slash, because `//` would lead elsewhere. */
function fillIn(template: string, values: Record<string, string>): string {
  const isEmpty = (name: string) => values[name] === ""
  const path = /\/\{([a-z_]+)\}(?=[/?#]|$)/g
  const whole = template.replace(path, (part, name: string) => (isEmpty(name) ? "" : part))
  return whole.replace(/\{([a-z_]+)\}/g, (part, name: string) =>
    name in values ? encodeURIComponent(values[name] ?? "") : part
  )
}
