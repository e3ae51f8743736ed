import {
  causeOfComparison,
  causeOfForeignPayments,
  causeOfGone,
  causeOfPayment,
  causeOfRecord,
} from "../cause"
import type { MerchantAccount } from "../merchant-account"
import { entry } from "./entry"
import { type Refusal, refusalText } from "./refusals"
import { joined, money, type Sum, text, type Text } from "../../texts"

/** A transaction of ours: its row, and the service's id for it, if that is known. */
interface Ours {
  row: string
  transaction: string | null
}

/** A sum with the service's status for it. */
export interface StatedSum extends Sum {
  status: string
}

/** The service's answer to a read of this transaction alone, in contrast to its list. */
export type SingleReadAnswer =
  | ({ answer: "known" } & StatedSum)
  | { answer: "unknown" }
  | { answer: "unreadable"; reason: Refusal }

/** A paid record of the service's list. */
interface PaidRecord extends MerchantAccount {
  record: string
  listed: StatedSum
}

export type NotHereFacts =
  | (PaidRecord & { found: "unknown_reference"; reference: string })
  | (PaidRecord & Pick<Ours, "row"> & { found: "creation_without_reply" })
  | (PaidRecord & Ours & { found: "second_payment" })
  /** All listed payments without a payment of this store, as one problem, except those reported singly. */
  | (MerchantAccount & {
      found: "foreign_payments"
      from: string
      to: string
      count: number
      sums: Sum[]
      /** The service's statuses of them. */
      statuses: string[]
      /** The labels of the methods that were asked for, at the merchant's first account; none means all. */
      methods: string[]
      /** Ids of the first hundred records, in lower case. */
      records: string[]
    })

/** A paid row that is in the list with another sum or status, or is missing there. */
type ListedOtherwise = Ours & {
  found: "listed_otherwise"
  listed: StatedSum
  alone: SingleReadAnswer
}
type NotListed = Ours & { found: "not_listed"; seen: Sum; alone: SingleReadAnswer }

/** A captured payment of Medusa's. */
interface HeldPayment {
  payment: string
  held: Sum
}

export type NotThereFacts =
  | (ListedOtherwise & { seen: Sum })
  | NotListed
  /** Medusa holds the payment; `status` is the service's status for it, null when the service does not know it. */
  | (HeldPayment & Ours & { found: "held_in_medusa"; status: string | null })
  | (HeldPayment & { found: "known_to_nobody" })

/** Medusa had taken the payment, and now it is deleted there. */
type Gone = Ours & { seen: Sum; found: "payment_gone" }

export type RecordsDifferFacts =
  | ListedOtherwise
  | NotListed
  /** Medusa holds a payment that this plugin never opened. `reason` says why it cannot be read; null when it is paid. */
  | (HeldPayment & { found: "never_opened"; reason: Refusal | null })
  | (HeldPayment & Ours & { found: "captured_twice" })
  | (HeldPayment & Ours & { found: "unreadable"; reason: Refusal })
  | Gone

/** The common part of both kinds of problems about payments of this store. */
const ABOUT_OUR_PAYMENTS = {
  cause: (facts: NotThereFacts | RecordsDifferFacts) => {
    if (facts.found === "payment_gone") return causeOfGone(facts.row)
    return "payment" in facts ? causeOfPayment(facts.payment) : causeOfComparison(facts.row)
  },
  opensAgainBy: ["found", "seen", "listed", "held"] as const,
  actions: ["retry", "handle"] as const,
  text: (facts: NotThereFacts | RecordsDifferFacts): Text => {
    switch (facts.found) {
      case "listed_otherwise": {
        const code = "seen" in facts ? "seen_listed_otherwise" : "listed_otherwise"
        const [listed, alone] = [stated(facts.listed), aloneText(facts.alone)]
        return text("problems", code, { ...facts, ours: nameOf(facts), listed, alone })
      }
      case "not_listed":
        return notListed(facts)
      case "held_in_medusa": {
        const { status } = facts
        const code = status === null ? "held_in_medusa_alone" : "held_in_medusa"
        return text("problems", code, { held: heldText(facts), ours: nameOf(facts), status })
      }
      case "known_to_nobody":
        return text("problems", "known_to_nobody", { held: heldText(facts) })
      case "never_opened": {
        const held = heldText(facts)
        return facts.reason
          ? text("problems", "never_opened_unreadable", { held, why: refusalText(facts.reason) })
          : text("problems", "never_opened", { held })
      }
      case "payment_gone":
        return text("problems", "payment_gone", { ...facts, ours: nameOf(facts) })
      default:
        return text("problems", facts.found, {
          held: heldText(facts),
          ours: nameOf(facts),
          why: facts.found === "unreadable" ? refusalText(facts.reason) : undefined,
        })
    }
  },
}

/**
 * Problems of the daily comparison. Every comparison finds the same ones again, so one that a person has closed opens again only
 * with other facts; what is counted of foreign payments moves every day and is none of them.
 */
export const COMPARISON_PROBLEMS = {
  /** The service has a payment that this store does not know. */
  payment_not_here: entry<NotHereFacts>({
    cause: (facts) =>
      facts.found === "foreign_payments"
        ? causeOfForeignPayments(facts)
        : causeOfRecord(facts.merchantId, facts.record),
    opensAgainBy: ["found", "listed"],
    actions: ["handle"],
    text: (facts) => {
      switch (facts.found) {
        case "unknown_reference":
        case "creation_without_reply":
          return text("problems", facts.found, { ...facts, payment: recordText(facts) })
        case "second_payment": {
          const payment = recordText(facts)
          return text("problems", facts.found, { payment, ours: nameOf(facts) })
        }
        case "foreign_payments": {
          const { merchantId, from, to, count } = facts
          const payments = text("counted", "payments", { count })
          const sums = joined(facts.sums.map(money), ", ")
          const found = { merchantId, from, to, count, payments, sums }
          return text("problems", "foreign_payments", found)
        }
      }
    },
  }),

  /** Medusa, or our row, holds a payment that the service does not have. */
  payment_not_there: entry<NotThereFacts>(ABOUT_OUR_PAYMENTS),

  /** The service's list, its answer for the single transaction and Medusa do not agree. */
  records_differ: entry<RecordsDifferFacts>(ABOUT_OUR_PAYMENTS),
}

function notListed({ seen, alone, ...facts }: NotListed): Text {
  return text("problems", `not_listed_${alone.answer}`, {
    seen,
    ours: nameOf(facts),
    status: alone.answer === "known" ? alone.status : undefined,
    why: alone.answer === "unreadable" ? refusalText(alone.reason) : undefined,
  })
}

function aloneText(alone: SingleReadAnswer): Text {
  switch (alone.answer) {
    case "known":
      return stated(alone)
    case "unknown":
      return text("problems", "stated_unknown")
    case "unreadable":
      return text("problems", "stated_unreadable", { why: refusalText(alone.reason) })
  }
}

function recordText({ record, listed: { status, ...sum } }: PaidRecord): Text {
  return text("problems", "paid_record", { record, sum, status })
}

function heldText({ payment, held }: HeldPayment): Text {
  return text("problems", "held", { payment, held })
}

function stated({ status, ...sum }: StatedSum): Text {
  return text("problems", "stated", { sum, status })
}

function nameOf({ row, transaction }: Ours): string {
  return transaction ? `${transaction} (${row})` : row
}
