import { problemOf, textOf } from "../../problems/rules/problems"
import { textWithWords } from "../../problems/rules/reasons"
import { NOTHING, text, type Text } from "../../texts"
import {
  endOfTimeToPay,
  handledAtOf,
  isTimeOver,
  paidSum,
  standingOf,
  type Transaction,
} from "./transaction"

/** The answer to "the customer says they paid", as a code. */
type VerdictKind =
  | "not_paid_yet"
  /** The time to pay is over, or it was canceled, and no money came. */
  | "not_paid"
  /** The service refused to open it. */
  | "not_opened"
  /** Nobody knows whether the service opened it, what became of it by the end of its time, or what its status means. */
  | "uncertain"
  /** Paid in full. Medusa has not taken it yet. */
  | "paid_order_pending"
  /** Paid in full, and Medusa has it. */
  | "paid"
  /** Money came, and a person has to look at it. */
  | "needs_person"
  | "taken_care_of"

/** The verdict on a transaction in its present state. */
export function verdictOf(row: Transaction, now: Date): { kind: VerdictKind; messages: Text } {
  const trouble = problemOf(row)
  const paid = paidSum(row)
  const end = endOfTimeToPay(row).toISOString()
  const at = (moment: Date | null) => (moment ?? now).toISOString()
  const standing = standingOf(row)
  switch (standing) {
    case "opening":
      return { kind: "uncertain", messages: text("verdicts", standing) }
    case "unanswered":
      return { kind: "uncertain", messages: text("verdicts", standing, { why: whyNotOpened(row) }) }
    case "not_opened":
      return { kind: standing, messages: text("verdicts", standing, { why: whyNotOpened(row) }) }
    case "payable":
      if (trouble) return { kind: "uncertain", messages: textOf(trouble) }
      if (!isTimeOver(row, now)) {
        return { kind: "not_paid_yet", messages: text("verdicts", "payable", { end }) }
      }
      // An answer from before the end says nothing about money that came after it.
      return row.read_at && isTimeOver(row, row.read_at)
        ? { kind: "not_paid", messages: text("verdicts", "time_over", { end }) }
        : { kind: "uncertain", messages: text("verdicts", "time_over_unread", { end }) }
    case "over": {
      if (trouble) return { kind: "needs_person", messages: textOf(trouble) }
      const { status } = row
      return { kind: "not_paid", messages: text("verdicts", "over", { status }) }
    }
    case "waiting_for_medusa": {
      if (trouble) return { kind: "needs_person", messages: textOf(trouble) }
      const facts = { paid, at: at(row.paid_at) }
      return { kind: "paid_order_pending", messages: text("verdicts", standing, facts) }
    }
    case "settled": {
      const facts = { paid, at: at(row.settled_at) }
      return { kind: "paid", messages: text("verdicts", standing, facts) }
    }
    case "waiting_for_person": {
      const status = row.status ?? ""
      const messages = trouble ? textOf(trouble) : { en: status, ru: status }
      return { kind: "needs_person", messages }
    }
    case "taken_care_of": {
      const facts = { paid, at: new Date(handledAtOf(row) ?? now).toISOString() }
      return { kind: "taken_care_of", messages: text("verdicts", standing, facts) }
    }
  }
}

/** Why the service did not open it, with the service's words; empty for a process that died before it knew. */
function whyNotOpened({ exception_reasons: reasons }: Transaction): Text {
  const [reason] = reasons ?? []
  return reason && "code" in reason
    ? text("problems", "why", { why: textWithWords(reason) })
    : NOTHING
}
