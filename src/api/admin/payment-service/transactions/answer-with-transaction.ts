import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { MedusaContainer } from "@medusajs/framework/types"

import { findCustomers, findOrderNumbers } from "../../../../medusa/search"
import { findNames } from "../../../../medusa/users"
import { paymentServiceModule, type TransactionRow } from "../../../../modules/payment-service"
import { notFound } from "../../../../modules/payment-service/refused-deed"
import { verdictOf } from "../../../../settlement/verdict"
import { isProof } from "../../../../settlement/ledger"
import { orderIdsIn, withOrderNumbers } from "../../../../settlement/problems/order-numbers"
import { paymentsOfOrder } from "../payments/payments-of-order"
import { problemViews } from "../problems/problem-view"
import { listedTransaction, shownTransaction } from "./transaction-view"

/** So many that a flood of callbacks does not make a page slow. */
const LATEST_ENTRIES = { order: { at: "DESC" }, take: 500 } as const
const MOST_ATTEMPTS = 20
const LATEST_PROBLEMS = { by: "opened_at", descending: true, limit: 50, offset: 0 } as const
const MOST_OF_ORDER = 20

/**
 * Finds the transaction in an address, by our id or the service's.
 *
 * @throws MedusaError `NOT_FOUND`
 */
export async function requireTransaction({
  scope,
  params,
}: MedusaRequest): Promise<TransactionRow> {
  const module = paymentServiceModule(scope)
  const id = params.id ?? ""
  const row = id.startsWith("pstx_")
    ? await module.transactions.find(id)
    : await module.findByTransactionId(id)
  if (!row) throw notFound("no_transaction", id)
  return row
}

/** Answers with a transaction and everything that admins need about it. It does not call the service. */
export async function answerWithTransaction(
  { scope }: MedusaRequest,
  res: MedusaResponse,
  row: TransactionRow
): Promise<void> {
  const module = paymentServiceModule(scope)
  const [journal, problems, ledger, attempts] = await Promise.all([
    module.listJournalEntries({ transaction_row_id: row.id }, LATEST_ENTRIES),
    module.problemList.page({ transaction_row_id: row.id }, LATEST_PROBLEMS),
    module.ledger.of([row.id]),
    module.transactionList.otherAttempts(row, MOST_ATTEMPTS),
  ])
  const proofs = ledger.filter(isProof)
  const verdict = verdictOf(row, module.clock.now())
  const orderIds = [
    ...[row, ...attempts].flatMap(({ order_id }) => order_id ?? []),
    ...orderIdsIn(verdict.messages),
  ]
  const people = [...journal.map(({ by }) => by), ...proofs.map(({ by }) => by)]
  const [numbers, names, customers, shown] = await Promise.all([
    findOrderNumbers(scope, orderIds),
    findNames(scope, people),
    findCustomers(scope, [row.customer_id]),
    asOfItsOrder(scope, row),
  ])
  const nameOf = (id: string | null) => names.get(id ?? "") ?? null
  res.json({
    transaction: {
      ...shownTransaction(shown, numbers),
      customer_email: customers.get(row.customer_id ?? "")?.email ?? null,
    },
    verdict: { ...verdict, messages: withOrderNumbers(verdict.messages, numbers) },
    journal: journal
      .map(({ at, kind, facts, by }) => ({ at, kind, facts, by, by_name: nameOf(by) }))
      .reverse(),
    problems: await problemViews(scope, problems),
    refund_proofs: proofs.map(({ id, amount, currency, kind, payout_id, note, by, at }) => ({
      id,
      amount,
      currency,
      kind,
      payout_id,
      note,
      given_by: by,
      given_at: at,
      given_by_name: nameOf(by),
    })),
    attempts: attempts.map((attempt) => listedTransaction(attempt, numbers)),
  })
}

/** A payment without its address and QR if its order is paid or canceled meanwhile. */
async function asOfItsOrder(scope: MedusaContainer, row: TransactionRow): Promise<TransactionRow> {
  if (row.order_id === null || row.state !== "pending") return row
  const payments = await paymentsOfOrder(scope, row.order_id, MOST_OF_ORDER)
  return payments.find(({ id }) => id === row.id) ?? row
}
