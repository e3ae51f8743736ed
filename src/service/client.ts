import type { z } from "zod"
import { type Call, type CallOptions, ServiceCaller, TIMEOUTS } from "./call"
import { jsonIn, malformed, PaymentServiceError, quoteOf, readText } from "./errors"
import { downloadExport } from "./export"
import * as schemas from "./schemas"

export { type CallOptions, TIMEOUTS, type ReplyFacts, type ServiceConnection } from "./call"
export type * from "./schemas"

const MAX_REPLY_BYTES = 1024 * 1024

export interface CreateTransactionRequest {
  /** Numeric code of the method: 2 is SBP, 13 crypto. */
  paymentMethod: number
  /** Decimal text such as "1199.99". */
  amount: string
  currency: string
  description: string
  /** The payer is sent here after paying. */
  returnUrl: string
  /** The payer is sent here after failing to pay. */
  failedUrl: string
  /** Our reference, which the service returns with the transaction. */
  payload: string
  metadata?: { userId?: string; userName?: string; clientIp?: string }
}

/** Selects the transactions of an export. Codes are numeric, as text; none means all. */
export interface ExportFilter {
  statuses?: string[]
  paymentMethods?: string[]
  from: Date
  to: Date
  /** By default `UTC`. */
  timeZoneId?: string
}

export interface SubscriptionQuery {
  /** Numeric code. */
  status?: number
  from?: Date
  to?: Date
  page?: number
  size?: number
}

export type CreatePayoutRequest = ({ cardId: string } | { cardNumber: string }) & {
  /** Whole rubles, 1000 to 87500. */
  amountRub: number
}

/** A payout whose request is fixed to the byte. */
export interface PreparedPayout {
  /** Exactly the bytes that are sent; they hold the card number, if one was given. */
  readonly body: Buffer
  /** Sends it once. */
  send(options?: CallOptions): Promise<schemas.CreatedPayout>
}

/**
 * The Payment Service's HTTP interface: one method per endpoint whose form the specification shows. Every failure is a
 * `PaymentServiceError`. Clients are cheap; connections are shared by the process.
 */
export class PaymentServiceClient extends ServiceCaller {
  /** Creates a transaction with a chosen method (`POST /transaction/process`); repeated only when it provably was not sent. */
  async createTransaction(request: CreateTransactionRequest, options: CallOptions = {}) {
    const amount = schemas.numberFromDecimal(request.amount)
    if (amount === null) {
      throw new PaymentServiceError("invalid", "The amount is not a positive decimal number")
    }
    const { userId, userName, clientIp } = request.metadata ?? {}
    const confidential = [userId, userName, clientIp].filter((value) => value !== undefined)
    const call: Call = {
      method: "POST",
      url: this.at("/transaction/process"),
      data: jsonBytes({
        paymentMethod: request.paymentMethod,
        paymentDetails: { amount, currency: request.currency },
        description: request.description,
        return: request.returnUrl,
        failedUrl: request.failedUrl,
        payload: request.payload,
        metadata: confidential.length ? { userId, userName, clientIp } : undefined,
      }),
      effect: "creation",
      budgetMs: TIMEOUTS.createMs,
      confidential,
    }
    return this.ask(call, options, schemas.createdTransaction)
  }

  /** Reads a transaction (`GET /transaction/{id}`): `not_found` when it is unknown, `malformed` when another one is answered. */
  async getTransaction(id: string, options: CallOptions = {}) {
    return this.readOne("transaction", id, options, schemas.transactionDetails)
  }

  /**
   * The transactions of a time span (`POST /transaction/export/json`) in batches as they arrive, as the service wrote them, whether
   * as specified or not (`readRecord` reads one), and whether it answers with the records or with a link to them. The time-out
   * limits each silence of the service, before and during its answer, and not the time that the consumer takes. Every record that
   * came is handed on before a time-out is thrown; when a connection breaks, records that the consumer has not asked for may be
   * lost. Only `options.signal` ends an export that goes on for ever. Ending the loop early ends the download.
   *
   * A link is followed once, to the service's own host or one of `export.linkHosts`; a 4xx reply there is `file_refused`.
   */
  exportTransactions(filter: ExportFilter, options: CallOptions = {}) {
    const call: Call = {
      method: "POST",
      url: this.at("/transaction/export/json"),
      headers: { accept: "text/plain" },
      data: jsonBytes({
        statuses: filter.statuses ?? [],
        paymentMethods: filter.paymentMethods ?? [],
        from: filter.from.toISOString(),
        to: filter.to.toISOString(),
        timeZoneId: filter.timeZoneId ?? "UTC",
      }),
      effect: "read",
      budgetMs: TIMEOUTS.exportMs,
    }
    return downloadExport(this, call, options)
  }

