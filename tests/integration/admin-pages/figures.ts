import { addAmounts } from "../../../src/settlement/amount"
import { cartsIn, type Figures, paidIn, timeToPayIn } from "../../../src/settlement/figures"
import { daysOf, type Period } from "../../../src/settlement/local-days"
import type { TransactionRow } from "../../../src/modules/payment-service"
import forgetOld from "../../../src/jobs/forget-old"
import { addRows } from "../add-rows"
import { withoutWatcher } from "../passes"
import type { TestStore } from "../store"

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const FIRST = Date.parse("2026-03-25T21:00:00Z")
/** The clock is set forward in Berlin on the 29th, and the last day is a part of one. */
const PERIOD = { from: new Date(FIRST + 2 * 60 * MINUTE), to: new Date(FIRST + 8.3 * DAY) }
const DAYS = daysOf(PERIOD, "Europe/Berlin")

export function figuresOfDays(store: TestStore): void {
  /** Numbers that are the same in each run. */
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T

  /** Opened on one of the days or around them, for one of a few carts, and paid some time later or never. */
  const anyRow = () => {
    const opened = new Date(FIRST - DAY + random(10 * 24 * 60) * MINUTE)
    const isPaid = random(3) > 0
    return {
      ...{ opened_at: opened, method: pick(["sbp", "crypto"]), currency: pick(["RUB", "USD"]) },
      cart_id: random(4) ? `cart_${random(25)}` : null,
      payment_collection_id: `pay_col_${random(10)}`,
      amount: `${random(1000)}.${10 + random(90)}`,
      state: isPaid ? ("paid" as const) : pick(["pending", "expired"] as const),
      paid_at: isPaid ? new Date(opened.getTime() + random(2_000) * 1_000 + random(1_000)) : null,
      read_amount: random(2) ? `${random(1000)}.5` : null,
      read_currency: null,
      exception: random(5) ? null : pick(["reversed", "merchant_differs", "amount_less"] as const),
    }
  }

  const change = async (row: TransactionRow) => {
    const { opened_at, cart_id, payment_collection_id, ...rest } = anyRow()
    const { state, paid_at, exception, amount, method, currency, read_amount } = rest
    const changes = pick<Partial<TransactionRow>>([
      { state, paid_at },
      { state: "paid", paid_at: paid_at ?? new Date(row.opened_at.getTime() + 3 * DAY) },
      { opened_at },
      { cart_id, payment_collection_id },
      { exception },
      { handled_as: pick(["paid", "reversed", null]) },
      { amount, read_amount, currency },
      { method },
      // Nothing that the figures tell of.
      { hinted_at: new Date() },
    ])
    await store.module.updateTransactions({ id: row.id, ...changes })
  }

  const rowsNow = async () =>
    (await store.module.listTransactions({}, { take: null })) as TransactionRow[]

  const expectSameAsRows = async () => {
    const figures = await store.module.dayFigures.of(DAYS)
    const rows = await rowsNow()
    for (const [index, day] of DAYS.entries()) {
      const { paid, times_to_pay, carts_opened, carts_paid } = figures[index]!
      const shown = {
        paid: paid.map((sum) => ({ ...sum, amount: addAmounts(sum.amount, "0") })),
        times_to_pay: [...times_to_pay].sort(([one], [other]) => one - other),
        ...{ carts_opened, carts_paid },
      }
      expect({ day, ...shown }).toEqual({ day, ...figuresOf(rows, day) })
    }
    return figures
  }
  const daysStored = async () => await store.module.listDayFigures({}, { take: null })

  it("are stored, and are what the rows say, whatever changes", async () => {
    await withoutWatcher(store, async () => {
      await addRows(store, Array.from({ length: 150 }, anyRow))
      const figures = await expectSameAsRows()
      expect(paidIn(figures).length).toBeGreaterThan(2)
      expect(cartsIn(figures).paid).toBeGreaterThan(0)
      expect(timeToPayIn(figures).median).toBeGreaterThan(0)
      // The first and the last are parts of days, and counted each time.
      const stored = await daysStored()
      expect(stored).toHaveLength(DAYS.length - 1)

      for (let step = 0; step < 40; step++) {
        const rows = await rowsNow()
        const deed = random(10)
        if (deed === 0) await addRows(store, [anyRow()])
        else if (deed === 1) await store.module.deleteTransactions(pick(rows).id)
        else if (deed === 2) await store.module.softDeleteTransactions(pick(rows).id)
        else await change(pick(rows))
        await expectSameAsRows()
      }
    })
  })

  it("are counted again only for the days that a change is about", async () => {
    await withoutWatcher(store, async () => {
      const opened_at = new Date(FIRST + 4 * DAY + 5 * MINUTE)
      const [row] = await addRows(store, [{ opened_at }])
      await expectSameAsRows()
      const before = await daysStored()
      await store.module.updateTransactions({ id: row!.id, hinted_at: new Date() })
      await expectSameAsRows()
      expect((await daysStored()).map(({ id }) => id).sort()).toEqual(
        before.map(({ id }) => id).sort()
      )
      const paid_at = new Date(opened_at.getTime() + 2 * MINUTE)
      await store.module.updateTransactions({ id: row!.id, state: "paid", paid_at })
      await expectSameAsRows()
      const ids = (await daysStored()).map(({ id }) => id)
      expect(before.filter(({ id }) => !ids.includes(id))).toMatchObject([{ carts_opened: 1 }])
      expect(await store.module.listChangedMoments({})).toEqual([])
    })
  })

  it("are right when many look while payments change", async () => {
    await withoutWatcher(store, async () => {
      await addRows(store, Array.from({ length: 60 }, anyRow))
      const rows = await rowsNow()
      await Promise.all([
        ...rows.map((row) => change(row)),
        ...Array.from({ length: 12 }, () => store.module.dayFigures.of(DAYS)),
        ...Array.from({ length: 3 }, () => forgetOld(store.container)),
      ])
      await expectSameAsRows()
      await forgetOld(store.container)
      expect(await store.module.listChangedMoments({})).toEqual([])
      await expectSameAsRows()
    })
  })
}

