import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { MedusaContainer } from "@medusajs/framework/types"

import { MedusaReader, type OrderMoney } from "../../../../../medusa/reader"
import { listProvidersForOrder } from "../../../../../medusa/regions"
import { paymentServiceModule } from "../../../../../modules/payment-service"
import { payerState } from "../../../../../payments"
import { isClosedSession } from "../../../../../payments/rules/decide"
import { partsOfProvider } from "../../../../../payments/rules/transaction"
import { refusedPayment } from "../../../../../refusals/refused"
import { METHODS } from "../../../../../texts"
import { isOwed, toWireAmount } from "../../../../../values/amount"

/** For the page of a payment link, because core lets a storefront create payment collections but not read them. Only orders have links. */
export async function GET({ scope, params }: MedusaRequest, res: MedusaResponse): Promise<void> {
  const id = params.id ?? ""
  const medusa = new MedusaReader(scope)
  const [order, [collection]] = await Promise.all([
    medusa.findOrderMoney(id),
    medusa.listCollections([id]),
  ])
  if (!order || !collection) throw refusedPayment("no_such_link")
  const state = stateOf(order, collection)
  const currency = order.currency.toUpperCase()
  const isPayable = state === "payable"
  const link = {
    id,
    state,
    amount: toWireAmount(collection.amount),
    currency,
    order_display_id: order.displayId,
    /** A payment that still runs: its session, or the return id of one of the cart. */
    session_id: isPayable ? await findOpenSession(scope, id) : null,
    providers: isPayable ? await providersFor(scope, order.id, currency) : [],
  }
  res.set("Cache-Control", "no-store").json({ payment_collection: link })
}

function stateOf(order: OrderMoney, { isPaidInto }: { isPaidInto: boolean }) {
  if (order.isCanceled) return "canceled"
  // An order that is owed more again has another link for that; this one must not be paid twice.
  if (isPaidInto) return "paid"
  return isOwed(order.owed) ? "payable" : "nothing_owed"
}

async function findOpenSession(container: MedusaContainer, collectionId: string) {
  const ofLink = { payment_collection_id: collectionId }
  const sessions = await new MedusaReader(container).listSessions(ofLink)
  const module = paymentServiceModule(container)
  for (const { id, providerId, status } of sessions) {
    if (partsOfProvider(providerId) && !isClosedSession(status)) {
      const row = await module.findBySession(id)
      // The session of a cart is only for who began it: it makes the store tell the order's id.
      if (row && !["canceled", "expired"].includes(payerState(row))) {
        return row.cart_id ? row.id : id
      }
    }
  }
  return null
}

async function providersFor(container: MedusaContainer, orderId: string, currency: string) {
  const [ids, accounts] = await Promise.all([
    listProvidersForOrder(container, orderId),
    paymentServiceModule(container).accounts(),
  ])
  const providers = ids.flatMap((id) => {
    const parts = partsOfProvider(id)
    const takesIt = parts && accounts.find(parts.account)?.currencies.includes(currency)
    return takesIt ? [{ id, method: parts.method }] : []
  })
  const rank = ({ method }: { method: string }) => METHODS.indexOf(method)
  return providers.sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id))
}
