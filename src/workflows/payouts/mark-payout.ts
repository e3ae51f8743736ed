import { judgeMark } from "../../settlement/payouts/deeds"
import { withoutCardNumbers } from "../../settlement/payouts/card-text"
import { lookAtPayout } from "./lost-payouts"
import { followPayout } from "./pay-back"
import type { SettlePorts } from "../ports"
import { PayoutRefused } from "./refused"
import { type PayoutAdmin, requireNamed } from "./rules"

/** An admin's finding in the service's account area. */
interface Finding {
  sent: boolean
  note: string
  /** The number of requests when the admin looked. */
  attempts: number
}

/** Records an admin's finding about an unknown payout; it is proof enough. */
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
    const judgement = judgeMark(payout.row, sent, admin.id, accounts.store.payouts)
    if (judgement === "nothing") return payout.row
    if (judgement !== "do") throw new PayoutRefused(judgement)
    // A request after the admin's look may have gone through.
    if (attempts !== payout.row.attempts) throw new PayoutRefused("changed_since")
    await payout.update({
      state: sent ? "marked_sent" : "marked_not_sent",
      marked_by: admin.id,
      marked_by_name: admin.name,
      marked_at: payout.now,
      mark_note: note,
    })
    await payout.note("marked", { sent, note }, admin)
    if (sent) await payout.proveRefund()
    else await payout.followMoney()
    await payout.closeUnknown()
    return payout.row
  })
  await followPayout(ports, row)
}
