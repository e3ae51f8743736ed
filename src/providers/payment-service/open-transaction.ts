import { MedusaError } from "@medusajs/framework/utils"

import type {
  AccountOptions,
  PaymentServiceModuleService,
  TransactionRow,
} from "../../modules/payment-service"
import { LONGEST_OPENING_MS } from "../../modules/payment-service/options"
import { reached } from "../../modules/payment-service/labelled-points"
import {
  readTransaction,
  reportRefusedCredentials,
} from "../../modules/payment-service/read-transaction"
import { reasonOf } from "../../modules/payment-service/reason-of"
import type { CreatedTransaction } from "../../service/client"
import { PaymentServiceError } from "../../service/errors"
import { toWireAmount } from "../../settlement/amount"
import { isProven } from "../../settlement/transaction-state"
import { payerMetadata, type PayerMetadata } from "./payer"
import { describePayment } from "./payment-description"
import { toMedusaError } from "./service-errors"
import { findSessionOrigin, type SessionOrigin } from "./store"

/** At most this many creations per cart in ten minutes: a broken storefront must not flood the service. */
const MOST_CREATIONS = 10
const CREATIONS_WINDOW_MS = 10 * 60_000
/** An open payment with less time left than this is not offered again. */
const LEAST_TIME_TO_PAY_MS = 60_000
/** How long the look at other transactions of the same cart may hold up a new one. */
const LOOK_TIMEOUT_MS = 2_000
const LEAST_LOOK_MS = 200
/** A read this recent is not repeated: the request that asks for a session has just looked. */
const FRESH_MS = 2_000
/** Nobody pays faster than this. */
const FIRST_WATCH_MS = 5_000
/** Two tabs open one payment, not two: the second waits this long for the first. */
const OTHER_TAB_WAIT_MS = 2_000

/** The whole request for a session, the look at the cart's other payments and their deletion included. */
const LONGEST_REQUEST_MS = 8_500

/** Since when a request for a session is under way, by payment collection. */
const requests = new Map<string, number>()

/** What a request takes before it comes here is taken from the time of its creation. */
export async function countingFromNow(
  paymentCollectionId: string,
  request: () => Promise<void>
): Promise<void> {
  requests.set(paymentCollectionId, Date.now())
  try {
    await request()
  } finally {
    requests.delete(paymentCollectionId)
  }
}

export interface OpenTransactionInput {
  sessionId: string
  method: string
  /** Numeric method code of the service (specification, `paymentMethod`). */
  methodCode: number
  /** Decimal text, unrounded, in Medusa's currency. */
  amount: string
  currency: string
  clientIp: string | null
}

/**
 * Gives a payment session a transaction at the service: the one that is still open for the same cart,
 * method and amount, else a new one. Our row is written before the call and completed after it, so a
 * transaction exists in our books whatever happens in between.
 *
 * @throws MedusaError with a sentence for the shopper; `NOT_ALLOWED` when the cart is paid already
 */
export async function openTransaction(
  module: PaymentServiceModuleService,
  input: OpenTransactionInput
): Promise<TransactionRow> {
  const now = Date.now()
  const origin = await findSessionOrigin(input.sessionId, input.method)
  const requestedAt = requests.get(origin.paymentCollectionId) ?? now
  const deadline = Math.min(now + LONGEST_OPENING_MS, requestedAt + LONGEST_REQUEST_MS)
  return await module.leases.hold(
    `open:${origin.paymentCollectionId}`,
    { ttlMs: LONGEST_OPENING_MS, waitMs: OTHER_TAB_WAIT_MS },
    () => openOrResume(module, origin, input, deadline)
  )
}

async function openOrResume(
  module: PaymentServiceModuleService,
  origin: SessionOrigin,
  input: OpenTransactionInput,
  deadline: number
): Promise<TransactionRow> {
  const options = module.optionsFor(origin.account)
  const currency = input.currency.toUpperCase()
  if (!options.currencies.includes(currency)) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      `This way to pay takes ${options.currencies.join(", ")}, not ${currency}. Please choose another one.`
    )
  }
  if (origin.orderCanceled) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "This order was canceled, so it cannot be paid any more. Please order again."
    )
  }
  const wireAmount = toWireAmount(input.amount)
  if (Number(wireAmount) <= 0) {
    throw new MedusaError(MedusaError.Types.INVALID_DATA, "There is nothing to pay for.")
  }

  // When a creation has failed, core makes the session before it anew, in the same request.
  const lookMs = Math.max(Math.min(LOOK_TIMEOUT_MS, deadline - Date.now()), LEAST_LOOK_MS)
  const open = await payableTransactions(module, origin.paymentCollectionId, lookMs)
  const resumable = open.find(
    (row) =>
      row.provider_id === origin.providerId &&
      row.base_url === options.baseUrl &&
      row.merchant_id === options.merchantId &&
      row.amount === wireAmount &&
      row.currency === currency &&
      row.redirect !== null &&
      hasTimeToPay(module, row)
  )
  if (resumable) {
    return await module.updateTransactions({
      id: resumable.id,
      session_id: origin.sessionId,
      detached_at: null,
    })
  }
  const metadata = await payerMetadata(options, origin, input.clientIp, module)
  await refuseFlood(module, origin)
  const row = await module.createTransactions({
    account: origin.account,
    base_url: options.baseUrl,
    merchant_id: options.merchantId,
    method: input.method,
    provider_id: origin.providerId,
    session_id: origin.sessionId,
    return_session_id: origin.sessionId,
    payment_collection_id: origin.paymentCollectionId,
    cart_id: origin.cartId,
    order_id: origin.orderId,
    customer_id: origin.customerId,
    amount: wireAmount,
    medusa_amount: input.amount,
    currency,
    opened_at: module.clock.now(),
  })
  await reached("creation:written")
  return await createAtService(module, row, options, {
    paymentMethod: input.methodCode,
    description: describePayment(options.description, origin),
    metadata,
    timeoutMs: Math.min(options.timeouts.createMs, Math.max(deadline - Date.now(), 1_000)),
  })
}

