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
  type TransactionRow,
} from "../../../modules/payment-service"
import { reasonOf } from "../../../modules/payment-service/reason-of"
import { accountOfProvider } from "../../../providers/payment-service/methods"
import {
  CART_HAS_CHANGED,
  type Data,
  readSession,
  requireRow,
} from "../../../providers/payment-service/read-session"
import { beginCompletion } from "../../../workflows/settle/half-made-orders"

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

/** As long as a shopper waits for another completion of the same cart. */
const LONGEST_WAIT_MS = 7_000

/**
 * Core makes the order first and asks whether it is paid last, with the cart locked and stock reserved: a
 * process that dies in between would leave an order that nobody pays for. So we ask first, and core makes
 * no order for what is not paid (order first: for what can no longer be paid).
 *
 * @throws MedusaError `NOT_ALLOWED` when it is not paid, or while the cart is being completed by somebody
 * else; or as `readSession` does
 */
export async function completeWhatIsPaid(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const cartId = req.params.id ?? ""
  const module = req.scope.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const session = await findSessionToComplete(req, cartId)
  const account = accountOfProvider(session?.provider_id)
  if (session && account !== null && module.hasAccount(account)) {
    const data = { session_id: session.id, ...session.data }
    const asksUs = ASKED_FOR.has(session.status)
    const row = asksUs ? await requirePromise(data) : await requireRow(data)
    if (!row.settled_at) {
      const ended = await beginCompletion(
        req.scope,
        { id: row.id, cart_id: cartId },
        { waitMs: LONGEST_WAIT_MS }
      ).catch((error: unknown) => {
        module.logger.warn(`Payment Service: cart ${cartId} is not free: ${reasonOf(error)}`)
        throw new MedusaError(
          MedusaError.Types.NOT_ALLOWED,
          "This cart is being completed right now. Please try again in a moment."
        )
      })
      // Should this not be written down, the watcher looks for what is not there.
      res.once("finish", () => void ended().catch(() => undefined))
    }
  }
  next()
}

async function requirePromise(data: Data): Promise<TransactionRow> {
  const { row, decision } = await readSession(data)
  const { sessionStatus: status, exception } = decision
  if (status === "captured" || status === "pending_authorization") {
    return row
  }
  throw new MedusaError(
    MedusaError.Types.NOT_ALLOWED,
    decision.isOutdated
      ? CART_HAS_CHANGED
      : status === "canceled"
        ? "This payment was declined, or its time is over. Please start the payment again."
        : exception && exception !== "unknown_status"
          ? "This payment has to be looked at by the shop. Please do not pay again."
          : "This payment is not confirmed yet. The order is placed as soon as it is."
  )
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
