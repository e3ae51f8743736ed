import {
  compareRecord,
  isComparisonDue,
  type LastRun,
  type ListedRecord,
  spanToCompare,
  surelyListed,
} from "../../../src/reconciliation/rules/comparison"
import type { Transaction } from "../../../src/payments/rules/transaction"
import { aRow as anyRow, STATUSES } from "../payments/situations"

const LISTED_AT = new Date("2026-03-01T00:20:00.000Z")
const before = (minutes: number) => new Date(LISTED_AT.getTime() - minutes * 60_000)
const KEY = "1fe48906-31d7-46fb-b9a3-eddcf17b3d78"

function aRecord(changes: Partial<ListedRecord> = {}): ListedRecord {
  return {
    recordId: KEY,
    amount: "1199.99",
    currencyCode: "RUB",
    status: "Done",
    payload: "pstx_01",
    ...changes,
  }
}

/** Opened two days ago, not paid. */
function aRow(changes: Partial<Transaction> = {}): Transaction {
  const opened_at = before(2 * 24 * 60)
  const known = { transaction_id: KEY, status: "PENDING" }
  return anyRow({ ...known, opened_at, ...changes })
}

const aPaidRow = (changes: Partial<Transaction> = {}) =>
  aRow({
    state: "paid",
    status: "Done",
    read_amount: "1199.99",
    read_currency: "RUB",
    paid_at: before(24 * 60),
    settled_at: before(24 * 60),
    ...changes,
  })

const compare = (record: ListedRecord, row: Transaction | null) =>
  compareRecord(record, row, STATUSES, LISTED_AT)

describe("a record of the list compared with our row (promise 13)", () => {
  const unbound = { transaction_id: null, status: null } as const
  const lost = aRow({ ...unbound, state: "unknown" })
  const opening = aRow({ ...unbound, state: "creating", opened_at: before(1) })
  const unsettled = (exception: Transaction["exception"] = null) =>
    aPaidRow({ settled_at: null, exception })
  const BACK = { status: "TakenBack" }
  const reversed = aPaidRow({ exception: "reversed", ...BACK })
  const paidAfter = aPaidRow({ paid_at: before(30) })
  const handled = (changes: Partial<Transaction> = {}) =>
    aPaidRow({ handled_at: before(9), ...changes })
  it.each<[string, Partial<ListedRecord>, Transaction | null, string | null]>([
    ["paid there, no row", {}, null, "not_here"],
    ["not paid there, no row", { status: "CANCELED" }, null, null],
    ["of an unknown status, no row", { status: "New" }, null, null],
    ["paid there, reply lost", {}, lost, "not_bound"],
    ["paid there, refused here", {}, aRow({ ...unbound, state: "refused" }), "not_bound"],
    ["paid there, long being opened", {}, aRow({ ...unbound, state: "creating" }), "not_bound"],
    ["paid there, being opened just now", {}, opening, null],
    ["pending there, reply lost", { status: "PENDING" }, lost, null],
    ["paid there, pending here", {}, aRow(), "paid_there"],
    ["paid there, expired here", {}, aRow({ state: "expired" }), "paid_there"],
    ["paid there, reversed here", {}, aPaidRow({ exception: "reversed" }), "paid_there"],
    ["paid on both sides", {}, aPaidRow(), null],
    ["paid on both sides, other paid name", { status: "Settled" }, aPaidRow(), null],
    ["the amount without zeros", { amount: "1199.990" }, aPaidRow(), null],
    ["the currency in lower case", { currencyCode: "rub" }, aPaidRow(), null],
    ["another amount", { amount: "1199.98" }, aPaidRow(), "amount"],
    ["another currency", { currencyCode: "USD" }, aPaidRow(), "amount"],
    ["what was read, not what was asked", { amount: "5" }, aPaidRow({ read_amount: "5.00" }), null],
    ["a row from before reads were kept", {}, aPaidRow({ read_amount: null }), null],
    ["paid, Medusa has not followed", {}, unsettled(), "not_settled"],
    ["paid, Medusa could not follow", {}, unsettled("completion_failed"), "not_settled"],
    ["paid, and a person's business already", {}, unsettled("session_gone"), null],
    ["taken care of, and taken back since", BACK, handled(), "not_paid_there"],
    ["taken back, and taken care of", BACK, handled({ exception: "reversed" }), null],
    ["the same, and paid after all", {}, handled({ exception: "reversed" }), "paid_there"],
    ["taken care of, and pending in a list that is behind", { status: "PENDING" }, handled(), null],
    ["taken care of, and more now", { amount: "1200" }, handled(), "amount"],
    ["taken care of, the same sum", {}, handled(), null],
    ["reversed since", BACK, aPaidRow(), "not_paid_there"],
    ["reversed right after it was paid", BACK, aPaidRow({ paid_at: before(1) }), "not_paid_there"],
    ["canceled since", { status: "CANCELED" }, aPaidRow(), "not_paid_there"],
    ["pending there, paid long ago here", { status: "Waiting" }, aPaidRow(), "not_paid_there"],
    ["a list from before the payment", { status: "PENDING" }, paidAfter, null],
    ["reversed on both sides", BACK, reversed, null],
    ["reversed here, pending there", { status: "PENDING" }, reversed, "status"],
    ["paid here, unknown there", { status: "New" }, aPaidRow(), "status"],
    ["the same unknown status", { status: "New" }, aPaidRow({ status: "New" }), null],
    ["canceled there, pending here", { status: "Declined" }, aRow(), "status"],
    ["the same status", { status: "PENDING" }, aRow(), null],
    ["closed by our clock", { status: "PENDING" }, aRow({ state: "expired" }), null],
    ["expired on both sides", { status: "TooLate" }, aRow({ state: "expired" }), null],
    ["a pending sum that differs", { status: "PENDING", amount: "1" }, aRow(), null],
  ])("%s", (_, changes, row, difference) => {
    expect(compare(aRecord(changes), row)).toBe(difference)
  })
})

