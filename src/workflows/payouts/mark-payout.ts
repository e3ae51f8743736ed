import { judgeMark } from "../../settlement/payouts/deeds"
import { withoutCardNumbers } from "../../settlement/payouts/card-text"
import { lookAtPayout } from "./lost-payouts"
import { followPayout } from "./pay-back"
import type { SettlePorts } from "../ports"
import { PayoutRefused } from "./refused"
import { type PayoutAdmin, requireNamed, rulesFor } from "./rules"

/** An admin's finding in the service's account area. */
interface Finding {
  sent: boolean
  note: string
  /** The number of requests when the admin looked. */
  attempts: number
}

/** Records an admin's finding about an unknown payout. With approval, it counts only when a second admin agrees. */
export async function markPayout(
  ports: SettlePorts,
  id: string,
  { sent, note: written, attempts }: Finding,
  admin: PayoutAdmin
): Promise<void> {
  const { module } = ports
  const accounts = await requireNamed(ports, admin)
  await lookAtPayout(ports, id)
  const note = withoutCardNumbers(written)
  const row = await module.payouts.change(id, async (payout) => {
    const judgement = judgeMark(payout.row, sent, admin.id, rulesFor(accounts, payout.row))
    const isOfNow = attempts === payout.row.attempts
    // A request after the admin's look may have gone through.
    if (!isOfNow && (judgement === "mark" || judgement === "propose")) {
      throw new PayoutRefused("changed_since")
    }
    switch (judgement) {
      case "nothing":
        return payout.row
      case "propose":
        await payout.update({
          proposed_sent: sent,
          proposed_by: admin.id,
          proposed_by_name: admin.name,
          mark_note: note,
        })
        await payout.note("mark_proposed", { sent, note }, admin)
        return payout.row
      case "mark":
        await payout.update({
          state: sent ? "marked_sent" : "marked_not_sent",
          marked_by: admin.id,
          marked_by_name: admin.name,
          marked_at: payout.now,
          mark_note: note,
        })
        await payout.note("marked", { sent, note }, admin)
        // An admin's statement is proof enough.
        if (sent) await payout.proveRefund()
        else await payout.followMoney()
        await payout.closeUnknown()
        return payout.row
      default:
        throw new PayoutRefused(judgement)
    }
  })
  await followPayout(ports, row)
}
