import type {
  IEventBusModuleService,
  IOrderModuleService,
  IPaymentModuleService,
  MedusaContainer,
} from "@medusajs/framework/types"
import {
  ChangeActionType,
  ContainerRegistrationKeys,
  Modules,
  OrderChangeType,
  PaymentEvents,
  type PaymentSessionStatus,
} from "@medusajs/framework/utils"
import {
  authorizePaymentSessionForOrderWorkflow,
  cancelOrderWorkflow,
  capturePaymentWorkflow,
} from "@medusajs/medusa/core-flows"

import { type OrderToPay, REFUND_CREDIT } from "../medusa/order"
import type { Booking } from "../medusa/payments"
import { reasonOf } from "../modules/payment-service/reason-of"
import { subtractAmounts } from "../settlement/amount"
import type { MedusaState } from "../settlement/evidence"
import type { RowId, SessionId } from "../settlement/ids"
import { type Ports, portsOf } from "../transactions/ports"
import { withCartLock } from "./completion/cart-lock"
import { completeCart } from "./completion/complete-cart"
import { emitOrderPlaced } from "./completion/emit-order-placed"
import { finishKilledCompletion } from "./completion/half-made-orders"
import { sendEvents } from "./events/send-events"
import { collectionForRest } from "./orders/collection-to-pay"
import { copyOrderToCart } from "./orders/copy-order-to-cart"
import { correctOrderTotals } from "./orders/correct-order-totals"

/**
 * The port that changes Medusa for a payment. Each method runs core's own workflow or module, decides nothing, and throws core's
 * refusal. The model test has a core in memory.
 */
export interface Core {
  /** Runs `work` while nobody else changes the cart, order or collection of this id, see `withCartLock`. */
  hold<T>(id: string, work: () => Promise<T>, waitMs?: number): Promise<T>
  /** Finishes killed completions of a held cart. */
  finishKilledCompletion(cartId: string): Promise<unknown>
  /** Completes a held cart; call `ended` after its payment is booked. */
  completeCart(
    rowId: RowId,
    cartId: string
  ): Promise<{ orderId: string; ended: () => Promise<void> }>
  linkOrder(orderId: string, collectionId: string): Promise<void>
  emitOrderPlaced(orderId: string, collectionId: string): Promise<void>
  setCollectionAmount(id: string, sum: { amount: string; currency: string }): Promise<void>
  setSessionStatus(id: SessionId, status: PaymentSessionStatus): Promise<void>
  /** @param adopt id of the row for which the session is made */
  createSession(
    collectionId: string,
    session: { providerId: string; amount: string; currency: string; adopt: string }
  ): Promise<{ id: SessionId }>
  deleteSession(id: SessionId): Promise<void>
  authorizeSession(id: SessionId): Promise<void>
  /** Authorizes a session whose order was placed before its payment. */
  authorizeDeferredSession(id: SessionId): Promise<void>
  capturePayment(id: string): Promise<void>
  /** Emits `payment.captured` for a payment that is booked already. */
  publishCaptured(paymentId: string): Promise<void>
  cancelOrder(id: string): Promise<void>
  /** Refunds a payment without booking it on its order: core's workflow would leave its parts behind when it is killed. */
  refundPayment(refund: Refund): Promise<void>
  bookRefund(orderId: string, refund: Booking, currency: string): Promise<void>
  /**
   * Opens, in one write, a change that will lower an order's worth by what a refund paid back. Core makes no other change of the
   * order until this one is confirmed or canceled.
   *
   * @returns the id of the change
   */
  openCredit(orderId: string, credit: { refundId: string; amount: string }): Promise<string>
  confirmCredit(changeId: string): Promise<void>
  cancelCredit(changeId: string): Promise<void>
  /** Deletes bookings of an order. */
  deleteBookings(ids: string[]): Promise<void>
  correctOrderTotals(orderId: string): Promise<void>
  /** Finds or makes a collection for the sum that an order is still owed. */
  offerRest(order: OrderToPay): Promise<unknown>
  copyOrderToCart(orderId: string): Promise<{ collectionId: string; cart: MedusaState["cart"] }>
  sendEvents(): Promise<void>
}

interface Refund {
  paymentId: string
  /** Decimal text. */
  amount: string
  note: string | null
  by: string | null
}

/** Everything outside that a settle, and a person's actions on problems, use. */
export interface SettlePorts extends Ports {
  core: Core
}

/** The ports of a running store. */
export function settlePortsOf(container: MedusaContainer): SettlePorts {
  const { module, medusa } = portsOf(container)
  return { module, medusa, core: coreOf(container) }
}

