import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { coreOf } from "../medusa/core"
import { holdsPayment, namesTransaction, type OrderMoney, type Session } from "../medusa/reader"
import { paymentServiceModule, type TransactionRow } from "../modules/payment-service"
import { reasonOf } from "../refusals/refused"
import { isOwed } from "../values/amount"
import * as completions from "./complete-cart"
import { type Ports, portsOf } from "./read-transaction"
import { isClosedSession } from "./rules/decide"
import { endOfTimeToPay, isClosed, providerIdOf } from "./rules/transaction"
import { requireLock, withCartLock } from "./target-lock"

export type SettlePorts = ReturnType<typeof settlePortsOf>

/** The ports of a running store: `core` changes Medusa for a payment, but not for work that has lost its lock. */
export function settlePortsOf(container: MedusaContainer) {
  const { module, medusa } = portsOf(container)
  const changes = whileLocked({
    ...coreOf(container),
    finishKilledCompletion: completions.finishKilledCompletion.bind(null, container),
    completeCart: completions.completeCart.bind(null, container),
    emitOrderPlaced: completions.emitOrderPlaced.bind(null, container),
    sendEvents: sendEvents.bind(null, container),
  })
  /** Runs `work` while nobody else changes the cart, order or collection of this id, see `withCartLock`. */
  const hold = <T>(id: string, work: () => Promise<T>, waitMs?: number) =>
    withCartLock(container, id, work, waitMs)
  return { module, medusa, core: { ...changes, hold } }
}

function whileLocked<Changes extends object>(changes: Changes): Changes {
  const guarded = Object.entries(changes).map(([name, change]) => [
    name,
    async (...input: never[]) => {
      requireLock()
      return await (change as (...input: never[]) => unknown)(...input)
    },
  ])
  return Object.fromEntries(guarded) as Changes
}

/** Loads Medusa's records of a transaction for `decide`. Once a cart has become an order, only that counts, and no cart is read. */
export async function loadMedusaState(ports: Ports, row: TransactionRow) {
  const { medusa } = ports
  const collectionId = row.payment_collection_id
  const [sessions, order] = await Promise.all([
    medusa.listSessions({ payment_collection_id: collectionId }),
    medusa.findOrderMoney(collectionId),
  ])
  const session = sessionOf(row, sessions)
  const other = sessions.find((one) => one.id !== session?.id && holdsPayment(one))
  return {
    sessions,
    session,
    payment: session?.payment ?? null,
    otherPayment: other?.payment ?? null,
    cart: order ? null : await medusa.findCart(collectionId),
    order: order && {
      ...order,
      // Other payments matter only when this one is over; until then it can pay for the order.
      unpaid: isClosed(row.state) ? await whenUnpaid(ports, row, order) : null,
    },
  }
}

/** The session whose data names the transaction: tabs may share one, and an updated session have another. One with a payment first. */
function sessionOf(row: TransactionRow, sessions: Session[]): Session | null {
  const named = sessions.filter((session) => namesTransaction(session, row))
  return (
    named.find(holdsPayment) ??
    named.find(({ id }) => id === row.session_id) ??
    named[0] ??
    sessions.find(({ id, data }) => id === row.session_id && !data.transaction_id) ??
    null
  )
}

/** The end of an order for which no payment of ours pays any more; see `MedusaState`. */
async function whenUnpaid(
  { module, medusa }: Ports,
  row: TransactionRow,
  order: OrderMoney
): Promise<"cancel" | "tell" | null> {
  if (!isOwed(order.owed)) return null
  const sessions = await medusa.listSessions({ payment_collection_id: order.collectionIds })
  // Our rows are read last: a shopper may choose our way to pay for the order meanwhile.
  const attempts = await module.transactions.inCollections(order.collectionIds)
  const now = module.clock.now()
  if (attempts.some((one) => one.id !== row.id && canBringMoney(one, now))) return null
  // Of our own providers' sessions, our rows show whether they can still be paid.
  const ours = attempts.map(providerIdOf)
  const isOpenElsewhere = sessions.some(
    ({ status, payment, providerId }) =>
      !isClosedSession(status) && !payment && !ours.includes(providerId)
  )
  if (attempts.some((one) => one.deferred_at !== null)) {
    return order.isUntouched && !isOpenElsewhere ? "cancel" : "tell"
  }
  // Core makes an order of a cart only with its payment, so a completion that ended half-way has left this one.
  return row.cart_id === null ? null : "tell"
}

/** Whether a payment can still come of it. A creation without a reply counts for the usual time to pay. */
function canBringMoney(row: TransactionRow, now: Date): boolean {
  const isOpen = row.state === "pending" || row.state === "paid"
  const isUnanswered = row.state === "creating" || row.state === "unknown"
  return !row.handled_at && (isOpen || (isUnanswered && endOfTimeToPay(row) > now))
}

const MOST_AT_ONCE = 100

/** Hands the due events to Medusa's event bus; one that it refuses is sent again later. */
export async function sendEvents(container: MedusaContainer): Promise<void> {
  const module = paymentServiceModule(container)
  const bus = container.resolve(Modules.EVENT_BUS)
  for (const { id, name, data } of await module.outbox.claimDue(MOST_AT_ONCE)) {
    try {
      await bus.emit({ name, data }, {})
      await module.outbox.markSent(id)
    } catch (error) {
      module.logger.warn(`Payment Service: event ${id} could not be sent yet: ${reasonOf(error)}`)
    }
  }
}
