import { setTimeout as sleep } from "node:timers/promises"

import pLimit from "p-limit"

import { atLabelledPoint } from "../database/labelled-points"
import { Queue, queueOf } from "../payments/queue"
import { isUnanswered, reportUnread } from "../payments/report"
import { freshSince } from "../payments/rules/evidence"
import { LONGEST_LAG_MS } from "../payments/rules/timing"
import { bindConfirmed } from "../problems/identify-transaction"
import { causeOfRecord } from "../problems/rules/problems"
import { reasonOf, refusalOf } from "../refusals/reason-of"
import { PaymentServiceError } from "../service/errors"
import { type Comparison, reportNotHere } from "./comparison"
import type { ListedRecord } from "./rules/compare-record"

/** So few that places in the queue are left for payments that somebody waits for. */
const AT_ONCE = 2
/** After so many reads in a row without an answer, the service is not asked until the comparison is made again. */
const MOST_FAILURES_IN_A_ROW = 10

/** Settles the rows that differ: the service's answer for each alone counts. A failed one does not stop the others. */
export async function settleDiffering(comparison: Comparison): Promise<void> {
  const inTurn = pLimit(AT_ONCE)
  const pauseMs = (AT_ONCE * 1_000) / comparison.accounts.store.watcher.readsPerSecond
  const failures: string[] = []
  let inARow = 0
  const attempt = async ([rowId, record]: [string, ListedRecord | null]) => {
    if (inARow >= MOST_FAILURES_IN_A_ROW) return
    // Nobody waits for it. A service that refused because it was asked too often would not be asked for other payments either.
    await sleep(pauseMs)
    try {
      await settle(comparison, rowId, record)
      inARow = 0
    } catch (error) {
      const isAnswered = error instanceof PaymentServiceError && !isUnanswered(error)
      inARow = isAnswered ? 0 : inARow + 1
      failures.push(reasonOf(error))
    }
  }
  // Rows that could not be read before come last, so that they keep no others waiting, comparison after comparison.
  const unread = new Set(await comparison.module.reconciliation.unreadRows(comparison.merchant))
  const wasUnread = ([rowId]: [string, unknown]) => Number(unread.has(rowId))
  const ordered = [...comparison.differing].toSorted((a, b) => wasUnread(a) - wasUnread(b))
  await Promise.all(ordered.map((each) => inTurn(attempt, each)))
  if (failures.length) {
    const untried = inARow >= MOST_FAILURES_IN_A_ROW ? ", and others were not tried" : ""
    const message = `${failures.length} differences could not be looked at${untried}: ${failures[0]}`
    throw new Error(message)
  }
}

/** @param record the paid record of the service's list, if there is one */
async function settle(comparison: Comparison, rowId: string, record: ListedRecord | null) {
  const { module, accounts, merchant, counts } = comparison
  const row = await module.transactions.get(rowId)
  if (!accounts.findForRow(row)) {
    return await reportUnread(module, row, { code: "no_account", detail: "" }, "unread")
  }
  try {
    if (row.transaction_id === null) {
      if (!record) return
      const isBound = await bindConfirmed(module, accounts, row, record.recordId)
      if (!isBound) return await reportNotHere(comparison, record, row)
    }
    await atLabelledPoint("reconciliation:bound")
    const bound = await module.transactions.get(rowId)
    const since = freshSince(module.clock.now())
    const waiting = { mustReadAnew: false, giveUpAt: Date.now() + Queue.longestChangeMs }
    const settled = await queueOf(module).settle(bound, waiting)
    if (Number(settled.read_at) < Number(since)) {
      throw new Error(`transaction ${settled.transaction_id} was not read in time`)
    }
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
    else if (record || row.state === "paid") {
      await reportUnread(module, row, refusalOf(error), "unread")
    }
    throw error
  }
}
