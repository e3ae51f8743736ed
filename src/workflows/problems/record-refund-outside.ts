import type {
  IEventBusModuleService,
  IOrderModuleService,
  IPaymentModuleService,
  MedusaContainer,
} from "@medusajs/framework/types"
import { MedusaError, Modules, PaymentEvents } from "@medusajs/framework/utils"
import { refundPaymentWorkflow } from "@medusajs/medusa/core-flows"

import { listBookings, listRefunds, sumOf } from "../../medusa/payments"
import { paymentServiceModule, type TransactionRow } from "../../modules/payment-service"
import {
  compareAmounts,
  subtractAmounts,
  toDecimalText,
  toWireAmount,
} from "../../settlement/amount"
import { causeOfBalance } from "../../settlement/cause"
import { followRefundDue } from "../../transactions/follow-refund-due"
import { type Ports, portsOf } from "../../transactions/ports"
import { loadMedusaState } from "../settle/load-medusa-state"
import { followOrderBalances } from "../settle/order-balance"
import { settlePortsOf } from "../settle/ports"
import { closeHandledPayment } from "./close-handled-payment"
import { actOnProblem, type OpenProblem, requireTransaction } from "./open-problem"

export interface RefundOutsideInput {
  problem_id: string
  /** How much went back, as decimal text, if it was sent. It may be a part of the refund that is due. */
  amount: string | null
  /** How the money went back; kept with the proof and the refund. */
  note: string
  given_by: string | null
}

/**
 * Records that the money went back by another way than the service. If Medusa holds the payment, this is the
 * refund proof against which it books the refund: one only, even if this runs twice or is killed in between.
 */
export async function recordRefundOutside(
  container: MedusaContainer,
  { problem_id, amount, note, given_by }: RefundOutsideInput
): Promise<{ problem_id: string }> {
  const ports = settlePortsOf(container)
  await actOnProblem(ports, problem_id, "refunded_outside", async (open) => {
    const { module } = open
    const row = requireTransaction(open.row)
    const closed = { resolution: "refunded_outside", by: given_by, note } as const
    const { payment } = await loadMedusaState(ports, row)
    if (row.settled_at || payment?.captured) {
      const refund = { amount: await amountToBook(ports, open, row, amount), note, given_by }
      if (compareAmounts(refund.amount, 0) > 0) {
        await proveRefund(container, open, row, refund)
        await bookRefund(container, open, row, refund)
      }
      await module.problems.closeByPerson(problem_id, { ...closed, booked: refund.amount })
      // If more is still due, that is a problem of its own; if nothing is, an open one is closed.
      await followRefundDue(ports, row.id)
      if (row.order_id) await followOrderBalances(ports, [row.order_id])
    } else {
      const back = {
        amount: requireSame(amount, shownAmount(open, row), row.currency),
        currency: row.read_currency ?? row.currency,
      }
      await closeHandledPayment(ports, row, () =>
        module.problems.closeByPerson(problem_id, closed, { of: row.id, back })
      )
    }
  })
  return { problem_id }
}

interface Refund {
  amount: string
  note: string
  given_by: string | null
}

/**
 * How much Medusa is to book, with all its decimals: for a refund due, that sum or a part of it; else the
 * problem's sum, but no more than Medusa still holds. If a proof was recorded before, its sum.
 *
 * @throws MedusaError `NOT_ALLOWED` when the sum that went back is none of these, to the kopeck
 */
async function amountToBook(
  ports: Ports,
  open: OpenProblem,
  row: TransactionRow,
  said: string | null
): Promise<string> {
  const { module, problem } = open
  const [begun] = await module.listRefundProofs({ problem_id: problem.id }, { take: 1 })
  if (begun) {
    return requireSame(said, begun.amount, row.currency)
  }
  const { due, held } = await followRefundDue(ports, row.id)
  if (problem.kind !== "refund_due") {
    const current = await followExcess(ports, problem)
    const shown = requireSame(said, shownAmount({ problem: current }, row), row.currency)
    return isSameSum(shown, held.amount) || compareAmounts(shown, held.amount) > 0
      ? held.amount
      : shown
  }
  if (due === "0") {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      row.exception === "reversed"
        ? "The payment service took this payment back in the meantime, so nothing of it is to be paid back. " +
            'If it was, record it at the problem "reversed" of this payment.'
        : "Nothing of this payment is to be paid back any more."
    )
  }
  const isPart =
    said !== null &&
    compareAmounts(said, 0) > 0 &&
    compareAmounts(said, due) < 0 &&
    !isSameSum(said, due)
  return isPart ? toDecimalText(said) : requireSame(said, due, row.currency)
}

