import type { OpenCredit } from "../../medusa/order"
import { refused } from "../../modules/payment-service/refused-deed"
import type { SettlePorts } from "../ports"

/** Core confirms a credit some steps after it opened it; one that stays open for longer is a dead process's. */
const DEAD_AFTER_MS = 2 * 60_000

/**
 * Ends the credits of an order that a killed process left open: core makes no other change of the order until then. A credit is
 * confirmed if its refund is booked, and else canceled, because the booking opens another one. The caller must hold the order, so
 * nobody else is at a credit of ours.
 *
 * @throws MedusaError `NOT_ALLOWED` while core itself may still be at one
 */
export async function endCredits(ports: SettlePorts, orderId: string): Promise<void> {
  const { medusa, core, module } = ports
  for (const credit of await medusa.listOpenCredits(orderId)) {
    const ageMs = module.clock.now().getTime() - credit.since.getTime()
    if (credit.refundId === null && ageMs < DEAD_AFTER_MS) throw refused("order_being_changed")
    if (await isBooked(ports, orderId, credit)) {
      await core.confirmCredit(credit.id)
    } else {
      await core.cancelCredit(credit.id)
    }
  }
}

/** Whether a credit's refund is booked. Core opens its own credits after the booking, and writes their amount after that. */
async function isBooked(
  { medusa }: SettlePorts,
  orderId: string,
  { refundId, hasAmount }: OpenCredit
): Promise<boolean> {
  if (refundId === null) return hasAmount
  const bookings = await medusa.listBookings(orderId, {
    reference: "refund",
    reference_id: [refundId],
  })
  return bookings.length > 0
}
