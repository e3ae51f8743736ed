import type { TransactionRow } from "../modules/payment-service"
import { refusedPayment } from "../modules/payment-service/refused-deed"
import { type Data, findRow, textOf } from "./find-row"
import { findHeldPayment } from "./load-medusa-state"
import type { Ports } from "./ports"
import { readTransaction } from "./read-transaction"

/** A cart edit waits for this read; with a longer limit, a hung service would block every cart. */
const VETO_TIMEOUT_MS = 2_000

/**
 * Call it when core deletes a session. It refuses for a paid one, because Medusa forgets a deleted session, and its money with
 * it. A session that is not paid, or cannot be read just now, may be deleted, so that a shopper can always edit the cart.
 *
 * @throws MedusaError `NOT_ALLOWED` when the session has money
 */
export async function releaseSession(ports: Ports, data: Data): Promise<void> {
  const row = await findRow(ports, data)
  if (row && (await mustNotBeDeleted(ports, row, textOf(data, "session_id") ?? row.session_id))) {
    throw refusedPayment("being_confirmed")
  }
}

/**
 * Call it when core cancels a payment, also in compensation. It refuses for a paid one, because a canceled payment can never be
 * captured. The service cannot cancel, so an unpaid transaction stays watched.
 *
 * @throws MedusaError `NOT_ALLOWED` when it is paid
 */
export async function requireCancelable(ports: Ports, data: Data): Promise<void> {
  const row = await findRow(ports, data)
  if (row && (await holdsMoney(ports, row))) throw refusedPayment("not_cancelable")
}

/**
 * Whether deleting the session would lose money. Two tabs may have sessions of one transaction; the one through which Medusa took
 * the money must stay.
 */
async function mustNotBeDeleted(ports: Ports, row: TransactionRow, sessionId: string) {
  if (row.handled_at) return false
  if (await findHeldPayment(ports, row, { of: sessionId })) return true
  const isPresent = sessionId === row.session_id
  return (
    isPresent &&
    (await holdsMoney(ports, row)) &&
    !(await findHeldPayment(ports, row, { notOf: sessionId }))
  )
}

/** Whether the row, or a read now, shows it paid, and no person has taken care of it. */
async function holdsMoney(ports: Ports, row: TransactionRow): Promise<boolean> {
  if (row.handled_at || !row.transaction_id) return false
  if (row.paid_at) return true
  const { module } = ports
  const accounts = await module.accounts()
  const look = await readTransaction(module, accounts, row, { timeoutMs: VETO_TIMEOUT_MS }).catch(
    () => null
  )
  return look?.row.paid_at != null
}