/**
 * The problem as it is now. What an order was paid too much may have gone back as a refund that was asked for.
 *
 * @throws MedusaError `NOT_ALLOWED` when the order was not paid too much any more
 */
async function followExcess(
  ports: Ports,
  problem: OpenProblem["problem"]
): Promise<OpenProblem["problem"]> {
  const { order_id: orderId } = problem
  if (!orderId || problem.cause !== causeOfBalance(orderId)) {
    return problem
  }
  await followOrderBalances(ports, [orderId])
  const now = await ports.module.retrieveProblem(problem.id)
  if (now.closed_at) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "Nothing was paid too much for this order any more."
    )
  }
  return now
}

function shownAmount({ problem }: Pick<OpenProblem, "problem">, row: TransactionRow): string {
  return problem.amount ?? row.read_amount ?? row.amount
}

/**
 * @returns `amount` with all its decimals
 * @throws MedusaError `NOT_ALLOWED` when a person said another sum, to the kopeck
 */
function requireSame(said: string | null, amount: string, currency: string): string {
  if (said !== null && !isSameSum(said, amount)) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      `This problem is about ${toWireAmount(amount)} ${currency} by now, not ${said}. Please look at it again.`
    )
  }
  return toDecimalText(amount)
}

/** Sums are compared to the kopeck: nobody pays or types less. */
const isSameSum = (left: string, right: string) => toWireAmount(left) === toWireAmount(right)

async function proveRefund(
  container: MedusaContainer,
  { problem }: OpenProblem,
  row: TransactionRow,
  { amount, note, given_by }: Refund
): Promise<void> {
  const module = paymentServiceModule(container)
  const [known] = await module.listRefundProofs({ problem_id: problem.id }, { take: 1 })
  if (!known) {
    await module.createRefundProofs({
      transaction_row_id: row.id,
      problem_id: problem.id,
      amount,
      currency: row.read_currency ?? row.currency,
      kind: "outside",
      note,
      given_by,
      given_at: module.clock.now(),
    })
  }
}

/** @throws MedusaError `UNEXPECTED_STATE` when Medusa has lost the payment */
async function bookRefund(
  container: MedusaContainer,
  { module }: OpenProblem,
  row: TransactionRow,
  { amount, note, given_by }: Refund
): Promise<void> {
  const { payment, order } = await loadMedusaState(portsOf(container), row)
  if (!payment?.captured) {
    throw new MedusaError(
      MedusaError.Types.UNEXPECTED_STATE,
      "Medusa no longer shows the payment that it captured. Nothing was booked."
    )
  }
  const missing = await unbookedAmount(container, module, row, payment.id)
  if (compareAmounts(missing, 0) > 0) {
    const input = {
      payment_id: payment.id,
      amount,
      note,
      ...(given_by ? { created_by: given_by } : {}),
    }
    if (order && !order.canceled) {
      await refundPaymentWorkflow(container).run({ input })
    } else {
      await container.resolve<IPaymentModuleService>(Modules.PAYMENT).refundPayment(input)
      await container
        .resolve<IEventBusModuleService>(Modules.EVENT_BUS)
        .emit({ name: PaymentEvents.REFUNDED, data: { id: payment.id } }, {})
    }
  }
  if (order) {
    await bookOnOrder(container, order.id, { paymentId: payment.id, currency: row.currency })
  }
}

/**
 * Books every refund of the payment on its order that is not booked yet. Core's workflow refuses a canceled
 * order, whose worth it would change, and if it is killed, it has refunded without booking.
 */
async function bookOnOrder(
  container: MedusaContainer,
  orderId: string,
  { paymentId, currency }: { paymentId: string; currency: string }
): Promise<void> {
  const refunds = await listRefunds(container, paymentId)
  const booked = await listBookings(container, orderId, { reference: "refund" })
  const missing = refunds.filter(({ id }) => !booked.some(({ referenceId }) => referenceId === id))
  if (missing.length) {
    await container.resolve<IOrderModuleService>(Modules.ORDER).addOrderTransactions(
      missing.map(({ id, amount }) => ({
        order_id: orderId,
        amount: subtractAmounts(0, amount),
        currency_code: currency.toLowerCase(),
        reference: "refund",
        reference_id: id,
      }))
    )
  }
}

/** How much has gone back according to the proofs and is not booked as a refund yet. */
async function unbookedAmount(
  container: MedusaContainer,
  module: OpenProblem["module"],
  row: TransactionRow,
  paymentId: string
) {
  const proofs = await module.listRefundProofs({ transaction_row_id: row.id }, { take: null })
  return subtractAmounts(sumOf(proofs), sumOf(await listRefunds(container, paymentId)))
}
