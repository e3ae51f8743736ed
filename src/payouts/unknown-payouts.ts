import type { SettlePorts } from "../payments/core"
import { problem } from "../problems/rules/problems"
import { type Acting, PayoutRefused } from "./may-pay-out"
import { bookPayoutRefund } from "./refund"
import { maskedCard, withoutCardNumbers } from "./rules/card-text"
import { judgeMark } from "./rules/actions"
import { inRubles, PAYOUT_UNKNOWN_MS } from "./rules/payout"
import { isLost, isUnknownSince } from "./statements/payouts"

/** Records that a payout's outcome is unknown after its process died. A process that still lives can record its answer later. */
export async function recordLostPayouts({ module, core }: SettlePorts): Promise<void> {
  const lost = await module.payouts.find(isLost(module.clock.now()))
  for (const { id } of lost) {
    await module.payouts.change(id, async (payout) => {
      const { state, answer_by: until } = payout.row
      if (state !== "sending" || until === null || until > payout.now) return
      await payout.update({
        state: "unknown",
        answer_by: null,
        reason_code: "process_lost",
        reason_facts: {},
      })
      await payout.note("lost", { attempt: payout.row.attempts }, null)
      await payout.publish()
    })
  }
  if (lost.length) await core.sendEvents()
}

/** Opens a problem for each payout whose outcome has been unknown for a while. */
export async function reportUnknownPayouts({ module, core }: SettlePorts): Promise<void> {
  const since = module.clock.now().getTime() - PAYOUT_UNKNOWN_MS
  const unknown = await module.payouts.find(isUnknownSince(new Date(since)))
  for (const { id } of unknown) {
    // The row is locked, so that an outcome which comes meanwhile closes the problem after this.
    await module.payouts.change(id, async ({ row }) => {
      const { state, sent_at: sentAt, order_id, transaction_row_id, amount } = row
      if (state !== "unknown" || !sentAt) return
      const sum = inRubles(String(amount))
      const card = maskedCard(row.card_last4)
      await module.problems.report(
        problem("payout_unknown", { payout: id, sum, card, since: sentAt.toISOString() }),
        { order_id, transaction_row_id, ...sum },
        sentAt
      )
    })
  }
  if (unknown.length) await core.sendEvents()
}

/** Records what an admin found at the service about an unknown payout after so many attempts; it is proof enough. */
export async function markPayout(
  acting: Acting,
  id: string,
  { sent, note: written, attempts }: { sent: boolean; note: string; attempts: number }
): Promise<void> {
  const { module, accounts, admin } = acting
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
  await bookPayoutRefund(acting, row)
}
