import { isIP } from "node:net"

import type { MedusaRequest, MedusaRequestHandler, MedusaResponse } from "@medusajs/framework/http"
import type { MedusaContainer } from "@medusajs/framework/types"

import { collectionToPay } from "../medusa/core"
import { namesTransaction } from "../medusa/reader"
import { readGraph } from "../medusa/search"
import { type AccountOptions, paymentServiceModule } from "../modules/payment-service"
import * as payments from "../payments"
import { isOpenSession } from "../payments/rules/decide"
import { isAnsweredJustNow, isClaimed } from "../payments/rules/timing"
import { partsOfProvider } from "../payments/rules/transaction"
import type { CompletionMark } from "../payments/statements/transactions"
import { actOnTransaction } from "../problems"
import type { RequestData } from "../providers/payment-service"
import { tellOfGone } from "../reconciliation"
import { reasonOf, refused, RefusedAction, refusedPayment } from "../refusals/refused"
import { plainAddress } from "../settings"
import { compareAmounts, remainder, sumOf, toDecimalText } from "../values/amount"
import { type Asked, inReadersLanguage } from "./admin/payment-service/in-readers-language"

/** Does the work when the answer goes out, also to a client who has hung up: core's work goes on until then. */
function onAnswer(res: MedusaResponse, work: () => void): void {
  const end = res.end.bind(res)
  res.end = ((...answer: Parameters<typeof end>) => {
    work()
    return end(...answer)
  }) as typeof end
}

const untilAnswered = (res: MedusaResponse, next: () => void) =>
  new Promise<void>((resolve) => {
    onAnswer(res, resolve)
    next()
  })

type Check = (req: MedusaRequest, handOn: () => Promise<void>) => Promise<void>
/** Checks a request to a route of core before core sees it; a refusal is answered in the reader's language. */
const checkedBefore =
  (check: Check): MedusaRequestHandler =>
  (req, res, next) =>
    inReadersLanguage(() => check(req, () => untilAnswered(res, next)))(req as Asked, res)

/** Core refuses to cancel an order that is being changed only after it has asked our provider for a refund, which would count. */
export const refuseCancellation = checkedBefore(async ({ scope, params }, handOn) => {
  const { medusa } = payments.portsOf(scope)
  if (await medusa.isBeingChanged(params.id ?? "")) throw refused("change_is_open")
  await handOn()
})

/**
 * Refuses a refund of our payments without a proof before core writes it down: a process that is killed then leaves nothing behind.
 * Other refusals are core's. It books without a lock, so the target is held: else what is just being recorded would be booked twice.
 */
export const refuseUnprovenRefund = checkedBefore(async (req, handOn) => {
  const { scope, params, validatedBody } = req
  const ports = payments.settlePortsOf(scope)
  const ofPayment = { id: params.id ?? "" }
  const [payment] = await ports.medusa.listPayments(ofPayment)
  const row = payment && (await payments.findRow(ports, payment.data))
  if (!row || !namesTransaction(payment, row)) return await handOn()
  if (!(await ports.medusa.findOrderId(row.payment_collection_id))) return await handOn()
  const { amount: asked } = validatedBody as { amount?: number }
  const refund = { amount: toDecimalText(asked ?? payment.amount), refundId: null }
  const hasMoney = ({ captures, refunds }: typeof payment) =>
    compareAmounts(refund.amount, remainder(sumOf(captures), sumOf(refunds))) <= 0
  if (hasMoney(payment)) await payments.requireRefundProof(ports, row, refund)
  await actOnTransaction(ports, row, async (now) => {
    // While the lock was awaited, it may have been booked, or a dead process's refund may have been deleted.
    const [present = payment] = await ports.medusa.listPayments(ofPayment)
    if (hasMoney(present) && !(await payments.takeProof(ports, now, refund)).isCovered) {
      throw refusedPayment("busy")
    }
    payments.requireLock()
    await handOn()
  })
})

/** Looks at an order's money after a request to a route of core that tells nobody of it. The route's id names the subject. */
export const reportBalanceAfter =
  (subject: "order" | "return" | "order_claim" | "order_exchange"): MedusaRequestHandler =>
  async ({ scope, params: { id = "" } }, res, next) => {
    const part = { entity: subject, fields: ["order_id"], filters: { id } }
    // It is found beforehand, because the request may delete what names the order.
    const [named] =
      subject === "order" ? [{ order_id: id }] : await readGraph<{ order_id: string }>(scope, part)
    res.once("finish", () => {
      if (named && res.statusCode < 400) void lookAtBalance(scope, named.order_id)
    })
    next()
  }

async function lookAtBalance(scope: MedusaContainer, orderId: string): Promise<void> {
  const ports = payments.settlePortsOf(scope)
  const { module } = ports
  try {
    await tellOfGone(ports, await module.listTransactions({ order_id: orderId }))
    await payments.reportAndBookAfterChange(ports, orderId)
  } catch (error) {
    module.logger.warn(`Payment Service: order ${orderId} is looked at later: ${reasonOf(error)}`)
  }
}

/** The time for the whole request for a session, including reads of other payments and their deletion. */
const LONGEST_REQUEST_MS = 8_500

