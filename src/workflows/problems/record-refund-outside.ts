import type {
  IEventBusModuleService,
  IOrderModuleService,
  IPaymentModuleService,
  MedusaContainer,
} from "@medusajs/framework/types"
import { MedusaError, Modules, PaymentEvents } from "@medusajs/framework/utils"
import { refundPaymentWorkflow } from "@medusajs/medusa/core-flows"

import { listBookings, listRefunds, sumOf } from "../../medusa/payments"
import type { TransactionRow } from "../../modules/payment-service"
import {
  compareAmounts,
  subtractAmounts,
  toDecimalText,
  toWireAmount,
} from "../../settlement/amount"
import { followRefundDue } from "../../transactions/follow-refund-due"
import { loadMedusaState } from "../settle/load-medusa-state"
import { leaveAlone } from "./leave-alone"
import { actOnProblem, type OpenProblem, requireTransaction } from "./open-problem"

export interface RefundOutsideInput {
  problem_id: string
  /** What went back, if it was said: decimal text. Of what is due, it may be a part. */
  amount: string | null
  /** How the money went back; kept with the proof and the refund. */
  note: string
  given_by: string | null
}

/**
 * The money went back by another way than the service: that is the proof against which Medusa may book a
 * refund, if it holds the payment. Recording it twice, or being killed in between, books one refund.
 */
export async function recordRefundOutside(
  container: MedusaContainer,
  { problem_id, amount, note, given_by }: RefundOutsideInput
): Promise<{ problem_id: string }> {
  await actOnProblem(container, problem_id, "refunded_outside", async (open) => {
    const { module } = open
    const row = requireTransaction(open.row)
    const closed = { resolution: "refunded_outside", by: given_by, note } as const
    const { payment } = await loadMedusaState(container, row)
    if (row.settled_at || payment?.captured) {
      const refund = { amount: await amountToBook(container, open, row, amount), note, given_by }
      if (compareAmounts(refund.amount, 0) > 0) {
        await proveRefund(open, row, refund)
        await bookRefund(container, open, row, refund)
      }
      await module.problems.closeByPerson(problem_id, { ...closed, booked: refund.amount })
      // What is still due is a problem of its own, and what was due of the same money is not any more.
      await followRefundDue(container, row.id)
    } else {
      const back = {
        amount: requireSame(amount, shownAmount(open, row), row.currency),
        currency: row.read_currency ?? row.currency,
      }
      await leaveAlone(container, row, () =>
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
 * How much Medusa is to book, exactly as it holds it: what is due or a part of it, or what else the problem
 * is about, as far as Medusa still holds it. A proof that was begun before is finished.
 *
 * @throws MedusaError `NOT_ALLOWED` when the sum that went back, to the kopeck, is none of these
 */
async function amountToBook(
  container: MedusaContainer,
  open: OpenProblem,
  row: TransactionRow,
  said: string | null
): Promise<string> {
  const { module, problem } = open
  const [begun] = await module.listRefundProofs({ problem_id: problem.id }, { take: 1 })
  if (begun) {
    return requireSame(said, begun.amount, row.currency)
  }
  const { due, held } = await followRefundDue(container, row.id)
  if (problem.kind !== "refund_due") {
    const shown = requireSame(said, shownAmount(open, row), row.currency)
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

function shownAmount({ problem }: OpenProblem, row: TransactionRow): string {
  return problem.amount ?? row.read_amount ?? row.amount
}

/** @returns `amount`, exactly, if that is what a person says, or if they said nothing */
function requireSame(said: string | null, amount: string, currency: string): string {
  if (said !== null && !isSameSum(said, amount)) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      `This problem is about ${toWireAmount(amount)} ${currency} by now, not ${said}. Please look at it again.`
    )
  }
  return toDecimalText(amount)
}

/** Nobody can pay, or type, less than a kopeck. */
const isSameSum = (left: string, right: string) => toWireAmount(left) === toWireAmount(right)

async function proveRefund(
  { module, problem }: OpenProblem,
  row: TransactionRow,
  { amount, note, given_by }: Refund
): Promise<void> {
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
  const { payment, order } = await loadMedusaState(container, row)
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
 * Core's workflow refuses a canceled order (it wants to change what the order is worth), and one that was
 * killed has refunded without booking: every refund of the payment stands on its order afterwards.
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

/** What is proven to have gone back and not booked as a refund yet. */
async function unbookedAmount(
  container: MedusaContainer,
  module: OpenProblem["module"],
  row: TransactionRow,
  paymentId: string
) {
  const proofs = await module.listRefundProofs({ transaction_row_id: row.id }, { take: null })
  return subtractAmounts(sumOf(proofs), sumOf(await listRefunds(container, paymentId)))
}
