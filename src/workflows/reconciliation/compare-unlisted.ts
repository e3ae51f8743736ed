import { subjectOf } from "../../modules/payment-service/problems"
import { judgeUnlisted } from "../../settlement/compare-record"
import type { RowId } from "../../settlement/ids"
import { surelyListed } from "../../settlement/reconciliation-schedule"
import type { Comparison } from "./comparison"

const PAGE = 200

/**
 * The other direction: finds rows with money that a complete list did not contain. Each is read from the service alone before it
 * is reported.
 */
export async function compareUnlisted(comparison: Comparison): Promise<void> {
  const { module, merchant, span, startedAt } = comparison
  const page = { after: "", limit: PAGE }
  for (;;) {
    const rowIds = await module.reconciliation.findUnlisted(
      merchant,
      surelyListed(span),
      startedAt,
      page
    )
    await comparison.forEach(rowIds, (rowId) => checkSingle(comparison, rowId))
    if (rowIds.length < PAGE) {
      return
    }
    page.after = rowIds.at(-1) ?? ""
  }
}

async function checkSingle(comparison: Comparison, rowId: RowId): Promise<void> {
  const { module, counts } = comparison
  counts.differences++
  const singleRead = await comparison.settle(rowId)
  const row = await module.transactions.get(rowId)
  const judged = judgeUnlisted(row, comparison.statusesOf(row), singleRead)
  if (judged === "settled") {
    counts.settled++
  } else {
    await module.problems.report(judged, subjectOf(row))
  }
}
