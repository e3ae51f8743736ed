import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  PaymentSessionStatus,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from "@medusajs/framework/types"
import { AbstractPaymentProvider, MedusaError } from "@medusajs/framework/utils"

import type { TransactionRow } from "../../modules/payment-service"
import { callbackIds } from "../../modules/payment-service/callback-ids"
import { reached } from "../../modules/payment-service/labelled-points"
import { readTransaction } from "../../modules/payment-service/read-transaction"
import { isClosed, isProven } from "../../settlement/transaction-state"
import { compareAmounts, toDecimalText, toWireAmount } from "../../settlement/amount"
import { adoptTransaction } from "./adopt-transaction"
import { openTransaction } from "./open-transaction"
import {
  CART_HAS_CHANGED,
  type Data,
  judgeSession,
  readSession,
  requireRow,
  rowOf,
} from "./read-session"
import { requireRefundProof } from "./refund-proof"
import { amountOf, numberOf, textOf, toSessionData } from "./session-data"
import { findPayment, findStoredSession, paymentServiceModule } from "./store"

/** Statuses of a session that is still to be paid. */
const OPEN_SESSION = new Set(["pending", "requires_more", "pending_authorization"])

/** A cart edit waits for this read; longer, and a hung service would lock every basket. */
const VETO_TIMEOUT_MS = 2_000

/**
 * One way to pay at the service, as Medusa sees it. It translates between Medusa's calls and the
 * transaction's row; what a transaction means is decided in `settlement/`, and what follows from it is
 * done by the settle workflow. A further method is a subclass with an identifier and a code.
 */
export abstract class PaymentMethodProvider extends AbstractPaymentProvider {
  /** Numeric code of the method (specification, `paymentMethod`). */
  protected abstract readonly methodCode: number

  // The base class hides its constructor, but core constructs providers itself.
  // eslint-disable-next-line @typescript-eslint/no-useless-constructor
  constructor(cradle: Record<string, unknown>, options?: Record<string, unknown>) {
    super(cradle, options)
  }