/** Replaces a browser's session data for our providers, and leads a request for an order's paid collection to the one for the rest. */
export const replaceSessionData: MedusaRequestHandler = async (req, res, next) => {
  const body = req.body as { provider_id?: unknown; data?: unknown }
  const account = partsOfProvider(body.provider_id)?.account
  if (account === undefined) return next()
  const ports = payments.portsOf(req.scope)
  const { module } = ports
  const accounts = await module.accounts()
  const answerBy = Date.now() + LONGEST_REQUEST_MS
  const ip = payerIp(accounts.find(account)?.payer.ip ?? "off", req)
  const collectionId = req.params.id ?? ""
  const orderId = await ports.medusa.findOrderId(collectionId)
  // Core deletes every session that it finds, also one that another tab is just opening.
  await payments.holdOpening(module, orderId ?? collectionId, async () => {
    body.data = { answer_by: answerBy, ...(ip && { payer_ip: ip }) } satisfies RequestData
    // A paid cart is refused here: core would only say "Could not delete all payment sessions".
    const target = { orderId, collectionId }
    const { order } = await payments.payableTransactions(ports, accounts, target)
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
  const written = source === "request" ? req.ip : req.headers[source.toLowerCase()]
  // A proxy appends the address that it saw; the shopper may have written everything before it.
  const seen = String(written ?? "")
    .replace(/.*,/s, "")
    .trim()
  // Some write `203.0.113.7:51008` or `[2001:db8::7]:443`.
  const [, v6, v4] = /^(?:\[(.+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(seen) ?? []
  const address = v6 ?? v4 ?? seen
  return isIP(address) ? plainAddress(address) : null
}

/** A shopper waits so long, at least, for another completion of the same cart, and for the settle only as much less. */
const SHORTEST_WAIT_MS = 1_000

/**
 * Refuses to complete a cart that is not paid (order first: one that can no longer be paid): core makes the order first, and if it
 * died then, an order without a payment would be left. The completion is marked until core answers.
 *
 * @throws MedusaError `NOT_ALLOWED` when it is not paid, or while another request completes the cart; or as `readSession` does
 */
export const requirePaid: MedusaRequestHandler = async (req, res, next) => {
  const giveUpAt = payments.endOfWait()
  const cartId = req.params.id ?? ""
  const ports = payments.portsOf(req.scope)
  const { module } = ports
  const session = await ports.medusa.findSessionToComplete(cartId)
  const account = partsOfProvider(session?.provider_id)?.account
  if (!session || account === undefined || !(await module.accounts()).find(account)) {
    return next()
  }
  const data = { session_id: session.id, ...session.data }
  const isOpen = isOpenSession(session.status)
  const row = isOpen
    ? await requirePromise(ports, data, giveUpAt - SHORTEST_WAIT_MS)
    : await payments.requireRow(ports, data)
  if (!row.settled_at) {
    const target = { orderId: null, collectionId: row.payment_collection_id }
    const { paid } = await module.openings.findOthers(target, 1)
    // Core would take the promise of this attempt, or none, although the money of another one has come.
    if (paid && paid.id !== row.id && !paid.settled_at) {
      throw await payments.alreadyPaid(module, paid, target)
    }
    const completed = { id: row.id, cart_id: cartId }
    const waitMs = Math.max(SHORTEST_WAIT_MS, giveUpAt - Date.now())
    const begun = payments.beginCompletion(req.scope, completed, waitMs)
    const mark = await begun.catch((error: unknown) => {
      module.logger.warn(`Payment Service: cart ${cartId} is not free: ${reasonOf(error)}`)
      const isLeft = error instanceof RefusedAction && error.code === "order_half_made"
      throw refusedPayment(isLeft ? "needs_look" : "cart_being_completed")
    })
    onAnswer(res, () => void endMark(req.scope, mark, res.statusCode >= 400))
    // Core will not ask us again. The check comes after the mark, because no payout of the money begins from then on.
    if (!isOpen) await payments.requireUnchanged(ports, data)
  }
  next()
}

/** Ends the mark of a completion when core has answered. If that fails twice, the watcher ends it. */
async function endMark(scope: MedusaContainer, mark: CompletionMark, isRefused: boolean) {
  const { id, cart_id, completion } = mark
  const end = async () => {
    await payments.withCartLock(scope, cart_id, () =>
      payments.finishKilledCompletion(scope, cart_id, completion)
    )
    // While core stood still, a settle may have paid the order that core has taken back now.
    const ports = payments.settlePortsOf(scope)
    if (isRefused) await tellOfGone(ports, [await ports.module.transactions.get(id)])
  }
  // The next try takes another connection to the database.
  await end()
    .catch(end)
    .catch((error: unknown) => {
      const { logger } = paymentServiceModule(scope)
      logger.warn(`Payment Service: cart ${cart_id} could not be looked at: ${reasonOf(error)}`)
    })
}

async function requirePromise(ports: payments.Ports, data: payments.Data, giveUpAt: number) {
  const cameAt = ports.module.clock.now()
  const found = await payments.requireRow(ports, data)
  // Anybody can complete a cart of their own as often as they like.
  const isShared = isAnsweredJustNow(found, cameAt)
  const settled = isShared
    ? found
    : await payments
        .queueOf(ports.module)
        .settle(found, { giveUpAt })
        .catch((error: unknown) => {
          throw payments.toMedusaError(error)
        })
  const isAnswered = settled.read_at !== null && settled.read_at >= cameAt
  if (!isShared && !isAnswered && !settled.settled_at) throw refusedPayment("not_confirmed_yet")
  const { row, decision } = await payments.judgeRow(ports, settled, data)
  const { sessionStatus: status, exception } = decision
  // A settle is making the order. Core would wait half a minute for the cart's lock, and then answer 500.
  const isBeingSettled = !row.settled_at && isClaimed(row, ports.module.clock.now())
  if (status === "captured" && isBeingSettled) throw refusedPayment("cart_being_completed")
  if (status === "captured" || status === "pending_authorization") return row
  if (decision.isOutdated) throw refusedPayment("cart_changed")
  if (status === "canceled") throw refusedPayment("declined")
  const needsLook = exception && exception !== "unknown_status"
  throw refusedPayment(needsLook ? "needs_look" : "not_confirmed_yet")
}
