import type { TransactionRow } from "../../modules/payment-service"
import { sumOf } from "../../settlement/amount"
import { isReversal, matchProofs, proofsIn } from "../../settlement/ledger"
import { loadMedusaState } from "../../transactions/load-medusa-state"
import type { SettlePorts } from "../ports"
import { withTargetLock } from "../settle/target-lock"
import { listRefunds } from "./end-refunds"

/**
 * Takes back what Medusa booked of a reversal that a person had recorded, because the service confirms the payment again: else
 * the order would be owed money that the shop has. The ledger comes last, so that this goes on after a kill.
 */
export async function endReversals(ports: SettlePorts, row: TransactionRow): Promise<void> {
  const { module, medusa, core } = ports
  const reversals = async () => proofsIn(await module.ledger.of([row.id])).filter(isReversal)
  if (!(await reversals()).length) return
  await withTargetLock(ports, row, async (held) => {
    const ended = await reversals()
    const { payment, order } = await loadMedusaState(ports, held)
    if (!ended.length) return
    if (payment) {
      const orderId = order?.id ?? null
      const all = await listRefunds(ports, { paymentId: payment.id, orderId })
      const { proven } = matchProofs(ended, all)
      const ids = proven.map(({ id }) => id)
      if (orderId) {
        const bookings = await medusa.listBookings(orderId, {
          reference: "refund",
          reference_id: ids,
        })
        await core.deleteBookings(bookings.map(({ id }) => id))
        await core.correctOrderTotals(orderId)
      }
      for (const id of ids) await core.deleteRefund(id)
      const { payment_collection_id } = held
      const left = await medusa.listPayments({ payment_collection_id }, ["refunds"])
      const refunded = sumOf(left.flatMap(({ refunds }) => refunds))
      await core.setCollectionRefunded(payment_collection_id, refunded)
    }
    const currency = held.currency.toUpperCase()
    const line = { kind: "confirmed", amount: sumOf(ended), currency } as const
    await module.ledger.add({ ...line, transaction_row_id: held.id })
  })
}