function coreOf(container: MedusaContainer): Core {
  const payments = () => container.resolve<IPaymentModuleService>(Modules.PAYMENT)
  const orders = () => container.resolve<IOrderModuleService>(Modules.ORDER)
  const emit = (name: string, paymentId: string) =>
    container
      .resolve<IEventBusModuleService>(Modules.EVENT_BUS)
      .emit({ name, data: { id: paymentId } })
  return {
    hold: (id, work, waitMs) => withCartLock(container, id, work, waitMs),
    finishKilledCompletion: (cartId) => finishKilledCompletion(container, cartId),
    completeCart: (rowId, cartId) => completeCart(container, rowId, cartId),
    linkOrder: async (orderId, collectionId) => {
      await container.resolve(ContainerRegistrationKeys.LINK).create({
        [Modules.ORDER]: { order_id: orderId },
        [Modules.PAYMENT]: { payment_collection_id: collectionId },
      })
    },
    emitOrderPlaced: (orderId, collectionId) => emitOrderPlaced(container, orderId, collectionId),
    setCollectionAmount: async (id, { amount, currency }) => {
      await payments().updatePaymentCollections(id, { amount, currency_code: currency })
    },
    setSessionStatus: async (id, status) => {
      const { data, amount, currency_code } = await payments().retrievePaymentSession(id)
      await payments().updatePaymentSession({
        id,
        data,
        amount,
        currency_code,
        status,
      })
    },
    createSession: (collectionId, { providerId, amount, currency, adopt }) =>
      payments().createPaymentSession(collectionId, {
        provider_id: providerId,
        currency_code: currency,
        amount,
        data: {},
        // The store API cannot set a context, so no shopper can name a transaction to adopt.
        context: { adopt } as object,
      }),
    deleteSession: (id) => payments().deletePaymentSession(id),
    authorizeSession: async (id) => {
      await payments().authorizePaymentSession(id, {})
    },
    authorizeDeferredSession: (id) =>
      orRefusal(
        authorizePaymentSessionForOrderWorkflow(container).run({
          input: { payment_session_id: id },
          throwOnError: false,
        })
      ),
    capturePayment: (id) =>
      orRefusal(
        capturePaymentWorkflow(container).run({ input: { payment_id: id }, throwOnError: false })
      ),
    publishCaptured: (paymentId) => emit(PaymentEvents.CAPTURED, paymentId),
    cancelOrder: (id) =>
      orRefusal(
        cancelOrderWorkflow(container).run({ input: { order_id: id }, throwOnError: false })
      ),
    refundPayment: async (refund) => {
      await payments().refundPayment(toRefundInput(refund))
      await emit(PaymentEvents.REFUNDED, refund.paymentId)
    },
    bookRefund: async (orderId, { id, amount }, currency) => {
      await orders().addOrderTransactions({
        order_id: orderId,
        amount: subtractAmounts(0, amount),
        currency_code: currency.toLowerCase(),
        reference: "refund",
        reference_id: id,
      })
    },
    openCredit: async (orderId, { refundId, amount }) => {
      const { version } = await orders().retrieveOrder(orderId, { select: ["id", "version"] })
      const action = {
        ...{ action: ChangeActionType.CREDIT_LINE_ADD, order_id: orderId, version: version + 1 },
        ...{ reference: REFUND_CREDIT, reference_id: refundId, amount },
      }
      const change = { order_id: orderId, change_type: OrderChangeType.CREDIT_LINE }
      return (await orders().createOrderChange({ ...change, actions: [action] })).id
    },
    confirmCredit: async (changeId) => {
      await orders().confirmOrderChange(changeId)
    },
    cancelCredit: async (changeId) => {
      await orders().cancelOrderChange(changeId)
    },
    deleteBookings: (ids) => orders().deleteOrderTransactions(ids),
    correctOrderTotals: (orderId) => correctOrderTotals(container, orderId),
    offerRest: (order) => collectionForRest(container, order),
    copyOrderToCart: (orderId) => copyOrderToCart(container, orderId),
    sendEvents: () => sendEvents(container),
  }
}

function toRefundInput({ paymentId, amount, note, by }: Refund) {
  return {
    payment_id: paymentId,
    amount,
    ...(note ? { note } : {}),
    ...(by ? { created_by: by } : {}),
  }
}

/** Throws a workflow's first error, in core's words. */
async function orRefusal(run: Promise<{ errors: { error: unknown }[] }>): Promise<void> {
  const [failure] = (await run).errors
  if (failure) throw new Error(reasonOf(failure.error), { cause: failure.error })
}
