import type { z } from "zod"
import type { Call, CallOptions } from "./call"
import { malformed } from "./call-failures"
import { Calls, isoTime, requireHeaderText, type ServiceConnection } from "./calls"
import { numberFromDecimal } from "./decimal"
import { invalidRequest } from "./errors"
import { type ExportedBytes, type ExportedSource, sources, wholeArray } from "./export-bytes"
import { downloadExport, type ExportFilter } from "./export-download"
import { batches, batchesAsSpecified } from "./export-stream"
import { type CreatePayoutRequest, payoutBody } from "./payout-body"
import type { ServiceLogger } from "./redact"
import * as schemas from "./schemas"
import type {
  CreatedPayout,
  CreatedTransaction,
  ExportedTransaction,
  OddTransaction,
  SavedCards,
  Subscription,
  SubscriptionPage,
  TransactionDetails,
} from "./schemas"
import { Transport } from "./transport"
import { WHOLE_UUID } from "./uuid"

export type { CallOptions } from "./call"
export { DEFAULT_SCHEME, DEFAULT_TIMEOUTS, type ServiceConnection } from "./calls"
export type { ExportFilter } from "./export-download"
export type {
  CreatedPayout,
  CreatedTransaction,
  ExportedTransaction,
  OddTransaction,
  SavedCard,
  SavedCards,
  Subscription,
  SubscriptionListItem,
  TransactionDetails,
} from "./schemas"

interface CreateTransactionRequest {
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

interface SubscriptionQuery {
  /** Numeric code. */
  status?: number
  from?: Date
  to?: Date
  page?: number
  size?: number
}

/** A payout whose request is fixed to the byte. */
export interface PreparedPayout {
  /** Exactly the bytes that are sent; they hold the card number, if one was given. */
  readonly body: Buffer
  /** Sends it once. */
  send(options?: CallOptions): Promise<CreatedPayout>
}

/**
 * The Payment Service's HTTP interface: one method per endpoint whose form the specification shows. Every failure is a
 * `PaymentServiceError`. Clients are cheap; connections are shared by the process.
 */
export class PaymentServiceClient {
  private readonly calls: Calls
  private readonly transport: Transport
  private readonly logger?: ServiceLogger

  /**
   * `deps.now` is the wall clock in milliseconds, used for signatures. Throws `invalid` when the connection cannot be
   * used as it is.
   */
  constructor(
    connection: ServiceConnection,
    { logger, now = Date.now }: { logger?: ServiceLogger; now?: () => number } = {}
  ) {
    this.calls = new Calls(connection, now)
    this.transport = new Transport(logger, now)
    this.logger = logger
  }

  /**
   * Creates a transaction with a chosen method (`POST /transaction/process`). Repeated by itself only when the request
   * provably was not sent.
   */
  async createTransaction(
    request: CreateTransactionRequest,
    options: CallOptions = {}
  ): Promise<CreatedTransaction> {
    const amount = numberFromDecimal(request.amount)
    if (amount === null) {
      throw invalidRequest("The amount is not a positive decimal number", "amount")
    }

    const { userId, userName, clientIp } = request.metadata ?? {}
    const hasMetadata = [userId, userName, clientIp].some((value) => value !== undefined)
    const call = this.calls.merchantCall("POST", this.calls.url("/transaction/process"), {
      effect: "creation",
      budgetMs: this.calls.timeouts.createMs,
      confidential: [userId, userName, clientIp].filter((value) => value !== undefined),
      body: {
        paymentMethod: request.paymentMethod,
        paymentDetails: { amount, currency: request.currency },
        description: request.description,
        return: request.returnUrl,
        failedUrl: request.failedUrl,
        payload: request.payload,
        metadata: hasMetadata ? { userId, userName, clientIp } : undefined,
      },
    })
    return this.fetch(call, options, schemas.createdTransaction)
  }

  /**
   * Reads a transaction (`GET /transaction/{id}`). Fails with `not_found` when the service does not know it, and with `malformed`
   * when the service answers with another one.
   */
  async getTransaction(id: string, options: CallOptions = {}): Promise<TransactionDetails> {
    const call = {
      ...this.calls.readCall(`/transaction/${uuidSegment(id, "transaction")}`),
      unquotable: true,
    }
    const details = await this.fetch(call, options, schemas.transactionDetails)
    requireSameId(call, id, details.id)
    return details
  }

