import type { PayoutRow } from "../../modules/payment-service/tables"
import type { Code, Sum } from "../../texts"
import { remainder, toWireAmount } from "../../values/amount"
import { clockOf } from "../../values/local-days"

/** The smallest and the largest payout that the service makes, in whole rubles. */
export const SMALLEST_PAYOUT = 1_000
export const LARGEST_PAYOUT = 87_500
export const PAYOUT_CURRENCY = "RUB"

export const inRubles = (amount: string): Sum => ({ amount, currency: PAYOUT_CURRENCY })

/** The states of a payout. The service reports none after `created`; a person may have marked what they found in its account area. */
export const PAYOUT_STATES = [
  "draft", // Nothing was sent.
  "awaiting_approval", // The same, and a second admin must approve it first.
  "sending", // Its request may be under way.
  "created", // The service said so.
  "rejected", // The service refused the first request, or it was not made, so no money went.
  "unknown", // A request may have gone through; only the same request again, or a person, can tell.
  "marked_sent",
  "marked_not_sent",
  "discarded", // It was given up before anything was sent.
] as const
export type PayoutState = (typeof PAYOUT_STATES)[number]

/** The facts of each kind of entry in the journal of payouts, which is their audit. Amounts are whole rubles. */
export interface PayoutFacts {
  made: { amount: number; card: string | null; note: string | null }
  edited: PayoutFacts["made"]
  approved: { amount: number; card: string | null }
  discarded: Record<string, never>
  sending: { attempt: number; amount: number; card: string | null }
  /** The answer to a request. It is late when somebody had already taken the payout for lost. */
  answered: {
    attempt: number
    state: PayoutState
    reason: string | null
    http_status: number | null
    late: boolean
  }
  /** The request was not made after all: payouts were stopped meanwhile, or the server was too slow. */
  not_sent: { attempt: number; reason: "payouts_stopped" | "too_slow" }
  /** The process that was sending it did not come back. */
  lost: { attempt: number }
  marked: { sent: boolean; note: string }
  wrong_number: Record<string, never>
  /** All the store's payouts are stopped or not any more, or the option `payouts.users` names others than before. */
  stopped: Record<string, never>
  resumed: Record<string, never>
  users_changed: { users: string[]; added: string[]; removed: string[] }
}
export type PayoutEntryKind = Exclude<keyof PayoutFacts, "stopped" | "resumed" | "users_changed">

/** A payout whose outcome stays unknown for this long becomes a problem. */
export const PAYOUT_UNKNOWN_MS = 10 * 60_000

export type RefusalCode = Code<"payoutRefusals">
/** Why an action on a payout is refused, with what its text says of a limit or of what is left; whole rubles. */
export type PayoutRefusal = RefusalCode | { code: RefusalCode; limit?: number; left?: number }

export type PayoutToJudge = Pick<
  PayoutRow,
  "state" | "made_by" | "edited_by" | "approved_by" | "sent_by"
>

/** The options that decide: `users` are the ids of who may act, and with `approval` a second admin must approve. */
export interface PayoutRules {
  enabled: boolean
  approval: boolean
  users: string[]
}

export const PAYOUT_ACTIONS = ["edit", "approve", "send", "send_again", "mark", "discard"] as const
export type PayoutAction = (typeof PAYOUT_ACTIONS)[number]

/** An action is allowed, changes nothing because it is done already, or is refused with a code. */
type Judgement = "do" | "nothing" | RefusalCode

export function actionsOf(payout: PayoutToJudge, reader: string, rules: PayoutRules) {
  return PAYOUT_ACTIONS.filter((action) => judge(action, payout, reader, rules) === "do")
}

