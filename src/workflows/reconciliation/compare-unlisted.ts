import { subjectOf } from "../../modules/payment-service/problems"
import { judgeUnlisted } from "../../settlement/compare-record"
import { surelyListed } from "../../settlement/reconciliation-schedule"
import type { Comparison } from "./comparison"
import { type Page, pagesOf } from "./pages"

const PAGE = 200

/**
 * The other direction: finds rows with money that a complete list did not contain. Each is read from the service alone before it
 * is reported.
 */
export async function compareUnlisted(comparison: Comparison): Promise<void> {
  const { module, merchant, span, startedAt } = comparison
  const opened = surelyListed(span)
  const load = (page: Page) => module.reconciliation.findUnlisted(merchant, opened, startedAt, page)
  for await (const rowIds of pagesOf(PAGE, load)) {
    await comparison.forEach(rowIds, (rowId) => checkSingle(comparison, rowId))
  }
}

async function checkSingle(comparison: Comparison, rowId: string): Promise<void> {
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
