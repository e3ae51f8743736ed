import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { RemoteQueryFunction } from "@medusajs/framework/types"
import {
  ContainerRegistrationKeys,
  MedusaError,
  PaymentSessionStatus,
} from "@medusajs/framework/utils"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../../modules/payment-service"
import { accountOfProvider } from "../../../providers/payment-service/methods"
import { readSession, requireRow } from "../../../providers/payment-service/read-session"
import type { Decision } from "../../../settlement/decide"
import { prepareCompletion } from "../../../workflows/settle/half-made-orders"

interface Session {
  id: string
  status: PaymentSessionStatus
  provider_id: string
  data: Record<string, unknown>
}

/** Statuses with which core completes a cart; with the first two it still asks us whether it is paid. */
const ASKED_FOR = new Set([PaymentSessionStatus.PENDING, PaymentSessionStatus.REQUIRES_MORE])
const ANSWERED = new Set([
  PaymentSessionStatus.AUTHORIZED,
  PaymentSessionStatus.CAPTURED,
  PaymentSessionStatus.PENDING_AUTHORIZATION,
])

/**
 * Core makes the order first and asks whether it is paid last, with the cart locked and stock reserved: a
 * process that dies in between would leave an order that nobody pays for. So we ask first, and core makes
 * no order for what is not paid (order first: for what can no longer be paid).
 *
 * @throws MedusaError `NOT_ALLOWED` when it is not paid, or as `readSession` does
 */
export async function completeWhatIsPaid(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const cartId = req.params.id ?? ""
  const session = await findSessionToComplete(req, cartId)
  if (session && accountOfProvider(session.provider_id) !== null) {
    const module = req.scope.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
    const data = { session_id: session.id, ...session.data }
    const { row, decision } = ASKED_FOR.has(session.status)
      ? await readSession(data)
      : { row: await requireRow(data), decision: null }
    if (decision) requirePromise(decision.sessionStatus)
    if (decision?.sessionStatus === "pending_authorization") {
      await module.transactions.markDeferred(row.id)
    }
    if (!row.settled_at) {
      await prepareCompletion(req.scope, row.id, cartId)
    }
  }
  next()
}

function requirePromise(status: Decision["sessionStatus"]): void {
  if (status === "pending") {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "This payment is not confirmed yet. The order is placed as soon as it is."
    )
  }
  if (status === "canceled") {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "This payment was declined, or its time is over. Please start the payment again."
    )
  }
}

/** The session with which core would complete the cart; none for a cart that costs nothing. */
async function findSessionToComplete(req: MedusaRequest, cartId: string): Promise<Session | null> {
  const query = req.scope.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "cart",
    fields: ["id", "total", "payment_collection.payment_sessions.*"],
    filters: { id: cartId },
  })
  const cart = data[0] as unknown as
    | {
        total: unknown
        payment_collection?: { payment_sessions?: Session[] } | null
      }
    | undefined
  const sessions = cart?.payment_collection?.payment_sessions ?? []
  const first = sessions.find(({ status }) => ASKED_FOR.has(status) || ANSWERED.has(status))
  return first && Number(cart?.total) > 0 ? first : null
}
