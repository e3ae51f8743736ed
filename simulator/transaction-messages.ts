import { isIP } from "node:net"

import { z } from "zod"

import { checked, json, readJson, Refusal, type Exchange, type Reply } from "./exchange"
import type { Settings } from "./options"
import type { SimulatedTransaction, Transactions } from "./transactions"

const webAddress = z.string().refine((value) => {
  try {
    return ["http:", "https:"].includes(new URL(value).protocol)
  } catch {
    return false
  }
}, "is not a URL")

const creationRequest = z.strictObject({
  paymentMethod: z.int(),
  paymentDetails: z.strictObject({
    amount: z
      .number()
      .positive()
      .refine((value) => /^\d+(\.\d{1,2})?$/.test(String(value)), "has more than two decimals"),
    currency: z.string(),
  }),
  description: z.string(),
  return: webAddress,
  failedUrl: webAddress,
  payload: z.string(),
  metadata: z
    .strictObject({
      userId: z.string().optional(),
      userName: z.string().optional(),
      clientIp: z
        .string()
        .refine((value) => isIP(value) !== 0, "is not an IP address")
        .optional(),
    })
    .optional(),
})

/** `POST /transaction/process`. @throws Refusal 400 */
export function createTransaction(
  exchange: Exchange,
  settings: Settings,
  transactions: Transactions
): { transaction: SimulatedTransaction; reply: Reply } {
  const body = readJson(exchange)
  if (typeof body === "object" && body !== null && "id" in body) {
    throw new Refusal(400, "id_not_allowed", "id must not be sent; the service generates it.")
  }
  const request = checked(creationRequest, body)
  if (!settings.methods[request.paymentMethod]) {
    throw new Refusal(400, "unknown_method", `paymentMethod ${request.paymentMethod} is unknown.`)
  }
  if (!settings.currencies.includes(request.paymentDetails.currency)) {
    throw new Refusal(
      400,
      "unknown_currency",
      `paymentDetails.currency must be one of ${settings.currencies.join(", ")}.`
    )
  }
  if (settings.requireUserId && !request.metadata?.userId) {
    throw new Refusal(400, "user_id_required", "metadata.userId is required for this merchant.")
  }
  const { paymentDetails, metadata, ...rest } = request
  const transaction = transactions.create({
    ...rest,
    amount: paymentDetails.amount,
    currency: paymentDetails.currency,
    metadata: metadata ?? null,
  })
  return { transaction, reply: json(200, creationResponse(transaction, settings)) }
}

function creationResponse(transaction: SimulatedTransaction, settings: Settings) {
  return {
    paymentMethod: methodName(settings, transaction.paymentMethod),
    transactionId: transaction.id,
    redirect: transaction.redirect,
    return: transaction.return,
    paymentDetails: `${transaction.amount} ${transaction.currency}`,
    status: transaction.status,
    expiresIn: timeLeft(transaction.expiresAt, transaction.createdAt),
    merchantId: transaction.merchantId,
    usdtRate: transaction.usdtRate,
  }
}

/** `GET /transaction/{id}`; the misspelt names are the specification's. */
export function transactionDetails(
  transaction: SimulatedTransaction,
  settings: Settings,
  now: number
): Reply {
  return json(200, {
    id: transaction.id,
    status: transaction.status,
    paymentDetails: { amount: transaction.amount, currency: transaction.currency },
    merchantName: transaction.merchantName,
    mechantId: transaction.merchantId,
    comission: transaction.commission,
    paymentMethod: methodName(settings, transaction.paymentMethod),
    expiresIn: timeLeft(transaction.expiresAt, now),
    return: transaction.return,
    comissionUsdt: transaction.commissionUsdt,
    amountUsdt: transaction.amountUsdt,
    qr: transaction.qr,
    payformSuccessUrl: transaction.return,
    payload: transaction.payload,
    comissionType: transaction.commissionType,
    externalId: transaction.externalId,
    description: transaction.description,
  })
}

/** Name of a method code; an unknown code, which only an edit can bring in, is shown itself. */
export function methodName(settings: Settings, code: number): string {
  return settings.methods[code] ?? String(code)
}

/** The time until a moment as `hh:mm:ss`, never negative; hours may exceed 24. */
function timeLeft(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, "0")).join(":")
}
