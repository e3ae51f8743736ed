import type { SettlePorts } from "../payments/core"
import { bookMoneyBack } from "../problems/money-back"
import { problem } from "../problems/rules/problems"
import { type Acting, isToBeDone, PayoutRefused } from "./may-pay-out"
import { maskedCard, withoutCardNumbers } from "./rules/card-text"
import { inRubles, PAYOUT_UNKNOWN_MS } from "./rules/payout"
import { isLost, isUnknownSince } from "./statements/payouts"

/** Records that a payout's outcome is unknown after its process died. A process that still lives can record its answer later. */
export async function recordLostPayouts({ module, core }: SettlePorts): Promise<void> {
  const found = await module.payouts.changeAll(isLost(module.clock.now()), async (payout) => {
    const { state, answer_by: until, attempts: attempt } = payout.row
    if (state !== "sending" || until === null || until > payout.now) return
    const reason = { reason_code: "process_lost", reason_facts: {} }
    await payout.update({ state: "unknown", answer_by: null, ...reason })
    await payout.note("lost", { attempt }, null)
    await payout.publish()
  })
  if (found) await core.sendEvents()
}

export async function reportUnknownPayouts({ module, core }: SettlePorts): Promise<void> {
  const { clock, payouts, problems } = module
  const since = new Date(clock.now().getTime() - PAYOUT_UNKNOWN_MS)
  const found = await payouts.changeAll(isUnknownSince(since), async ({ row }) => {
    const { id, state, sent_at: sentAt, order_id, transaction_row_id, amount } = row
    if (state !== "unknown" || !sentAt) return
    const sum = inRubles(String(amount))
    const card = maskedCard(row.card_last4)
    const facts = { payout: id, sum, card, since: sentAt.toISOString() }
    const subject = { order_id, transaction_row_id, ...sum }
    await problems.report(problem("payout_unknown", facts), subject, sentAt)
  })
  if (found) await core.sendEvents()
}

/** Records what an admin found at the service about an unknown payout after so many attempts; it is proof enough. */
export async function markPayout(
  acting: Acting,
  id: string,
  { sent, note: written, attempts }: { sent: boolean; note: string; attempts: number }
): Promise<void> {
  const { module, admin } = acting
  const note = withoutCardNumbers(written)
  const row = await module.payouts.change(id, async (payout) => {
    if (!isToBeDone("mark", payout.row, acting, sent)) return payout.row
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
  if (row.transaction_row_id !== null) await bookMoneyBack(acting, row.transaction_row_id)
}
