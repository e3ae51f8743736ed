import type { PayoutRow } from "../../modules/payment-service/tables"
import type { RefusalCode } from "./payout"

/** The columns of a payout that decide which actions are allowed. */
export type PayoutToJudge = Pick<
  PayoutRow,
  "state" | "made_by" | "edited_by" | "approved_by" | "sent_by"
>

export interface PayoutRules {
  enabled: boolean
  /** A second admin must approve. */
  approval: boolean
  /** The ids of who may act on payouts. */
  users: string[]
  /** Why its request cannot be repeated: its merchant, the signing secret, or the key that knows a typed number is gone. */
  hindrance: RefusalCode | null
}

export const PAYOUT_ACTIONS = ["edit", "approve", "send", "send_again", "mark", "discard"] as const
export type PayoutAction = (typeof PAYOUT_ACTIONS)[number]

/** An action is allowed, changes nothing because it is done already, or is refused with a code. */
type Judgement = "do" | "nothing" | RefusalCode

/** The actions that this admin may do on a payout now. */
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
      if (rules.hindrance !== null) return rules.hindrance
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

/** Whether a payout waits for a second admin before it may be sent. */
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
