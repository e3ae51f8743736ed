import type * as Medusa from "@medusajs/framework/types"
import { container } from "@medusajs/framework"
import {
  AbstractPaymentProvider,
  ContainerRegistrationKeys,
  ModuleProvider,
  Modules,
} from "@medusajs/framework/utils"

import { PAYMENT_SERVICE_MODULE, type TransactionRow } from "../../modules/payment-service"
import { openTransaction } from "../../payments/open-transaction"
import * as payments from "../../payments/answer-core"
import { portsOf } from "../../payments/read-transaction"
import { requireRefundProof } from "../../payments/follow-order"
import { isProven } from "../../payments/rules/transaction"
import { callbackIds } from "../../service/callback-ids"
import { refusedPayment } from "../../refusals/refused"
import { refusal } from "../../settings/resolve-options"
import { text } from "../../texts"
import { exactAmount } from "../../values/amount"

// The container of the store: a provider's own holds only the payment module's internals.
const ports = portsOf(container)

/** One payment method of the service as a provider of Medusa: it translates between Medusa's calls and the transaction's row. */
export abstract class PaymentMethodProvider extends AbstractPaymentProvider {
  protected abstract readonly methodCode: number

  /** @throws MedusaError when the entry has options, which would be believed to hold and do nothing */
  static override validateOptions(options: object | undefined): void {
    const names = Object.keys(options ?? {})
    if (names.length) {
      throw refusal(`${names.join(", ")} must be given to the plugin, not to its payment provider`)
    }
    const { CONFIG_MODULE, LOGGER } = ContainerRegistrationKeys
    const config = container.resolve<Medusa.ConfigModule | undefined>(CONFIG_MODULE, {
      allowUnregistered: true,
    })
    if (!config || Object.hasOwn(config.modules ?? {}, PAYMENT_SERVICE_MODULE)) return
    const { en } = text("warnings", "no_plugin", { method: this.identifier })
    container.resolve(LOGGER).warn(`Payment Service: ${en}`)
  }

  // The base class hides its constructor, but core constructs providers itself.
  // oxlint-disable-next-line no-useless-constructor
  constructor(cradle: Record<string, unknown>, options?: Record<string, unknown>) {
    super(cradle, options)
  }

  /** Opens a transaction at the service, resumes the open one of this cart, or adopts a paid one. */
  async initiatePayment(input: Medusa.InitiatePaymentInput) {
    const sessionId = payments.textOf(input.data, "session_id")
    if (!sessionId) throw refusedPayment("no_session")
    const opening = {
      sessionId,
      method: this.getIdentifier(),
      methodCode: this.methodCode,
      amount: amountOf(input.amount),
      currency: input.currency_code,
      clientIp: payments.textOf(input.data, "payer_ip"),
      deadline: deadlineOf(input.data),
    }
    const adopted = payments.textOf(input.context, "adopt")
    const row = adopted
      ? await payments.adoptTransaction(ports, { rowId: adopted, ...opening })
      : await openTransaction(ports, opening)
    const status = "pending" as Medusa.PaymentSessionStatus
    return { id: row.transaction_id ?? row.id, data: toSessionData(row), status }
  }

  async updatePayment({ data = {}, amount, currency_code: currency }: Medusa.UpdatePaymentInput) {
    await payments.requireSameSum(ports, data, { amount: amountOf(amount), currency })
    return { data }
  }

  async authorizePayment(input: Medusa.AuthorizePaymentInput) {
    // Core passes the session's id as the key, which finds the row even if core died before it stored our data.
    const data = { session_id: input.context?.idempotency_key, ...input.data }
    const { row, status } = await payments.authorizeSession(ports, data)
    const stored = { ...toSessionData(row), ...input.data }
    return { data: stored, status: status as Medusa.PaymentSessionStatus }
  }

  async getPaymentStatus({ data }: Medusa.GetPaymentStatusInput) {
    const { decision } = await payments.readSession(ports, data)
    return { data: data ?? {}, status: decision.sessionStatus as Medusa.PaymentSessionStatus }
  }

  async retrievePayment({ data }: Medusa.RetrievePaymentInput) {
    const { row, read } = await payments.readSession(ports, data)
    return { data: { ...data, ...toSessionData(row), status: read.status } }
  }

  /** The service captures the money when it is paid, so there is nothing to ask of it. */
  async capturePayment({ data = {} }: Medusa.CapturePaymentInput) {
    if (!isProven(await payments.requireRow(ports, data))) throw refusedPayment("not_confirmed")
    return { data }
  }

  async cancelPayment({ data = {} }: Medusa.CancelPaymentInput) {
    await payments.requireCancelable(ports, data)
    return { data }
  }

  async deletePayment({ data = {} }: Medusa.DeletePaymentInput) {
    await payments.releaseSession(ports, data)
    return { data }
  }

  /** The service cannot refund: money goes back by other ways, and Medusa books a refund only with a proof. */
  async refundPayment({ data = {}, ...input }: Medusa.RefundPaymentInput) {
    await requireRefundProof(ports, await payments.requireRow(ports, data), {
      amount: amountOf(input.amount),
      refundId: input.context?.idempotency_key ?? null,
    })
    return { data }
  }

  /** Medusa's own webhook route only makes rows due: core would believe the request, and act on sessions that are gone. */
  async getWebhookActionAndData({ rawData }: Medusa.ProviderWebhookPayload["payload"]) {
    await ports.module.dueTransactions.hintNamed(callbackIds(String(rawData)))
    return { action: "not_supported" as const }
  }
}

class SbpProvider extends PaymentMethodProvider {
  static override identifier = "sbp"
  protected readonly methodCode = 2
}

class CryptoProvider extends PaymentMethodProvider {
  static override identifier = "crypto"
  protected readonly methodCode = 13
}

/** One class per payment method, so that shoppers choose and admins enable each one per region. */
export const METHOD_PROVIDERS = [SbpProvider, CryptoProvider]

export default ModuleProvider(Modules.PAYMENT, { services: METHOD_PROVIDERS })

function deadlineOf(data: payments.Data): number | null {
  // After a failed creation, core makes the previous session again in the same request, which has no time left then.
  if (payments.textOf(data, "transaction_id")) return Date.now()
  const deadline = data?.answer_by
  return typeof deadline === "number" && Number.isFinite(deadline) ? deadline : null
}

/** The middleware `replaceSessionData` writes this into a shopper's request, in place of the browser's data. */
export interface RequestData {
  payer_ip?: string
  /** The time by which the request must be answered, in milliseconds of `Date.now()`. */
  answer_by: number
}
/** The facts of a transaction that a storefront may see: ids, addresses and amounts only. */
function toSessionData(row: TransactionRow) {
  return {
    session_id: row.session_id,
    transaction_id: row.transaction_id ?? "",
    redirect: row.redirect ?? "",
    method: row.method,
    amount: row.amount,
    currency: row.currency,
    expires_at: row.expires_at?.toISOString() ?? null,
    /** Rubles (or the session's currency) for one USDT, or null. */
    usdt_rate: row.figures?.usdt_rate ?? null,
    // Core does not store undefined values; these are the keys of `RequestData`.
    payer_ip: undefined,
    answer_by: undefined,
  }
}

/** Amounts reach a provider as number, text, or Medusa's raw `{ value }`. */
export function amountOf(amount: unknown): string {
  try {
    return exactAmount({ amount })
  } catch {
    throw refusedPayment("no_amount")
  }
}
