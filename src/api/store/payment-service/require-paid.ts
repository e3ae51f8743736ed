import type { MedusaRequestHandler } from "@medusajs/framework/http"
import type { MedusaContainer } from "@medusajs/framework/types"

import { findSessionToComplete } from "../../../medusa/reader"
import { paymentServiceModule } from "../../../modules/payment-service"
import {
  alreadyPaid,
  beginCompletion,
  type Data,
  endOfWait,
  finishKilledCompletion,
  judgeRow,
  portsOf,
  queueOf,
  requireRow,
  requireUnchanged,
  settlePortsOf,
  toMedusaError,
  withCartLock,
} from "../../../payments"
import { isOpenSession } from "../../../payments/rules/evidence"
import { isAnsweredJustNow } from "../../../payments/rules/timing"
import type { CompletionMark } from "../../../payments/statements/transactions"
import { partsOfProvider } from "../../../payments/rules/transaction"
import { tellOfGone } from "../../../reconciliation"
import { reasonOf, RefusedAction, refusedPayment } from "../../../refusals/refused"
import { onAnswer } from "../../around-core"

/** A shopper waits so long, at least, for another completion of the same cart, and for the settle only as much less. */
const SHORTEST_WAIT_MS = 1_000

/**
 * Refuses to complete a cart that is not paid (order first: one that can no longer be paid). Core would make the order first and ask
 * for the payment last: if it died in between, an order without a payment would be left. The completion is marked until core answers.
 *
 * @throws MedusaError `NOT_ALLOWED` when it is not paid, or while another request completes the cart; or as `readSession` does
 */
export const requirePaid: MedusaRequestHandler = async (req, res, next) => {
  const giveUpAt = endOfWait()
  const cartId = req.params.id ?? ""
  const module = paymentServiceModule(req.scope)
  const session = await findSessionToComplete(req.scope, cartId)
  const account = partsOfProvider(session?.provider_id)?.account
  if (!session || account === undefined || !(await module.accounts()).find(account)) {
    next()
    return
  }
  const data = { session_id: session.id, ...session.data }
  const isOpen = isOpenSession(session.status)
  const row = isOpen
    ? await requirePromise(req.scope, data, giveUpAt - SHORTEST_WAIT_MS)
    : await requireRow(portsOf(req.scope), data)
  if (!row.settled_at) {
    const target = { orderId: null, collectionId: row.payment_collection_id }
    const { paid } = await module.openings.findOthers(target, 1)
    // Core would take the promise of this attempt, or none, although the money of another one has come.
    if (paid && paid.id !== row.id && !paid.settled_at) {
      throw await alreadyPaid(module, paid, target)
    }
    const completed = { id: row.id, cart_id: cartId }
    const waitMs = Math.max(SHORTEST_WAIT_MS, giveUpAt - Date.now())
    const mark = await beginCompletion(req.scope, completed, waitMs).catch((error: unknown) => {
      module.logger.warn(`Payment Service: cart ${cartId} is not free: ${reasonOf(error)}`)
      const isLeft = error instanceof RefusedAction && error.code === "order_half_made"
      throw refusedPayment(isLeft ? "needs_look" : "cart_being_completed")
    })
    onAnswer(res, () => void endMark(req.scope, mark, { isRefused: res.statusCode >= 400 }))
    // Core will not ask us again. The check comes after the mark, because no payout of the money begins from then on.
    if (!isOpen) await requireUnchanged(portsOf(req.scope), data)
  }
  next()
}

/** Ends the mark of a completion when core has answered. If that fails twice, the watcher ends it. */
async function endMark(
  scope: MedusaContainer,
  { id, cart_id, completion }: CompletionMark,
  { isRefused }: { isRefused: boolean }
) {
  const end = async () => {
    await withCartLock(scope, cart_id, () => finishKilledCompletion(scope, cart_id, completion))
    // While core stood still, a settle may have paid the order that core has taken back now.
    const ports = settlePortsOf(scope)
    if (isRefused) await tellOfGone(ports, [await ports.module.transactions.get(id)])
  }
  // A connection to the database may have ended, and the next one is another.
  await end()
    .catch(end)
    .catch((error: unknown) => {
      const { logger } = paymentServiceModule(scope)
      logger.warn(`Payment Service: cart ${cart_id} could not be looked at: ${reasonOf(error)}`)
    })
}

async function requirePromise(container: MedusaContainer, data: Data, giveUpAt: number) {
  const ports = portsOf(container)
  const cameAt = ports.module.clock.now()
  const found = await requireRow(ports, data)
  // Anybody can complete a cart of their own as often as they like.
  const isShared = isAnsweredJustNow(found, cameAt)
  const settled = isShared
    ? found
    : await queueOf(ports.module)
        .settle(found, { giveUpAt })
        .catch((error: unknown) => {
          throw toMedusaError(error)
        })
  const isAnswered = settled.read_at !== null && settled.read_at >= cameAt
  if (!isShared && !isAnswered && !settled.settled_at) throw refusedPayment("not_confirmed_yet")
  const { row, decision } = await judgeRow(ports, settled, data)
  const { sessionStatus: status, exception } = decision
  if (status === "captured" || status === "pending_authorization") return row
  throw refusedPayment(
    decision.isOutdated
      ? "cart_changed"
      : status === "canceled"
        ? "declined"
        : exception && exception !== "unknown_status"
          ? "needs_look"
          : "not_confirmed_yet"
  )
}