  /** Opens a transaction at the service, resumes the one still open for this cart, or adopts a paid one. */
  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const sessionId = requireSessionId(input.data)
    const adopted = textOf(input.context, "adopt")
    const row = adopted
      ? await adoptTransaction(paymentServiceModule(), {
          rowId: adopted,
          sessionId,
          amount: amountOf(input.amount),
          currency: input.currency_code,
        })
      : await this.open(input, sessionId, deadlineOf(input.data))
    return {
      id: row.transaction_id ?? row.id,
      data: toSessionData(row),
      status: "pending" as PaymentSessionStatus,
    }
  }

  /**
   * Another amount or currency needs another transaction; the same ones change nothing. A payment that is
   * over gets none: nobody would be shown it.
   */
  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const row = await rowOf(input.data)
    if (
      row &&
      toWireAmount(row.accepted_amount ?? row.amount) === toWireAmount(amountOf(input.amount)) &&
      row.currency === input.currency_code.toUpperCase()
    ) {
      return { data: { ...input.data, ...toSessionData(row) } }
    }
    const sessionId = row?.session_id ?? requireSessionId(input.data)
    const session = await findStoredSession(sessionId)
    if (session && (!OPEN_SESSION.has(session.status) || (row && isClosed(row.state)))) {
      // A settle closes a session by an update of its status alone.
      if (
        compareAmounts(session.amount, amountOf(input.amount)) === 0 &&
        session.currency === input.currency_code.toLowerCase()
      ) {
        return { data: input.data ?? {} }
      }
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        "This payment was declined, or its time is over. Please start the payment again."
      )
    }
    const opened = await this.open(input, sessionId, numberOf(input.data, "answer_by"))
    return {
      data: { ...input.data, ...toSessionData(opened) },
      status: "pending" as PaymentSessionStatus,
    }
  }

  /**
   * Only a full proof of payment answers `captured`, and an order is promised only on a payment of the sum that
   * it will be worth.
   */
  async authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    // Core names the session as the key, which also serves when it died before it stored our data.
    const data = { session_id: input.context?.idempotency_key, ...input.data }
    const { row, decision } = await judgeSession(data)
    await reached("authorize:judged")
    const sessionId = textOf(data, "session_id")
    if (decision.isOutdated) {
      throw new MedusaError(MedusaError.Types.NOT_ALLOWED, CART_HAS_CHANGED)
    }
    if (decision.sessionStatus === "captured" && (await findPayment(row, { notOf: sessionId }))) {
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        "This payment has been taken already, in another session of the same cart."
      )
    }
    if (decision.sessionStatus === "pending_authorization") {
      await paymentServiceModule().transactions.markDeferred(row.id)
    }
    return {
      data: { ...toSessionData(row), ...input.data },
      status: decision.sessionStatus as PaymentSessionStatus,
    }
  }

  async getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const { decision } = await readSession(input.data)
    return { data: input.data ?? {}, status: decision.sessionStatus as PaymentSessionStatus }
  }

  async retrievePayment(input: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    const { row, read } = await readSession(input.data)
    return { data: { ...input.data, ...toSessionData(row), status: read.status } }
  }

  /** The money is captured when it is paid: there is nothing to ask of the service. */
  async capturePayment(input: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const row = await requireRow(input.data)
    if (!isProven(row)) {
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        "The payment service has not confirmed this payment, so it cannot be captured."
      )
    }
    return { data: input.data ?? {} }
  }

  /**
   * Core cancels in compensation too, and a canceled payment can never be captured: a paid one refuses.
   * Otherwise nothing happens at the service, which cannot cancel; the transaction stays watched.
   */
  async cancelPayment(input: CancelPaymentInput): Promise<CancelPaymentOutput> {
    const row = await rowOf(input.data)
    if (row && (await this.holdsMoney(row))) {
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        "This payment has been paid and cannot be canceled. Pay the money back instead."
      )
    }
    return { data: input.data ?? {} }
  }

  /**
   * A veto for what is paid: Medusa forgets a deleted session, and the money with it. What is not paid,
   * or cannot be read just now, is let go, so that a shopper can always edit the cart.
   */
  async deletePayment(input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    const row = await rowOf(input.data)
    const sessionId = textOf(input.data, "session_id") ?? row?.session_id
    if (row && sessionId && (await this.standsForMoney(row, sessionId))) {
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        "This payment has been paid and is being confirmed; the cart cannot be changed any more."
      )
    }
    return { data: input.data ?? {} }
  }

  /** The interface has no refund: money goes back outside of it, and only a proof of that lets Medusa book it. */
  async refundPayment(input: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const row = await requireRow(input.data)
    await requireRefundProof(paymentServiceModule(), row, {
      amount: toDecimalText(amountOf(input.amount)),
      refundId: input.context?.idempotency_key ?? null,
    })
    return { data: input.data ?? {} }
  }

  /**
   * Medusa's own webhook route only asks for a settle: core never acts for us, because it would act on
   * what the request says, and on sessions that are gone.
   */
  async getWebhookActionAndData({
    rawData,
    data,
  }: ProviderWebhookPayload["payload"]): Promise<WebhookActionResult> {
    const module = paymentServiceModule()
    const ids = callbackIds([data, safelyParsed(rawData)])
    for (const id of ids) {
      const row = await module.findByTransactionId(id)
      if (row) {
        await module.transactions.hint(row.id)
      }
    }
    return { action: "not_supported" }
  }

  private async open(
    input: InitiatePaymentInput | UpdatePaymentInput,
    sessionId: string,
    deadline: number | null
  ): Promise<TransactionRow> {
    return await openTransaction(paymentServiceModule(), {
      sessionId,
      method: this.getIdentifier(),
      methodCode: this.methodCode,
      amount: amountOf(input.amount),
      currency: input.currency_code,
      clientIp: textOf(input.data, "payer_ip"),
      deadline,
    })
  }

  /** Two tabs may have sessions of one transaction: the one that Medusa took the money through has to stay. */
  private async standsForMoney(row: TransactionRow, sessionId: string): Promise<boolean> {
    if (row.handled_at) {
      return false
    }
    if (await findPayment(row, { of: sessionId })) {
      return true
    }
    const hasMovedOn = sessionId !== row.session_id
    return (
      !hasMovedOn && (await this.holdsMoney(row)) && !(await findPayment(row, { notOf: sessionId }))
    )
  }

  /** Paid as far as we know or can find out now, and no person has taken care of it. */
  private async holdsMoney(row: TransactionRow): Promise<boolean> {
    if (row.handled_at || !row.transaction_id) {
      return false
    }
    if (row.paid_at) {
      return true
    }
    const look = await readTransaction(paymentServiceModule(), row, {
      timeoutMs: VETO_TIMEOUT_MS,
    }).catch(() => null)
    return look?.row.paid_at != null
  }
}

/** By when the shopper's request is to be answered, as far as the data says; see `OpenTransactionInput`. */
function deadlineOf(data: Data): number | null {
  // When a creation has failed, core makes the session before it anew with the data that it had, in the
  // same request, whose time is over by then.
  return textOf(data, "transaction_id") ? Date.now() : numberOf(data, "answer_by")
}

function requireSessionId(data: Data): string {
  const sessionId = textOf(data, "session_id")
  if (!sessionId) {
    throw new MedusaError(MedusaError.Types.INVALID_DATA, "A payment needs a payment session.")
  }
  return sessionId
}

function safelyParsed(raw: string | Buffer): unknown {
  try {
    return JSON.parse(raw.toString()) as unknown
  } catch {
    return null
  }
}