/** The figures of a span, by a rule for each of them and no statement. */
function figuresOf(rows: TransactionRow[], { from, to }: Period): Figures {
  const isIn = (moment: Date | null) => moment !== null && moment >= from && moment < to
  const isOurs = ({ state, exception, handled_as }: TransactionRow) =>
    state === "paid" &&
    !["reversed", "merchant_differs", "reference_differs"].includes(exception ?? "") &&
    handled_as !== "reversed"
  const paid = rows.filter((row) => isOurs(row) && isIn(row.paid_at))
  const times = new Map<number, number>()
  const sums: Record<string, Figures["paid"][number]> = {}
  for (const row of paid) {
    const [method, currency] = [row.method, row.read_currency ?? row.currency]
    const sum = (sums[`${method} ${currency}`] ??= { method, currency, count: 0, amount: "0" })
    sum.count++
    sum.amount = addAmounts(sum.amount, row.read_amount ?? row.amount)
    const seconds = Math.round((Number(row.paid_at) - Number(row.opened_at)) / 1_000)
    times.set(seconds, (times.get(seconds) ?? 0) + 1)
  }
  const byCart = new Map<string, TransactionRow[]>()
  for (const row of rows) {
    const cart = row.cart_id ?? row.payment_collection_id
    byCart.set(cart, [...(byCart.get(cart) ?? []), row])
  }
  const carts = [...byCart.values()].filter((attempts) =>
    isIn(new Date(Math.min(...attempts.map(({ opened_at }) => Number(opened_at)))))
  )
  return {
    paid: Object.entries(sums)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, sum]) => sum),
    times_to_pay: [...times].sort(([one], [other]) => one - other),
    carts_opened: carts.length,
    carts_paid: carts.filter((attempts) => attempts.some(({ state }) => state === "paid")).length,
  }
}
