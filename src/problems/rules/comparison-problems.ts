import type { MerchantAccount } from "../../payments/rules/transaction"
import { type Code, joined, money, type Sum, text } from "../../texts"
import {
  causeOfForeignPayments,
  causeOfGone,
  causeOfMissing,
  causeOfPayment,
  causeOfRecord,
} from "./cause"
import { entry } from "./entry"

/** A transaction of ours: its row, and the service's id for it, if that is known. */
interface Ours {
  row: string
  transaction: string | null
}

/** A paid record of the service's list. */
interface PaidRecord extends MerchantAccount {
  record: string
  listed: Sum & { status: string }
}

export type NotHereFacts =
  | (PaidRecord & { found: "unknown_reference"; reference: string })
  | (PaidRecord & Pick<Ours, "row"> & { found: "creation_without_reply" })
  | (PaidRecord & Ours & { found: "second_payment" })
  /** The service lists it as paid, and says otherwise when it is asked for it alone. */
  | (PaidRecord & Ours & { found: "listed_only" })
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
      /** Ids of the first hundred that have a reference like ours: told of here, they are not told of singly later. */
      referenced: string[]
    })

export type NotThereFacts =
  /** The service does not know a payment any more that it had confirmed, or calls it unpaid. */
  | (Ours & { found: "unconfirmed"; seen: Sum; status: string | null })
  /** Medusa holds a captured payment of ours; without a row when this plugin never opened it. */
  | (Partial<Ours> & { found: "held_in_medusa"; payment: string; held: Sum })
  /** Medusa had taken the payment, and now it is deleted there. */
  | (Ours & { found: "payment_gone"; seen: Sum })

/** Problems of the daily comparison, which finds the same ones again: one that a person has closed opens only with other facts. */
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
      if (facts.found === "foreign_payments") {
        const { merchantId, from, to, count } = facts
        const payments = text("counted", "payments", { count })
        const sums = joined(facts.sums.map(money), ", ")
        const found = { merchantId, from, to, count, payments, sums }
        return text("problems", "foreign_payments", found)
      }
      const { status, ...sum } = facts.listed
      const payment = text("problems", "paid_record", { record: facts.record, sum, status })
      return text("problems", facts.found, { payment })
    },
  }),

  /** The service or Medusa does not have a payment that we, or Medusa, have as paid. */
  payment_not_there: entry<NotThereFacts>({
    cause: (facts) => {
      if (facts.found === "held_in_medusa") return causeOfPayment(facts.payment)
      return facts.found === "payment_gone" ? causeOfGone(facts.row) : causeOfMissing(facts.row)
    },
    opensAgainBy: ["found", "seen", "status", "held"],
    actions: ["retry", "handle"],
    text: (facts) => {
      const { found, row } = facts
      const isUnknown = found === "unconfirmed" && facts.status === null
      const code = row === undefined || isUnknown ? `${found}_missing` : found
      return text("problems", code as Code<"problems">, { ...facts })
    },
  }),
}
