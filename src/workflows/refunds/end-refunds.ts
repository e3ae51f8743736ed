import type { Refund } from "../../medusa/payments"
import type { TransactionRow } from "../../modules/payment-service"
import {
  holdRefunds,
  proofsOf,
  provenRefunds,
  unusedProofs,
} from "../../transactions/refund-requests"
import type { SettlePorts } from "../ports"

/** Core is at a refund for seconds; one without a proof that stays for longer is a dead process's. */
const DEAD_AFTER_MS = 2 * 60_000

/**
 * Makes room for a proof that is to be booked: deletes the refunds of a payment that a killed process left, and those of a reversal
 * that the service has withdrawn. Core writes a refund down before it asks our provider, deletes it when that refuses it, and gives
 * its money to no other refund meanwhile. The provider refuses a deleted one, should its process live after all.
 */
export async function endRefunds(
  ports: SettlePorts,
  row: TransactionRow,
  { paymentId, orderId }: { paymentId: string; orderId: string | null }
): Promise<void> {
  const { module, medusa, core } = ports
  await holdRefunds(module, orderId ?? row.id, async () => {
    const [{ refunds } = { refunds: [] }] = await medusa.listPayments({ id: paymentId }, [
      "refunds",
    ])
    const entries = await module.ledger.of([row.id])
    const proofs = proofsOf(row, entries)
    if (!unusedProofs(proofs, refunds).length) return
    const proven = provenRefunds(proofs, refunds)
    const withdrawn = provenRefunds(entries, refunds).filter((one) => !proven.includes(one))
    const aliveSince = module.clock.now().getTime() - DEAD_AFTER_MS
    const isDead = (one: Refund) => !proven.includes(one) && one.since.getTime() < aliveSince
    if (orderId && withdrawn.length) {
      const reference_id = withdrawn.map(({ id }) => id)
      const booked = await medusa.listBookings(orderId, { reference: "refund", reference_id })
      if (booked.length) await core.deleteBookings(booked.map(({ id }) => id))
      await core.correctOrderTotals(orderId)
    }
    for (const refund of refunds) {
      if (withdrawn.includes(refund) || isDead(refund)) await core.deleteRefund(refund.id)
    }
  })
}
