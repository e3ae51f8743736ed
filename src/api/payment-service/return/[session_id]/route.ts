import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import {
  type AccountOptions,
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../../../modules/payment-service"
import { reasonOf } from "../../../../modules/payment-service/reason-of"
import { settleTransactionWorkflow } from "../../../../workflows/settle/settle-transaction"
import { type PayerState, payerState } from "../../../store/payment-service/payer-view"

/** A payer looks at a blank page meanwhile; the storefront's polling takes over after that. */
const LONGEST_WAIT_MS = 8_000

/**
 * Where the service sends the payer, on this or another device. Settles what has not settled, then goes on
 * to the storefront as the settled state says. The query string, the hint in it included, decides nothing.
 */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const module = req.scope.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const sessionId = req.params.session_id ?? ""
  const found = await module.findBySession(sessionId)
  if (!found) {
    res.status(404).type("text").send("This payment is not known here. Please go back to the shop.")
    return
  }
  if (!found.settled_at) {
    await Promise.race([
      settle(req, module, found),
      sleep(LONGEST_WAIT_MS, undefined, { ref: false }),
    ])
  }

  const row = await module.retrieveTransaction(found.id)
  const cart = row.cart_id ? await findCart(req, row.cart_id) : null
  const options = module.optionsForRow(row)
  const storefront =
    (cart?.sales_channel_id && options.storefronts[cart.sales_channel_id]) || options
  const state = payerState(row)
  const address = fillIn(landingPage(storefront, row, state), {
    cart_id: row.cart_id ?? "",
    order_id: row.order_id ?? "",
    session_id: row.session_id,
    country_code: cart?.shipping_address?.country_code ?? "",
    state,
  })
  res.set("Cache-Control", "no-store").redirect(302, address)
}

async function settle(
  req: MedusaRequest,
  module: PaymentServiceModuleService,
  { id, transaction_id }: TransactionRow
): Promise<void> {
  try {
    await settleTransactionWorkflow(req.scope).run({ input: { transaction_row_id: id } })
  } catch (error) {
    module.logger.warn(
      `Payment Service: transaction ${transaction_id ?? ""} could not be settled on the payer's return: ${reasonOf(error)}`
    )
  }
}

function landingPage(
  storefront: Pick<AccountOptions, "successUrl" | "failureUrl" | "pendingUrl">,
  row: TransactionRow,
  state: PayerState
): string {
  if (state === "paid" && row.order_id) {
    return storefront.successUrl
  }
  return state === "canceled" || state === "expired"
    ? storefront.failureUrl
    : (storefront.pendingUrl ?? storefront.failureUrl)
}

function fillIn(template: string, values: Record<string, string>): string {
  return template.replace(/\{([a-z_]+)\}/g, (whole, name: string) =>
    name in values ? encodeURIComponent(values[name] ?? "") : whole
  )
}

interface CartRecord {
  sales_channel_id?: string | null
  shipping_address?: { country_code?: string | null } | null
}

async function findCart(req: MedusaRequest, id: string): Promise<CartRecord | null> {
  const query = req.scope.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "cart",
    fields: ["id", "sales_channel_id", "shipping_address.country_code"],
    filters: { id },
  })
  return (data[0] as CartRecord | undefined) ?? null
}
