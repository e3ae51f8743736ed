import type { Refund } from "../../medusa/payments"
import type { TransactionRow } from "../../modules/payment-service"
import { holdRefunds, provenRefunds } from "../../transactions/refund-requests"
import type { SettlePorts } from "../ports"

/** Core is at a refund for seconds; one without a proof that stays for longer is a dead process's. */
const DEAD_AFTER_MS = 2 * 60_000

/** A payment of a transaction, and the order that its refunds are booked on, if there is one. */
interface Refunded {
  paymentId: string
  orderId: string | null
}

/**
 * Deletes the refunds of a payment that a killed process left. Core writes a refund down before it asks our provider, deletes it
 * when that refuses it, and gives its money to no other refund meanwhile. The provider refuses a deleted one, should its process
 * live after all.
 */
export async function endRefunds(
  ports: SettlePorts,
  { id }: Pick<TransactionRow, "id">,
  payment: Refunded
): Promise<void> {
  const { module, core } = ports
  await holdRefunds(module, payment.orderId ?? id, async () => {
    const refunds = await listRefunds(ports, payment)
    const proven = provenRefunds(await module.ledger.of([id]), refunds)
    const aliveSince = module.clock.now().getTime() - DEAD_AFTER_MS
    for (const refund of refunds) {
      const isDead = !proven.includes(refund) && refund.since.getTime() < aliveSince
      if (isDead) await core.deleteRefund(refund.id)
    }
  })
}

/** A payment's refunds. Those that its order has come first, so that no other refund of their sum takes their proofs. */
export async function listRefunds(
  { medusa }: Pick<SettlePorts, "medusa">,
  { paymentId, orderId }: Refunded
): Promise<Refund[]> {
  const [payment] = await medusa.listPayments({ id: paymentId }, ["refunds"])
  const refunds = payment?.refunds ?? []
  const booked = orderId
    ? await medusa.listBookings(orderId, {
        reference: "refund",
        reference_id: refunds.map(({ id }) => id),
      })
    : []
  const isBooked = ({ id }: Refund) => booked.some(({ referenceId }) => referenceId === id)
  return [...refunds.filter(isBooked), ...refunds.filter((refund) => !isBooked(refund))]
}
