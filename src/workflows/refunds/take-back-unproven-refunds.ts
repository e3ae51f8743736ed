import type {
  IOrderModuleService,
  IPaymentModuleService,
  RemoteQueryFunction,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules } from "@medusajs/framework/utils"
import {
  createStep,
  createWorkflow,
  StepResponse,
  type WorkflowData,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import { correctOrderTotals } from "./correct-order-totals"
import { followRefundDueOf } from "./follow-refund-due"
import { sumOf } from "./sum-of"

interface OrderPayments {
  payment_collections?: { id: string; payments?: { id: string; provider_id: string }[] }[]
}

const takeBackUnprovenRefundsStep = createStep(
  "take-back-unproven-payment-service-refunds",
  async ({ order_id }: { order_id: string }, { container }) => {
    const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
    const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
    const { data } = await query.graph({
      entity: "order",
      fields: [
        "payment_collections.id",
        "payment_collections.payments.id",
        "payment_collections.payments.provider_id",
      ],
      filters: { id: order_id },
    })
    const order = data[0] as OrderPayments | undefined
    const collections = order?.payment_collections ?? []
    const rows = await module.listTransactions({
      payment_collection_id: collections.map(({ id }) => id),
    })
    const ourProviders = new Set(rows.map(({ provider_id }) => provider_id))
    const ourPayments = collections
      .flatMap(({ payments }) => payments ?? [])
      .filter(({ provider_id }) => ourProviders.has(provider_id))

    const takenBack: string[] = []
    for (const { id } of ourPayments) {
      takenBack.push(...(await unprovenBookings(order_id, id)))
    }
    if (takenBack.length) {
      await container.resolve<IOrderModuleService>(Modules.ORDER).deleteOrderTransactions(takenBack)
    }
    if (ourPayments.length) {
      await correctOrderTotals(container, order_id)
    }
    for (const row of rows.filter(({ paid_at }) => paid_at)) {
      await followRefundDueOf(container, row.id)
    }
    return new StepResponse(takenBack)

    /** Bookings of a payment on the order that go beyond what was really refunded of it. */
    async function unprovenBookings(orderId: string, paymentId: string): Promise<string[]> {
      const refunds = await container
        .resolve<IPaymentModuleService>(Modules.PAYMENT)
        .listRefunds({ payment_id: paymentId })
      const bookings = await container
        .resolve<IOrderModuleService>(Modules.ORDER)
        .listOrderTransactions(
          {
            order_id: orderId,
            reference: "refund",
            reference_id: [paymentId, ...refunds.map(({ id }) => id)],
          },
          { order: { created_at: "ASC" } }
        )
      let proven = sumOf(refunds)
      return bookings.flatMap(({ id, amount }) => {
        const booked = MathBN.abs(amount)
        if (MathBN.lte(booked, proven)) {
          proven = MathBN.sub(proven, booked)
          return []
        }
        return [id]
      })
    }
  }
)

/**
 * When an order is canceled, core books a refund on it whether or not the money went back. For a payment
 * of ours it did not, because the service cannot refund: the booking is taken back, so that the order goes
 * on showing the money as held, and a person is told if it is due.
 */
export const takeBackUnprovenRefundsWorkflow = createWorkflow(
  "take-back-unproven-payment-service-refunds",
  (input: WorkflowData<{ order_id: string }>) =>
    new WorkflowResponse(takeBackUnprovenRefundsStep(input))
)
