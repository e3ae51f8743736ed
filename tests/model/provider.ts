import { isProven } from "../../src/settlement/standing"
import { adoptTransaction } from "../../src/transactions/adopt-transaction"
import { authorizeSession } from "../../src/transactions/authorize-session"
import { requireRow } from "../../src/transactions/find-row"
import { openTransaction } from "../../src/transactions/open-transaction"
import { requireRefundProof } from "../../src/transactions/refund-proof"
import { releaseSession, requireCancelable } from "../../src/transactions/release-session"
import { updateSession } from "../../src/transactions/update-session"
import type { Row } from "./books"
import { Refusal } from "./processes"
import type { Payment, Refund, Session } from "./shop"
import type { World } from "./world"

/** Core's calls of `PaymentMethodProvider`, translated as the provider does. */

type SessionData = Session["data"]

export async function initiatePayment(
  { ports }: World,
  session: Session,
  adopt: string | null
): Promise<SessionData> {
  const { amount, currency, id: sessionId } = session
  return toData(
    adopt
      ? await adoptTransaction(ports, { rowId: adopt, sessionId, amount, currency })
      : await openTransaction(ports, { ...openingFor(session), sessionId })
  )
}

export async function updatePayment({ ports }: World, session: Session): Promise<SessionData> {
  const updated = await updateSession(ports, session.data, openingFor(session))
  return updated ? toData(updated.row) : session.data
}

export async function authorizePayment(
  { ports }: World,
  { data }: Session
): Promise<{ status: string; rowId: string }> {
  const { row, status } = await authorizeSession(ports, data)
  return { status, rowId: row.id }
}

export async function capturePayment({ ports, books }: World, payment: Payment): Promise<void> {
  const { transaction_id } = books.retrieve(payment.rowId ?? "")
  if (!isProven(await requireRow(ports, { transaction_id }))) {
    throw new Refusal("the payment service has not confirmed this payment")
  }
}

export async function cancelPayment({ ports, books }: World, rowId: string): Promise<void> {
  const { transaction_id } = books.retrieve(rowId)
  await requireCancelable(ports, { transaction_id })
}

export async function refundPayment(
  { ports, books }: World,
  payment: Payment,
  { id: refundId, amount }: Refund
): Promise<void> {
  const { transaction_id } = books.retrieve(payment.rowId ?? "")
  await requireRefundProof(ports, await requireRow(ports, { transaction_id }), { amount, refundId })
}

export async function deletePayment({ ports }: World, data: SessionData): Promise<void> {
  await releaseSession(ports, data)
}

function openingFor({ amount, currency }: Session) {
  return { method: "sbp", methodCode: 1, amount, currency, clientIp: null, deadline: null }
}

function toData({ transaction_id, session_id }: Row): SessionData {
  return { transaction_id, session_id }
}
