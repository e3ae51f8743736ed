import type { TransactionRow } from "../../../src/modules/payment-service"
import { addAmounts } from "../../../src/values/amount"
import { daysOf, type Period } from "../../../src/values/local-days"
import { addRows } from "../add-rows"
import { adminOf } from "../admin"
import { stopWatcher } from "../passes"
import type { TestStore } from "../store"

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const FIRST = Date.parse("2026-03-25T21:00:00Z")
const ZONE = "Europe/Berlin"
/** The clock is set forward in Berlin on the 29th; the first and the last day are parts of days. */
const PERIOD = { from: new Date(FIRST + 2 * 60 * MINUTE), to: new Date(FIRST + 8.3 * DAY) }

const NOT_KEPT = ["reversed", "merchant_differs", "reference_differs"]

interface PaidSum {
  method: string
  currency: string
  count: number
  amount: string
  commission: null
  commission_usdt: null
}

export function figuresOfPeriods(store: TestStore): void {
  const admin = adminOf(store)

  /** Numbers that are the same in each run. */
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T

  /** Opened in the period, the one before or around them, for one of a few carts, and paid some time later or never. */
  const anyRow = () => {
    const opened = new Date(FIRST - 10 * DAY + random(20 * 24 * 60) * MINUTE)
    const isPaid = random(3) > 0
    const paid_at = isPaid
      ? new Date(opened.getTime() + random(2_000) * 1_000 + random(1_000))
      : null
    return {
      opened_at: opened,
      method: pick(["sbp", "crypto"]),
      currency: pick(["RUB", "USD"]),
      payment_collection_id: `pay_col_${random(80)}`,
      amount: `${random(1000)}.${10 + random(90)}`,
      state: isPaid ? ("paid" as const) : pick(["pending", "expired"] as const),
      paid_at,
      // Some of them no order has.
      settled_at: random(5) ? paid_at : null,
      read_amount: random(2) ? `${random(1000)}.5` : null,
      read_currency: null,
      exception: random(5) ? null : pick(["reversed", "merchant_differs", "amount_less"] as const),
      handled: random(9)
        ? null
        : {
            at: opened.toISOString(),
            as: pick(["paid", "reversed"] as const),
            amount: null,
            currency: null,
          },
    }
  }

  it("are what the rows say, by the days of the admin's zone", async () => {
    await stopWatcher(store)
    const [deleted] = await addRows(store, Array.from({ length: 300 }, anyRow))
    await store.module.softDeleteTransactions(deleted!.id)
    const rows = await store.module.listTransactions({}, { take: null })
    const asked = new URLSearchParams({
      from: PERIOD.from.toISOString(),
      to: PERIOD.to.toISOString(),
      time_zone: ZONE,
    })
    const { data } = await admin.get(`/admin/payment-service/overview?${asked.toString()}`)
    const told = data.before as { from: string; to: string }
    const before = { from: new Date(told.from), to: new Date(told.to) }
    const shown = data.paid as Record<"days" | "totals" | "before", PaidSum[]>
    for (const sum of Object.values(shown).flat()) sum.amount = addAmounts(sum.amount, "0")
    const days = daysOf(PERIOD, ZONE).flatMap(({ day, ...span }) =>
      paidIn(rows, span).map((sum) => ({ day, ...sum }))
    )
    expect(days.length).toBeGreaterThan(20)
    const { carts, time_to_pay } = data
    const not_paid = (data.not_paid as (PaidSum & { status: string })[]).map((sum) => ({
      ...sum,
      amount: addAmounts(sum.amount, "0"),
    }))
    expect(new Set(not_paid.map(({ status }) => status)).size).toBe(3)
    expect({ paid: shown, not_paid, carts, time_to_pay }).toEqual({
      paid: {
        days,
        totals: paidIn(rows, PERIOD),
        before: paidIn(rows, before),
        apart: apartIn(rows, PERIOD),
        refunds: [],
      },
      not_paid: notPaidIn(rows, PERIOD),
      carts: { ...cartsIn(rows, PERIOD), before: cartsIn(rows, before) },
      time_to_pay: { ...timeToPayIn(rows, PERIOD), before: timeToPayIn(rows, before) },
    })
  })
}

/** The figures of a period, by a rule for each of them and no statement. */
const paidIn = (rows: TransactionRow[], period: Period) =>
  sumsOf(rows.filter((row) => wasPaid(row) && row.settled_at && isIn(row.paid_at, period)))

/** The payments that no order has. */
const apartIn = (rows: TransactionRow[], period: Period) =>
  sumsOf(rows.filter((row) => wasPaid(row) && !row.settled_at && isIn(row.paid_at, period))).map(
    (sum) => ({ status: "waits", ...sum })
  )

/** The other payments that were opened in the period, by state; those that were paid have another owner, or were taken back. */
function notPaidIn(rows: TransactionRow[], period: Period): (PaidSum & { status: string })[] {
  const isNotKept = ({ exception }: TransactionRow) => NOT_KEPT.includes(exception ?? "")
  const opened = rows.filter(
    (row) => (row.state !== "paid" || isNotKept(row)) && isIn(row.opened_at, period)
  )
  return ["expired", "paid", "pending"]
    .flatMap((state) => {
      const status = state === "paid" ? "not_kept" : state
      return sumsOf(opened.filter((row) => row.state === state)).map((sum) => ({ status, ...sum }))
    })
    .sort((one, other) => (one.status < other.status ? -1 : one.status > other.status ? 1 : 0))
}

function sumsOf(rows: TransactionRow[]): PaidSum[] {
  const sums: Record<string, PaidSum> = {}
  for (const row of rows) {
    const [method, currency] = [row.method, row.read_currency ?? row.currency]
    const none = { count: 0, amount: "0", commission: null, commission_usdt: null }
    const sum = (sums[`${method} ${currency}`] ??= { method, currency, ...none })
    sum.count++
    sum.amount = addAmounts(sum.amount, row.read_amount ?? row.amount)
  }
  return Object.keys(sums)
    .sort()
    .map((key) => sums[key]!)
}

function cartsIn(rows: TransactionRow[], period: Period): { opened: number; paid: number } {
  const opened = rows.filter(({ opened_at }) => isIn(opened_at, period))
  const carts = (of: TransactionRow[]) =>
    new Set(of.map(({ payment_collection_id }) => payment_collection_id)).size
  return { opened: carts(opened), paid: carts(opened.filter(({ state }) => state === "paid")) }
}

function timeToPayIn(rows: TransactionRow[], period: Period): { median: number; p90: number } {
  const seconds = rows
    .filter((row) => wasPaid(row) && isIn(row.paid_at, period))
    .map(({ opened_at, paid_at }) => Math.round((Number(paid_at) - Number(opened_at)) / 1_000))
    .sort((one, other) => one - other)
  const within = (share: number) => seconds[Math.ceil(share * seconds.length) - 1]!
  return { median: within(0.5), p90: within(0.9) }
}

const wasPaid = ({ state, exception, handled }: TransactionRow) =>
  state === "paid" && !NOT_KEPT.includes(exception ?? "") && handled?.as !== "reversed"

const isIn = (moment: Date | null, { from, to }: Period) =>
  moment !== null && moment >= from && moment < to
