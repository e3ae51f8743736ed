import {
  addAmounts,
  isOwed,
  larger,
  remainder,
  smaller,
  subtractAmounts,
  sumOf,
} from "../../values/amount"

/** Each kind of line says something about an order's money that Medusa's numbers do not. */
export const LEDGER_KINDS = [
  /** A refund was asked for in Medusa and refused, because the service has none. */
  "asked",
  /** Money went back by another way than the service, or by a payout of ours. Medusa books a refund against it. */
  "outside",
  "payout",
  /** The service took the money back itself. Medusa books that, and it is no refund. */
  "reversed",
  /** A person keeps money that was to go back, or took more for a payment than was asked for. */
  "waived",
  /** A person does without money that an order is owed, or took less for a payment than was asked for. */
  "accepted",
] as const
type LedgerKind = (typeof LEDGER_KINDS)[number]

type Kind = Pick<LedgerLine, "kind">

export const isReversal = ({ kind }: Kind) => kind === "reversed"
/** Whether it proves a refund to Medusa. */
export const isProof = ({ kind }: Kind) => ["outside", "payout", "reversed"].includes(kind)

/** The sum of each payment that went back to its payer, by its row. */
export function refundedOf(lines: LedgerLine[]): Map<string, string> {
  const sums = new Map<string, string>()
  for (const line of lines) {
    const rowId = line.transaction_row_id
    if (!rowId || !isProof(line) || isReversal(line)) continue
    sums.set(rowId, addAmounts(sums.get(rowId) ?? "0", line.amount))
  }
  return sums
}

/** Amounts are decimal text. */
export interface LedgerLine {
  kind: LedgerKind
  amount: string
  at: Date
  /** The payment that it is about; absent or null for a decision about the order as a whole. */
  transaction_row_id?: string | null
}

/** An order's money: Medusa's outstanding sum (negative when too much was paid), payments of ours, and the ledger. */
export interface OrderAccount {
  isCanceled: boolean
  outstanding: string
  payments: {
    /** Captures minus refunds that Medusa has booked. */
    amount: string
    /** Went back, and Medusa has no refund for it yet. */
    unbooked: string
    /** The service took it back itself, so the shop does not have it. */
    isReversed: boolean
  }[]
  /** Oldest first. */
  lines: LedgerLine[]
}

/**
 * The one place that says what must go back and what is owed of an order. Of a canceled order, everything goes back. Of another one,
 * it is the larger of two sums, the refunds asked for and what was paid too much: a refund uses up the latter first.
 */
export function dueOf({ isCanceled, outstanding, payments, lines }: OrderAccount) {
  const kept = payments.filter(({ isReversed }) => !isReversed)
  const unbooked = sumOf(kept.map(({ unbooked: amount }) => ({ amount })))
  const held = remainder(sumOf(kept), unbooked)
  const asked = openRequests(lines)
  const reversed = sumOf(payments.filter(({ isReversed }) => isReversed))
  const overpaid = remainder(0, outstanding)
  const missing = remainder(outstanding, 0)
  const accepted = amountOf(lines, "accepted")
  const waived = amountOf(lines, "waived")
  const excess = isCanceled
    ? "0"
    : remainder(remainder(overpaid, addAmounts(reversed, unbooked)), waived)
  const mostBack = larger(sumOf(asked), isCanceled ? remainder(held, waived) : excess)
  return {
    /** Must still go back. */
    back: smaller(mostBack, held),
    /** The part of an order that lives by which it was paid too much, which is in `back`. */
    excess: smaller(excess, held),
    /** The refunds that were asked for and not answered. */
    asked,
    /** Is owed, and nobody has accepted that. */
    owed: isCanceled ? "0" : remainder(missing, accepted),
    /** Lines to add to the ledger, because less is owed or too much by now than people had accepted or waived. */
    shrunk: isCanceled
      ? []
      : [
          ...shrunkTo("accepted", accepted, missing),
          ...shrunkTo("waived", waived, remainder(overpaid, reversed)),
        ],
  }
}

/** The refunds asked for since none was open, and what of them is: money that goes back answers the oldest first. */
function openRequests(lines: LedgerLine[]): LedgerLine[] {
  let open: LedgerLine[] = []
  for (const line of lines) {
    if (line.kind === "asked") open = [...open, line]
    else if (line.kind === "waived" && !line.transaction_row_id && isOwed(line.amount)) open = []
    else if (isProof(line)) open = answered(open, line.amount)
  }
  return open
}

function answered(open: LedgerLine[], amount: string): LedgerLine[] {
  let left = remainder(amount, 0)
  return open.flatMap((line) => {
    const now = remainder(line.amount, left)
    left = remainder(left, line.amount)
    return isOwed(now) ? [{ ...line, amount: now }] : []
  })
}

export function amountOf(lines: (Kind & Pick<LedgerLine, "amount">)[], kind: LedgerKind): string {
  return sumOf(lines.filter((line) => line.kind === kind))
}

function shrunkTo<Kind extends "accepted" | "waived">(kind: Kind, decided: string, now: string) {
  const less = subtractAmounts(now, decided)
  return isOwed(remainder(0, less)) ? [{ kind, amount: less }] : []
}

/** A line with Medusa's refund that it proves; null while it proves none. */
type OfRefund = LedgerLine & { refund_id: string | null }

/** Medusa's refunds that have a proof. Core may still be at the others, or was killed. */
export function provenRefunds<Refund extends { id: string }>(
  entries: OfRefund[],
  refunds: Refund[]
): Refund[] {
  const proven = entries.filter(isProof).map(({ refund_id }) => refund_id)
  return refunds.filter(({ id }) => proven.includes(id))
}

/** The proofs that none of Medusa's refunds has; those of a reversal come last. */
export function unusedProofs<Line extends OfRefund>(
  entries: Line[],
  refunds: { id: string }[]
): Line[] {
  return entries
    .filter((one) => isProof(one) && !refunds.some(({ id }) => id === one.refund_id))
    .toSorted((one, other) => Number(isReversal(one)) - Number(isReversal(other)))
}
