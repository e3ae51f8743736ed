import type {
  IPaymentModuleService,
  MedusaContainer,
  RemoteQueryFunction,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { findCart } from "../../modules/payment-service/find-cart"
import {
  findOrder,
  type FoundOrder,
  type PaymentSession,
} from "../../modules/payment-service/find-order"
import { type AmountInput, compareAmounts } from "../../settlement/amount"
import type { MedusaState } from "../../settlement/evidence"
import { isClosed } from "../../settlement/transaction-state"

/** What Medusa holds for a transaction right now: the other half of a decision. */
export async function loadMedusaState(
  container: MedusaContainer,
  row: TransactionRow
): Promise<MedusaState> {
  const payments = container.resolve<IPaymentModuleService>(Modules.PAYMENT)
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const ofCollection = { payment_collection_id: row.payment_collection_id }

  const [sessions, cart, order] = await Promise.all([
    payments.listPaymentSessions(ofCollection, { relations: ["payment"] }),
    findCart(query, row.payment_collection_id),
    findOrder(query, row.payment_collection_id),
  ])
  // Two tabs may hold sessions of one transaction, and an updated session has moved on to another one: what
  // a session's own data names decides, and among several the one with a payment, then the row's. What another
  // provider's session holds as its data, a browser may have written.
  const named = sessions.filter(
    ({ data, provider_id }) =>
      provider_id === row.provider_id && data.transaction_id === row.transaction_id
  )
  const session =
    named.find(({ payment }) => payment && !payment.canceled_at) ??
    named.find(({ id }) => id === row.session_id) ??
    named[0] ??
    sessions.find(({ id, data }) => id === row.session_id && !data.transaction_id)
  const payment = session?.payment
  const other = sessions.find(
    ({ id, payment: paid }) => id !== session?.id && paid && !paid.canceled_at
  )?.payment

  return {
    session: session
      ? {
          id: session.id,
          status: session.status,
          amount: session.amount as AmountInput,
          currency: session.currency_code,
        }
      : null,
    payment: payment
      ? {
          id: payment.id,
          captured: Boolean(payment.captured_at),
          canceled: Boolean(payment.canceled_at),
        }
      : null,
    otherPayment: other ? { id: other.id } : null,
    cart,
    order: order && (await judgedOrder(container, row, order, payment?.id ?? null)),
  }
}

async function judgedOrder(
  container: MedusaContainer,
  row: TransactionRow,
  order: FoundOrder,
  paymentId: string | null
): Promise<MedusaState["order"]> {
  // Money that is there is for the order, however it stands with other payments.
  const hope = isClosed(row.state) ? await hopeFor(container, row.id, order) : "open"
  // Our rows know an order from when Medusa tells of it.
  const isUntold = row.cart_id !== null && row.order_id === null
  const owed = order.owedWithout(paymentId)
  return {
    id: order.id,
    canceled: order.canceled,
    owed,
    unpaid: hope === "lost",
    leftUnpaid: hope === "never promised" && isUntold && compareAmounts(owed, "0") > 0,
  }
}

/** Whether our payments, on whose promise an order may have been placed, or another way to pay can still pay for it. */
async function hopeFor(
  container: MedusaContainer,
  rowId: string,
  { collections, isPaid }: FoundOrder
): Promise<"open" | "lost" | "never promised"> {
  if (isPaid) {
    return "open"
  }
  const { transactions } = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const ids = collections.map(({ id }) => id)
  const { isDeferred, isPayable } = await transactions.promisesIn(ids, rowId)
  // Our own sessions say nothing: what they can still be paid by are our rows.
  const ours = await transactions.providersIn(ids)
  const hasOtherWay = collections
    .flatMap(({ payment_sessions = [] }) => payment_sessions)
    .some((session) => !isClosedSession(session) && !ours.includes(session.provider_id))
  return isPayable || hasOtherWay ? "open" : isDeferred ? "lost" : "never promised"
}

function isClosedSession({ status, payment }: PaymentSession): boolean {
  return status === "canceled" || status === "error" || Boolean(payment?.canceled_at)
}
