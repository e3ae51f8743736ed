import type { MedusaContainer } from "@medusajs/framework/types"

import { findNames, findOrderNumbers } from "../../../../../medusa/search"
import type { TransactionRow } from "../../../../../modules/payment-service"
import * as payments from "../../../../../payments"
import { isProof } from "../../../../../payments/rules/ledger"
import { findRefundable, problemViews } from "../../../../../problems"
import { orderIdsIn, withOrderNumbers } from "../../../../../problems/rules/problems"
import { notFound } from "../../../../../refusals/refused"
import { customersFor, inReadersLanguage, maySeeCustomers } from "../../in-readers-language"
import type { Asked } from "../../in-readers-language"

/** A flood of callbacks does not make a page slow. */
const LATEST_ENTRIES = { order: { at: "DESC" }, take: 500 } as const
const LATEST_PROBLEMS = { order: "-opened_at", limit: 50 } as const
const MOST_BESIDE = 20

/** Answers with the transaction of the address, as it is after `act`. `by` is the id of the admin, or of the API key. */
export const transactionRoute = <Body>(
  act?: (
    ports: payments.SettlePorts,
    asked: { row: TransactionRow; body: Body; by: string }
  ) => Promise<unknown>
) =>
  inReadersLanguage(async (req: Asked<Body>) => {
    const ports = payments.settlePortsOf(req.scope)
    const { module } = ports
    const id = req.params.id ?? ""
    const row = id.startsWith("pstx_")
      ? await module.transactions.find(id)
      : await module.findByTransactionId(id)
    if (!row) throw notFound("no_transaction", id)
    if (!act) return await transactionPage(req, ports, row)
    await act(ports, { row, body: req.validatedBody, by: req.auth_context.actor_id })
    return await transactionPage(req, ports, await module.transactions.get(row.id))
  })

export const GET = transactionRoute()

async function transactionPage(req: Asked, ports: payments.SettlePorts, row: TransactionRow) {
  const { scope } = req
  const { module } = ports
  const [journal, problems, ledger, attempts] = await Promise.all([
    module.listJournalEntries({ transaction_row_id: row.id }, LATEST_ENTRIES),
    module.problemList.page({ transaction_row_id: row.id }, LATEST_PROBLEMS),
    module.ledger.of([row.id]),
    module.transactionList.otherAttempts(row, MOST_BESIDE),
  ])
  const proofs = ledger.filter(isProof)
  const verdict = payments.verdictOf(row, module.clock.now())
  const orderIds = [
    ...[row, ...attempts].flatMap(({ order_id }) => order_id ?? []),
    ...orderIdsIn(verdict.messages),
  ]
  const people = [...journal, ...proofs].map(({ by }) => by)
  const [numbers, names, customers, refunded, refundable, shown] = await Promise.all([
    findOrderNumbers(scope, orderIds),
    findNames(scope, people),
    customersFor(req, [row.customer_id]),
    payments.findRefunded(scope, [row, ...attempts]),
    findRefundable(ports, row),
    asOfItsOrder(scope, row),
  ])
  const beside = { numbers, refunded }
  const nameOf = (id: string | null) => names.get(id ?? "") ?? null
  return {
    transaction: {
      ...payments.shownTransaction(shown, beside),
      refundable_amount: refundable,
      customer_email: customers.get(row.customer_id ?? "")?.email ?? null,
    },
    verdict: { ...verdict, messages: withOrderNumbers(verdict.messages, numbers) },
    journal: journal
      .map(({ at, kind, facts, by }) => ({ at, kind, facts, by, by_name: nameOf(by) }))
      .reverse(),
    problems: await problemViews(scope, problems, { seesCustomers: await maySeeCustomers(req) }),
    refund_proofs: proofs.map(({ id, amount, currency, kind, payout_id, note, by, at }) => {
      const given = { given_by: by, given_at: at, given_by_name: nameOf(by) }
      return { id, amount, currency, kind, payout_id, note, ...given }
    }),
    attempts: attempts.map((attempt) => payments.listedTransaction(attempt, beside)),
  }
}

/** A payment without its address and QR if its order is paid or canceled meanwhile. */
async function asOfItsOrder(scope: MedusaContainer, row: TransactionRow): Promise<TransactionRow> {
  if (row.order_id === null || row.state !== "pending") return row
  const ofOrder = await payments.paymentsOfOrder(scope, row.order_id, MOST_BESIDE)
  return ofOrder.find(({ id }) => id === row.id) ?? row
}
