import { problemOf, textOf } from "../../problems/rules/problems"
import { textWithWords } from "../../problems/rules/reasons"
import { type Code, NOTHING, text, type Text } from "../../texts"
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
  | "not_opened"
  /** Nobody knows whether the service opened it, what became of it by the end of its time, or what its status means. */
  | "uncertain"
  | "paid_order_pending"
  | "paid"
  /** Money came, and a person has to look at it. */
  | "needs_person"
  | "taken_care_of"

export function verdictOf(row: Transaction, now: Date): { kind: VerdictKind; messages: Text } {
  const trouble = problemOf(row)
  const standing = standingOf(row)
  const status = row.status ?? ""
  const inTrouble = trouble ? textOf(trouble) : { en: status, ru: status }
  const end = endOfTimeToPay(row).toISOString()
  const [reason] = row.exception_reasons ?? []
  // Of a creation that failed, the service's words; nothing for a process that died before it knew.
  const isRefusal = reason && "code" in reason
  const why = isRefusal ? text("problems", "why", { why: textWithWords(reason) }) : NOTHING
  const said = (kind: VerdictKind, code: Code<"verdicts">, moment: Date | number | null = now) => {
    const at = new Date(moment ?? now).toISOString()
    const facts = { paid: paidSum(row), why, status: row.status, end, at }
    return { kind, messages: text("verdicts", code, facts) }
  }
  if (standing === "waiting_for_person" || (trouble && standing !== "taken_care_of")) {
    return { kind: standing === "payable" ? "uncertain" : "needs_person", messages: inTrouble }
  }
  switch (standing) {
    case "opening":
    case "unanswered":
      return said("uncertain", standing)
    case "not_opened":
      return said(standing, standing)
    case "payable":
      if (!isTimeOver(row, now)) return said("not_paid_yet", standing)
      // An answer from before the end says nothing about money that came after it.
      return row.read_at && isTimeOver(row, row.read_at)
        ? said("not_paid", "time_over")
        : said("uncertain", "time_over_unread")
    case "over":
      return said("not_paid", standing)
    case "waiting_for_medusa":
      return said("paid_order_pending", standing, row.paid_at)
    case "settled":
      return said("paid", standing, row.settled_at)
    case "taken_care_of":
      return said(standing, standing, handledAtOf(row))
  }
}