  /** One page of subscriptions (`GET /subscription`). What its 404 means is not specified; it is passed on as `not_found`. */
  async listSubscriptions(query: SubscriptionQuery = {}, options: CallOptions = {}) {
    const { status, from, to, page, size } = query
    const span = { from: from?.toISOString(), to: to?.toISOString() }
    const call = this.read("/subscription", { status, ...span, page, size })
    return this.ask(call, options, schemas.subscriptionPage)
  }

  /** Reads a subscription (`GET /subscription/{subscriptionId}`). */
  async getSubscription(id: string, options: CallOptions = {}) {
    return this.readOne("subscription", id, options, schemas.subscription)
  }

  /** The saved cards (`GET /api/v1/cards`, signed), by default active ones; `unreadable` counts those not as specified. */
  async listCards({ onlyActive }: { onlyActive?: boolean } = {}, options: CallOptions = {}) {
    const call = { ...this.read("/api/v1/cards", { onlyActive }), isSigned: true }
    const listed = await this.ask(call, options, schemas.savedCards)
    if (listed.unreadable > 0) {
      this.logger?.warn(
        `Payment Service: ${listed.unreadable} saved cards are left out, because they are not as specified`
      )
    }
    return listed
  }

  /**
   * Prepares a payout to a ruble card (`POST /api/v1/payouts/card-rub`, signed), which can be sent repeatedly with the same
   * bytes. `idempotencyKey` is a new unique text per payout. No sending is repeated automatically: after an error that
   * `mayHaveTakenEffect` the outcome is unknown.
   */
  preparePayout(request: CreatePayoutRequest, idempotencyKey: string): PreparedPayout {
    const { amountRub, ...recipient } = request
    const body = jsonBytes({
      ...recipient,
      amountRub,
      payoutMethod: "CARD",
      currencyRequested: "RUB",
    })
    const call: Call = {
      method: "POST",
      url: this.at("/api/v1/payouts/card-rub"),
      headers: { "Idempotency-Key": idempotencyKey },
      data: body,
      effect: "payout",
      budgetMs: TIMEOUTS.payoutMs,
      isSigned: true,
      // A refusal may repeat the card number in any form.
      isUnquotable: "cardNumber" in request,
    }
    return { body, send: (options = {}) => this.ask(call, options, schemas.createdPayout) }
  }

  private read(path: string, params?: object): Call {
    return { method: "GET", url: this.at(path), params, effect: "read", budgetMs: TIMEOUTS.readMs }
  }

  private at(path: string): string {
    return new URL(path.slice(1), this.base).href
  }

  /** Reads the object with an id. A text that is not a UUID never becomes part of an address. */
  private async readOne<Schema extends z.ZodType<{ id: string }>>(
    what: "transaction" | "subscription",
    id: string,
    options: CallOptions,
    schema: Schema
  ): Promise<z.output<Schema>> {
    if (!schemas.WHOLE_UUID.test(id)) {
      throw new PaymentServiceError("invalid", `This is not a ${what} id: it must be a UUID`)
    }
    const call = { ...this.read(`/${what}/${id}`), isUnquotable: what === "transaction" }
    const found = await this.ask(call, options, schema)
    if (found.id.toLowerCase() === id.toLowerCase()) return found
    throw malformed(call, "is malformed: id is not the one that was asked for")
  }

  private ask<Schema extends z.ZodType>(call: Call, options: CallOptions, schema: Schema) {
    return this.call(call, options, async (body): Promise<z.output<Schema>> => {
      const text = await readText(body, MAX_REPLY_BYTES)
      if (text === null) throw malformed(call, "is larger than 1 MB")
      const wire = jsonIn(text)
      if (wire === undefined) throw malformed(call, "is not JSON")
      const { success, data, error } = schema.safeParse(wire)
      if (success) return data
      // A service may refuse a payment in a reply that looks like a success.
      const said = call.effect === "creation" ? quoteOf(call, text) : undefined
      const { field, reason } = schemas.faultOf(error)
      throw malformed(call, `is malformed: ${field || "it"} ${reason}`, said)
    })
  }
}

function jsonBytes(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}
