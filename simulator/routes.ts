import { errorReply, Refusal, type Exchange, type Reply } from "./exchange"
import { exportTransactions } from "./export"
import type { Operation } from "./faults"
import { requireMerchantKey, requireSignature } from "./credentials"
import type { SimulatorState } from "./state"
import { createTransaction, transactionDetails } from "./transaction-messages"
import type { SimulatedTransaction } from "./transactions"

/** The answer of an operation; `created` lets a fault send the callback before the reply. */
export interface Outcome {
  reply: Reply
  created?: SimulatedTransaction
}

/** The operation of the service that a request asks for; undefined for pages and control. */
export function operationOf(method: string, path: string): Operation | undefined {
  if (path === "/transaction/process" && method === "POST") return "create"
  if (path === "/transaction/export/json" && method === "POST") return "export"
  if (/^\/transaction\/[^/]+$/.test(path) && method === "GET") return "get"
  if (/^\/subscription(\/[^/]+)?$/.test(path) && method === "GET") return "subscriptions"
  if (path === "/api/v1/cards" && method === "GET") return "cards"
  if (path === "/api/v1/payouts/card-rub" && method === "POST") return "payout"
  if (path.startsWith("/files/") && method === "GET") return "file"
  return /^\/(__simulator|pay|actions)(\/|$)|^\/(favicon\.ico)?$/.test(path) ? undefined : "other"
}

/** Carries out an operation of the service; a refusal becomes an error reply. */
export function perform(
  on: Operation,
  exchange: Exchange,
  state: SimulatorState,
  stale: boolean
): Outcome {
  try {
    return route(on, exchange, state, stale)
  } catch (error) {
    if (error instanceof Refusal) {
      return { reply: errorReply(error.status, error.code, error.message) }
    }
    throw error
  }
}

function route(on: Operation, exchange: Exchange, state: SimulatorState, stale: boolean): Outcome {
  const { settings, transactions, subscriptions, payouts, exportFiles } = state
  const now = state.now()
  const lastSegment = decoded(exchange.path.split("/").pop() ?? "")
  switch (on) {
    case "create": {
      requireMerchantKey(exchange, settings)
      const { transaction, reply } = createTransaction(exchange, settings, transactions)
      return { reply, created: transaction }
    }
    case "get": {
      requireMerchantKey(exchange, settings)
      const transaction = stale ? transactions.stale(lastSegment) : transactions.find(lastSegment)
      if (!transaction) throw new Refusal(404, "not_found", "There is no such transaction.")
      return { reply: transactionDetails(transaction, settings, now) }
    }
    case "export": {
      requireMerchantKey(exchange, settings)
      const all = transactions.all()
      const read = stale ? all.map((current) => transactions.stale(current.id) ?? current) : all
      return { reply: exportTransactions(exchange, settings, read, exportFiles) }
    }
    case "file":
      return { reply: exportFiles.take(exchange.path) }
    case "subscriptions":
      requireMerchantKey(exchange, settings)
      return {
        reply:
          exchange.path === "/subscription"
            ? subscriptions.list(exchange)
            : subscriptions.details(lastSegment),
      }
    case "cards":
      requirePayoutArea(exchange, state)
      return { reply: payouts.listCards(exchange) }
    case "payout":
      requirePayoutArea(exchange, state)
      return { reply: payouts.create(exchange, now) }
    case "other": {
      const hint = exchange.path.endsWith("/") ? " Its addresses do not end with a slash." : ""
      throw new Refusal(404, "not_found", `There is no ${exchange.method} ${exchange.path}.${hint}`)
    }
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Refusal(400, "invalid_address", "The address is not valid.")
  }
}

function requirePayoutArea(exchange: Exchange, state: SimulatorState): void {
  requireSignature(exchange, state.settings, state.now())
  if (!state.settings.payoutsEnabled) {
    throw new Refusal(403, "payouts_disabled", "Payouts are not enabled for this merchant.")
  }
}
