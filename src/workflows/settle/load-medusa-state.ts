import type {
  IPaymentModuleService,
  MedusaContainer,
  RemoteQueryFunction,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, type OrderStatus } from "@medusajs/framework/utils"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { isOrderCanceled } from "../../modules/payment-service/canceled-order"
import { findCart } from "../../modules/payment-service/find-cart"
import { type AmountInput, compareAmounts, toDecimalText } from "../../settlement/amount"
import type { MedusaState } from "../../settlement/evidence"

type Located = Pick<
  TransactionRow,
  | "id"
  | "provider_id"
  | "session_id"
  | "transaction_id"
  | "payment_collection_id"
  | "cart_id"
  | "order_id"
>

/** What Medusa holds for a transaction right now: the other half of a decision. */
export async function loadMedusaState(
  container: MedusaContainer,
  row: Located
): Promise<MedusaState> {
  const payments = container.resolve<IPaymentModuleService>(Modules.PAYMENT)
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const ofCollection = { payment_collection_id: row.payment_collection_id }

  const [sessions, cart, order] = await Promise.all([
    payments.listPaymentSessions(ofCollection, { relations: ["payment"] }),
    findCart(query, row.payment_collection_id),
    loadOrder(container, row),
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
    order,
  }
}

interface OrderRecord {
  id: string
  status: OrderStatus
  canceled_at: unknown
  summary: { pending_difference: AmountInput }
  payment_collections: {
    id: string
    payments?: { canceled_at: unknown }[]
    payment_sessions?: {
      status: string
      provider_id: string
      payment?: { canceled_at: unknown } | null
    }[]
  }[]
}

/** The order that the row's collection belongs to, and whether anything pays for it. */
export async function loadOrder(
  container: MedusaContainer,
  row: Pick<Located, "id" | "payment_collection_id" | "cart_id" | "order_id">
): Promise<MedusaState["order"]> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "order_payment_collection",
    fields: [
      "order.id",
      "order.status",
      "order.canceled_at",
      "order.summary.*",
      "order.payment_collections.id",
      "order.payment_collections.payments.canceled_at",
      "order.payment_collections.payment_sessions.status",
      "order.payment_collections.payment_sessions.provider_id",
      "order.payment_collections.payment_sessions.payment.canceled_at",
    ],
    filters: { payment_collection_id: row.payment_collection_id },
  })
  const order = (data[0] as { order?: OrderRecord } | undefined)?.order
  if (!order) {
    return null
  }
  const hope = await hopeFor(container, row.id, order.payment_collections)
  // Our rows know an order from when Medusa tells of it.
  const isUntold = row.cart_id !== null && row.order_id === null
  const { pending_difference: owed } = order.summary
  return {
    id: order.id,
    canceled: isOrderCanceled(order),
    owed,
    unpaid: hope === "lost",
    leftUnpaid:
      hope === "never promised" && isUntold && compareAmounts(toDecimalText(owed), "0") > 0,
  }
}

/** Whether our payments, on whose promise an order may have been placed, or another way to pay can still pay for it. */
async function hopeFor(
  container: MedusaContainer,
  rowId: string,
  collections: OrderRecord["payment_collections"]
): Promise<"open" | "lost" | "never promised"> {
  const { transactions } = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const isPaid = collections.some(({ payments = [] }) =>
    payments.some(({ canceled_at }) => !canceled_at)
  )
  if (isPaid) {
    return "open"
  }
  const ids = collections.map(({ id }) => id)
  const { isDeferred, isPayable } = await transactions.promisesIn(ids, rowId)
  // Our own sessions say nothing: what they can still be paid by are our rows.
  const ours = await transactions.providersIn(ids)
  const hasOtherWay = collections
    .flatMap(({ payment_sessions = [] }) => payment_sessions)
    .some((session) => !isClosed(session) && !ours.includes(session.provider_id))
  return isPayable || hasOtherWay ? "open" : isDeferred ? "lost" : "never promised"
}

function isClosed({
  status,
  payment,
}: {
  status: string
  payment?: { canceled_at: unknown } | null
}) {
  return status === "canceled" || status === "error" || Boolean(payment?.canceled_at)
}