  /**
   * The transactions of a time span, one by one (`POST /transaction/export/json`), whether the service answers with the records
   * or with a link to them. The time-out limits each silence of the service, before and during its answer, and not the time that
   * the consumer takes over a record. Every record that came is handed on before a time-out is thrown; when a connection breaks,
   * records that the consumer has not asked for may be lost. Only `options.signal` ends an export that goes on for ever. Ending
   * the loop early ends the download. Records that are not as specified are skipped, and the error of the first is thrown at the
   * end.
   *
   * A link is followed once, to the service's own host or one of `export.linkHosts`; a 4xx reply there is `file_refused`.
   */
  async *exportTransactions(
    filter: ExportFilter,
    options: CallOptions = {}
  ): AsyncGenerator<ExportedTransaction, void, undefined> {
    const parts = [this.calls, this.transport, filter, options] as const
    for await (const batch of downloadExport(...parts, batchesAsSpecified)) {
      for (const record of batch) yield record
    }
  }

  /** The same transactions in batches as they arrive, including those that are not as specified. */
  exportBatches(
    filter: ExportFilter,
    options: CallOptions = {}
  ): AsyncGenerator<(ExportedTransaction | OddTransaction)[], void, undefined> {
    return downloadExport(this.calls, this.transport, filter, options, batches)
  }

  /** The same transactions in the service's own bytes, unparsed. All pieces together are one JSON array. */
  exportBytes(
    filter: ExportFilter,
    options: CallOptions = {}
  ): AsyncGenerator<ExportedBytes, void, undefined> {
    return downloadExport(this.calls, this.transport, filter, options, wholeArray)
  }

  /** The same transactions, each with its own bytes, including those that are not as specified. */
  exportSources(
    filter: ExportFilter,
    options: CallOptions = {}
  ): AsyncGenerator<ExportedSource[], void, undefined> {
    return downloadExport(this.calls, this.transport, filter, options, sources)
  }

  /**
   * One page of recurring subscriptions (`GET /subscription`). The specification lists 404 without saying what it
   * means; it is passed on as `not_found`.
   */
  async listSubscriptions(
    query: SubscriptionQuery = {},
    options: CallOptions = {}
  ): Promise<SubscriptionPage> {
    const call = this.calls.readCall("/subscription", {
      status: query.status,
      from: query.from && isoTime(query.from, "from"),
      to: query.to && isoTime(query.to, "to"),
      page: query.page,
      size: query.size,
    })
    return this.fetch(call, options, schemas.subscriptionPage)
  }

  /** Reads a subscription (`GET /subscription/{subscriptionId}`). */
  async getSubscription(id: string, options: CallOptions = {}): Promise<Subscription> {
    const call = this.calls.readCall(`/subscription/${uuidSegment(id, "subscription")}`)
    const subscription = await this.fetch(call, options, schemas.subscription)
    requireSameId(call, id, subscription.id)
    return subscription
  }

  /**
   * The saved cards (`GET /api/v1/cards`, signed); only active ones unless `onlyActive` is false. `unreadable` counts the listed
   * cards that are not as specified.
   */
  async listCards(
    query: { onlyActive?: boolean } = {},
    options: CallOptions = {}
  ): Promise<SavedCards> {
    const url = this.calls.url("/api/v1/cards", { onlyActive: query.onlyActive })
    const call = this.calls.signedCall("GET", url, {
      effect: "read",
      budgetMs: this.calls.timeouts.readMs,
    })
    const listed = await this.fetch(call, options, schemas.savedCards)
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
   *
   * @throws PaymentServiceError `invalid` without a signing secret
   */
  preparePayout(request: CreatePayoutRequest, idempotencyKey: string): PreparedPayout {
    const body = Buffer.from(JSON.stringify(payoutBody(request)))
    const call = {
      ...this.calls.signedCall("POST", this.calls.url("/api/v1/payouts/card-rub"), {
        effect: "payout",
        budgetMs: this.calls.timeouts.payoutMs,
        idempotencyKey,
        body,
      }),
      // A refusal may repeat the card number in any form.
      unquotable: "cardNumber" in request,
    }
    return { body, send: (options = {}) => this.fetch(call, options, schemas.createdPayout) }
  }

  private fetch<Schema extends z.ZodType>(
    call: Call,
    options: CallOptions,
    schema: Schema
  ): Promise<z.output<Schema>> {
    return this.transport.requestText(call, options, (text) => {
      const reading = schemas.read(schema, parseJson(call, text))
      if (reading.ok) return reading.value
      const { field, reason } = reading
      throw malformed(call, `is malformed: ${field || "it"} ${reason}`, field)
    })
  }
}

/** Returns an id as a path segment; a text that is not a UUID never becomes part of an address. */
function uuidSegment(id: string, what: string): string {
  if (!WHOLE_UUID.test(id))
    throw invalidRequest(`This is not a ${what} id: it must be a UUID`, "id")
  return encodeURIComponent(id)
}

function parseJson(call: Call, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed(call, "is not JSON")
  }
}

function requireSameId(call: Call, asked: string, answered: string): void {
  if (asked.toLowerCase() === answered.toLowerCase()) return
  throw malformed(call, "is malformed: id is not the one that was asked for", "id")
}
