import type { RecordDifference } from "./compare-record"
import { reasonsText } from "./problems/reasons"
import { NOTHING, text, type Text } from "../texts"
import { standingOf } from "./standing"
import { paidSum, type Transaction } from "./transaction"

/** The standing of a payment as text. */
export function standingText(row: Transaction): Text {
  return text("standings", standingOf(row))
}

/** Why a payment in Medusa differs from the service's; empty when all is in order. */
export function differenceOfRow(row: Transaction): Text {
  const { exception, exception_reasons: reasons } = row
  if (exception !== null) {
    return reasons?.length ? reasonsText(reasons) : text("exceptions", exception)
  }
  return standingOf(row) === "waiting_for_medusa"
    ? text("recordDifferences", "not_settled")
    : NOTHING
}

/** The difference between a record of the service's list and our row, as text. Only `not_here` has no row. */
export function differenceOfRecord(difference: RecordDifference, row: Transaction | null): Text {
  if (!row) return text("recordDifferences", difference)
  const { status, state } = row
  return text("recordDifferences", difference, { sum: paidSum(row), status: status ?? state })
}

/** Says that a record of the service's list is not as specified; `field` is the first such field, "" for the whole record. */
export function oddRecordText(field: string): Text {
  return text("recordDifferences", field ? "odd_field" : "odd", { field })
}