const at = (text: string) => new Date(`2026-03-${text}:00.000Z`)

function finished(changes: Partial<LastRun> = {}): LastRun {
  return {
    from: at("01T00:20"),
    to: at("08T00:20"),
    finished_at: at("08T00:25"),
    error: null,
    reasons: null,
    ...changes,
  }
}

describe("when a comparison is due (promise 13)", () => {
  it("is the first time at once, and when the last one died", () => {
    expect(isComparisonDue(null, at("08T14:20"))).toBe(true)
    expect(isComparisonDue(finished({ finished_at: null }), at("08T00:30"))).toBe(true)
  })

  it("is once in each day of UTC, however late the last one came", () => {
    expect(isComparisonDue(finished(), at("08T23:59"))).toBe(false)
    expect(isComparisonDue(finished(), at("09T00:00"))).toBe(true)
    const late = finished({ to: at("08T23:20"), finished_at: at("08T23:25") })
    expect(isComparisonDue(late, at("09T00:20"))).toBe(true)
  })

  it("is again three hours after a failure", () => {
    const last = finished({ error: "not available" })
    expect(isComparisonDue(last, at("08T03:24"))).toBe(false)
    expect(isComparisonDue(last, at("08T03:25"))).toBe(true)
  })

  it("is not before the next day when only some records could not be read", () => {
    const unreadable = { code: "records_unreadable", detail: "" } as const
    const last = finished({
      error: "1 of the list's records could not be read",
      reasons: [unreadable],
    })
    expect(isComparisonDue(last, at("08T23:59"))).toBe(false)
    expect(isComparisonDue(last, at("09T00:00"))).toBe(true)
    for (const reasons of [[], [unreadable, { code: "timeout", detail: "" } as const]]) {
      expect(isComparisonDue({ ...last, reasons }, at("08T23:59"))).toBe(true)
    }
  })
})

it("a comparison covers 35 days, and leaves a margin at both ends for what the list need not have", () => {
  expect(spanToCompare(at("08T14:20"))).toEqual({
    from: new Date("2026-02-01T14:20:00.000Z"),
    to: at("08T14:20"),
  })
  expect(surelyListed(finished())).toEqual({ from: at("02T00:20"), to: at("07T23:20") })
})