/** Judges an action, of which `mark` says what became of the payout. The caller has checked that the reader may act at all. */
export function judge(
  action: PayoutAction,
  payout: PayoutToJudge,
  reader: string,
  rules: PayoutRules,
  isSent = true
): Judgement {
  const { state, made_by, approved_by } = payout
  const makers = [made_by, ...editorsOf(payout)]
  switch (action) {
    case "edit":
      return isUnsent(payout) ? "do" : refusedIfClosed(payout, "sent_already")
    case "discard":
      if (state === "discarded") return "nothing"
      return isUnsent(payout) ? "do" : "sent_already"
    case "approve":
      if (!isUnsent(payout)) return refusedIfClosed(payout, "nothing")
      if (makers.includes(reader)) return "own_payout"
      return needsApproval(payout, rules) ? "do" : "nothing"
    case "send": {
      if (!isUnsent(payout)) return refusedIfClosed(payout, "nothing")
      if (needsApproval(payout, rules)) return "awaiting_approval"
      // Its maker may be named no more since the approval; the approver alone is not two persons.
      const others = [...makers, reader].filter((id) => id !== approved_by)
      if (rules.approval && !others.some((id) => rules.users.includes(id))) return "maker_not_named"
      return rules.enabled ? "do" : "payouts_off"
    }
    case "send_again":
      if (isUnsent(payout)) return "never_sent"
      if (state !== "unknown") return refusedIfClosed(payout, "nothing")
      return rules.enabled ? "do" : "payouts_off"
    case "mark":
      if (state === "marked_sent") return isSent ? "nothing" : "marked"
      if (state === "marked_not_sent") return isSent ? "marked" : "nothing"
      if (state !== "unknown") return "not_unknown"
      // With approval, who sent it is not the one who says what became of it.
      return rules.approval && payout.sent_by === reader ? "own_sending" : "do"
  }
}

/** Whether it may still be changed, because nothing was sent and nobody has given it up. */
export const isUnsent = ({ state }: Pick<PayoutToJudge, "state">) =>
  state === "draft" || state === "awaiting_approval"

function needsApproval({ state, approved_by }: PayoutToJudge, { approval, users }: PayoutRules) {
  if (state === "awaiting_approval") return true
  // Nobody has approved a draft from before approval was switched on, nor one whose approver is no longer named.
  return state === "draft" && approval && !users.some((id) => id === approved_by)
}

/** A payout that a person has closed is refused; any other gets the given judgement. */
function refusedIfClosed({ state }: PayoutToJudge, otherwise: Judgement): Judgement {
  if (state === "discarded") return "discarded"
  return state === "marked_sent" || state === "marked_not_sent" ? "marked" : otherwise
}

/** The changes of a payout whose sum or card is another one than before: nobody has seen or approved that one. */
export function revised(payout: PayoutRow, approval: boolean, editor: string) {
  return {
    state: approval || payout.state === "awaiting_approval" ? "awaiting_approval" : "draft",
    revision: payout.revision + 1,
    approved_by: null,
    approved_by_name: null,
    approved_at: null,
    edited_by: [...new Set([...editorsOf(payout), editor])].join(" "),
  } as const
}

const editorsOf = ({ edited_by }: PayoutToJudge) => edited_by?.split(" ") ?? []

/** The day of a time zone, `YYYY-MM-DD`. */
export const localDay = (now: Date, timeZone: string) => clockOf(timeZone)(now).slice(0, 10)

/** The limit that a payout would break on a day of which others have used up a part, or null. Amounts are whole rubles. */
export function brokenLimit(
  amount: number,
  used: number,
  { perPayout, perDay }: { perPayout: number; perDay?: number }
): PayoutRefusal | null {
  if (amount > perPayout) return { code: "above_per_payout", limit: perPayout }
  const left = leftOf(used, perDay)
  return left !== null && amount > left ? { code: "above_per_day", left } : null
}

export const leftOf = (used: number, perDay: number | undefined) =>
  perDay === undefined ? null : Math.max(0, perDay - used)

/** Splits a sum (decimal text) into as few payouts as possible, the largest first, and the rest, for which no payout can be made. */
export function refundParts(left: string, perPayout: number) {
  const parts: number[] = []
  let rubles = wholeRubles(left)
  for (; rubles > perPayout; rubles -= perPayout) parts.push(perPayout)
  if (rubles >= SMALLEST_PAYOUT) parts.push(rubles)
  else if (parts.length > 0) {
    // The last one would be too small, so the one before leaves it as much as it lacks, if that one stays large enough.
    const before = perPayout + rubles - SMALLEST_PAYOUT
    if (before >= SMALLEST_PAYOUT) parts.splice(-1, 1, before, SMALLEST_PAYOUT)
  }
  const paid = parts.reduce((sum, part) => sum + part, 0)
  return { parts, rest: remainder(left, paid) }
}

export const wholeRubles = (sum: string) => Math.max(0, Math.floor(Number(toWireAmount(sum))))