/**
 * Transactions of a collection that can still be paid, each freshly read.
 *
 * @throws MedusaError `NOT_ALLOWED` when one of them is paid: nobody must pay for the same cart again
 */
export async function payableTransactions(
  module: PaymentServiceModuleService,
  paymentCollectionId: string,
  lookMs = LOOK_TIMEOUT_MS
): Promise<TransactionRow[]> {
  const [known] = await module.listTransactions(
    { payment_collection_id: paymentCollectionId, paid_at: { $ne: null }, handled_at: null },
    { take: 1 }
  )
  if (known) {
    throw await alreadyPaid(module, known)
  }
  const rows = await module.listTransactions(
    {
      payment_collection_id: paymentCollectionId,
      state: ["pending", "canceled", "expired"],
      watch_at: { $ne: null },
    },
    { order: { opened_at: "DESC" }, take: MOST_CREATIONS }
  )
  const looked = await Promise.all(
    rows.map(async (row) => {
      if (isFresh(module, row)) {
        return row
      }
      // A service that does not answer must not keep a shopper from choosing another way to pay.
      const look = await readTransaction(module, row, { timeoutMs: lookMs }).catch(() => null)
      return look?.row ?? row
    })
  )
  const paid = looked.find((row) => row.paid_at)
  if (paid) {
    throw await alreadyPaid(module, paid)
  }
  return looked.filter((row) => row.state === "pending")
}

async function alreadyPaid(
  module: PaymentServiceModuleService,
  row: TransactionRow
): Promise<MedusaError> {
  await module.transactions.hint(row.id)
  const received = "A payment for this cart has already been received"
  return new MedusaError(
    MedusaError.Types.NOT_ALLOWED,
    isProven(row) && row.exception === null
      ? `${received} and is being confirmed. Please do not pay again.`
      : `${received}, and the shop has to look at it. Please do not pay again, but contact the shop.`
  )
}

function isFresh(module: PaymentServiceModuleService, row: TransactionRow): boolean {
  return row.read_at !== null && module.clock.now().getTime() - row.read_at.getTime() < FRESH_MS
}

function hasTimeToPay(module: PaymentServiceModuleService, row: TransactionRow): boolean {
  return (
    !row.expires_at ||
    row.expires_at.getTime() - module.clock.now().getTime() > LEAST_TIME_TO_PAY_MS
  )
}

async function refuseFlood(
  module: PaymentServiceModuleService,
  origin: SessionOrigin
): Promise<void> {
  const opened = await module.countOpenedSince(
    origin.cartId
      ? { cart_id: origin.cartId }
      : { payment_collection_id: origin.paymentCollectionId },
    new Date(module.clock.now().getTime() - CREATIONS_WINDOW_MS)
  )
  if (opened >= MOST_CREATIONS) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "Too many payments were started for this cart. Please finish the open one or try again in ten minutes."
    )
  }
}

async function createAtService(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  options: AccountOptions,
  request: {
    paymentMethod: number
    description: string
    metadata: PayerMetadata | undefined
    timeoutMs: number
  }
): Promise<TransactionRow> {
  const back = `${options.backendUrl}/payment-service/return/${row.return_session_id}`
  let created: CreatedTransaction
  try {
    created = await module.clientFor(row.account).createTransaction(
      {
        paymentMethod: request.paymentMethod,
        amount: row.amount,
        currency: row.currency,
        description: request.description,
        returnUrl: `${back}?hint=success`,
        failedUrl: `${back}?hint=failure`,
        payload: row.id,
        ...(request.metadata ? { metadata: request.metadata } : {}),
      },
      { timeoutMs: request.timeoutMs }
    )
  } catch (error) {
    const stray = !(error instanceof PaymentServiceError) || error.mayHaveTakenEffect
    module.logger.error(
      `Payment Service: creating transaction ${row.id} failed` +
        `${stray ? ", it may exist there without our knowing its id" : ""}: ${reasonOf(error)}`
    )
    await module.updateTransactions({ id: row.id, state: stray ? "unknown" : "refused" })
    await reportRefusedCredentials(module, row, error)
    throw toMedusaError(error)
  }
  await reached("creation:answered")
  const now = module.clock.now().getTime()
  const known = {
    id: row.id,
    state: "pending" as const,
    watch_at: new Date(now + FIRST_WATCH_MS),
    status: created.status,
    transaction_id: created.transactionId,
    transaction_key: created.transactionId.toLowerCase(),
    redirect: created.redirect,
    usdt_rate: created.usdtRate === null ? null : String(created.usdtRate),
    expires_at:
      created.expiresInSeconds === null ? null : new Date(now + created.expiresInSeconds * 1000),
  }
  try {
    return await module.updateTransactions(known)
  } catch (error) {
    // The only place that knows the id is the reply in our hands.
    module.logger.error(
      `Payment Service: transaction ${known.transaction_id} was created for ${row.id}, which could not be ` +
        `written down and is tried once more: ${reasonOf(error)}`
    )
    return await module.updateTransactions(known)
  }
}
