import { setTimeout as sleep } from "node:timers/promises"

import pLimit from "p-limit"

import type { TransactionRow } from "../../modules/payment-service"
import { atLabelledPoint } from "../../modules/payment-service/labelled-points"
import { subjectOf } from "../../modules/payment-service/problems"
import { reasonOf, refusalOf } from "../../modules/payment-service/reason-of"
import { PaymentServiceError } from "../../service/errors"
import { causeOfRecord } from "../../settlement/cause"
import type { ListedRecord } from "../../settlement/compare-record"
import { problem } from "../../settlement/problems"
import { LONGEST_LAG_MS } from "../../settlement/timing"
import type { Refusal } from "../../settlement/problems/refusals"
import { bindConfirmed } from "../problems/identify-transaction"
import { queueOf } from "../settle/queue"
import type { Comparison } from "./comparison"
import { reportNotHere } from "./report-records"

/** Not all at once, because the queue gives each only so much time. */
const AT_ONCE = 4
/** After this many failures in a row, the service is not asked until the comparison is made again. */
const MOST_FAILURES_IN_A_ROW = 10

/**
 * Settles the rows that differ, at the pace that the store allows: the service's answer for each alone counts, and the settle tells
 * what is wrong about it. A failed one does not stop the others.
 *
 * @throws Error when some could not be looked at
 */
export async function settleDiffering(comparison: Comparison): Promise<void> {
  const { differing, limits } = comparison
  const inTurn = pLimit(AT_ONCE)
  const failures = { count: 0, inARow: 0, first: "" }
  let nextAt = performance.now()
  const attempt = async ([rowId, record]: [string, ListedRecord | null]) => {
    if (failures.inARow >= MOST_FAILURES_IN_A_ROW) return
    const wait = nextAt - performance.now()
    nextAt = Math.max(nextAt, performance.now()) + 1_000 / limits.readsPerSecond
    if (wait > 0) await sleep(wait)
    try {
      await settle(comparison, rowId, record)
      failures.inARow = 0
    } catch (error) {
      failures.count++
      failures.inARow++
      failures.first ||= reasonOf(error)
    }
  }
  await Promise.all([...differing].map((each) => inTurn(attempt, each)))
  if (failures.count) {
    const untried = failures.inARow >= MOST_FAILURES_IN_A_ROW ? ", and others were not tried" : ""
    const message = `${failures.count} differences could not be looked at${untried}: ${failures.first}`
    throw new Error(message)
  }
}

/** @param record the paid record of the service's list, if there is one */
async function settle(
  comparison: Comparison,
  rowId: string,
  record: ListedRecord | null
): Promise<void> {
  const { module, accounts, merchant, counts, limits } = comparison
  const row = await module.transactions.get(rowId)
  if (!accounts.findForRow(row)) {
    return await reportUnread(comparison, row, { code: "no_account", detail: "" })
  }
  try {
    if (row.transaction_id === null) {
      if (!record) return
      const isBound = await bindConfirmed(module, accounts, row, record.recordId)
      if (!isBound) return await reportNotHere(comparison, record, row)
    }
    await atLabelledPoint("reconciliation:bound")
    const bound = await module.transactions.get(rowId)
    const settled = await queueOf(module).settle(bound, limits.longestSettleMs)
    counts.settled++
    if (!record) return
    if (settled.paid_at !== null) {
      await module.problems.close([causeOfRecord(merchant.merchantId, record.recordId)])
    } else if (module.clock.now().getTime() - settled.opened_at.getTime() >= LONGEST_LAG_MS) {
      await reportNotHere(comparison, record, settled)
    }
  } catch (error) {
    if (!(error instanceof PaymentServiceError)) throw error
    // The read itself has told of a paid row that the service does not know.
    const isAnswered = error.kind === "not_found" && (row.state === "paid" || !record)
    if (isAnswered) return
    if (record && row.transaction_id === null) await reportNotHere(comparison, record, row)
    else if (record || row.state === "paid") await reportUnread(comparison, row, refusalOf(error))
    throw error
  }
}

/** Tells of money that cannot be read, until the service answers. */
async function reportUnread(
  { module }: Comparison,
  row: TransactionRow,
  reason: Refusal
): Promise<void> {
  const facts = { row: row.id, transaction: row.transaction_id ?? "", reason }
  await module.problems.report(
    problem("service_unreachable", { ...facts, found: "unread" }),
    subjectOf(row),
    row.hinted_at ?? row.opened_at
  )
}
