import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import { adminOf } from "../admin"
import type { TestStore } from "../store"

const ROWS = 30_000
/** Answers take a hundredth of it; benchmarks measure that, see `bench/figures/dashboard.ts`. */
const SLOWEST_MS = 10_000
/** Longer lists are not counted to their end. */
const MOST_COUNTED = 10_000

interface Listed {
  id: string
  amount?: string
}

/** Lists that are longer than what is counted; one row is made each minute, the last one a minute ago. */
export function listsOfManyRows(store: TestStore): void {
  const admin = adminOf(store)
  const list = async (query: Record<string, string>) => {
    const asked = new URLSearchParams(query).toString()
    const began = performance.now()
    const { status, data } = await admin.get(`/admin/payment-service/transactions?${asked}`)
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(data)}`)
    const isSlow = performance.now() - began > SLOWEST_MS
    expect({ query, isSlow }).toEqual({ query, isSlow: false })
    return { count: Number(data.count), rows: data.transactions as Listed[] }
  }

  it("are read page by page to the end, searched, filtered and sorted (promise 20)", async () => {
    const knex = store.container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
    await knex.raw(PAYMENTS, { rows: ROWS, merchant: store.simulator.merchantId })
    await knex.raw("analyze payment_service_transaction")
    const first = await list({ limit: "200" })
    expect([first.count, first.rows.length]).toEqual([MOST_COUNTED, 200])
    expect(first.rows[0]?.id).toBe("pstx_long1")
    const end = await list({ limit: "200", offset: String(ROWS - 1) })
    expect(end.rows[0]?.id).toBe(`pstx_long${ROWS}`)
    const biggest = await list({ order: "-amount", limit: "1" })
    expect(biggest.rows).toMatchObject([{ amount: "2000001" }])
    for (const [query, found] of [
      [{ q: "2000001" }, [`pstx_long${ROWS}`]],
      [{ q: "cart_long27777" }, ["pstx_long27777"]],
      [{ exception: "amount_less" }, [`pstx_long${ROWS}`]],
      [{ status: "PAID_IN_PART" }, [`pstx_long${ROWS}`]],
      [{ q: "nobody@elsewhere.test" }, []],
      [{ method: "crypto", order: "-amount" }, []],
      [{ standing: "waiting_for_medusa", order: "paid_at" }, []],
    ] as const) {
      const { rows, count } = await list(query)
      const ids = rows.map(({ id }) => id)
      expect({ query, ids, count }).toEqual({ query, ids: found, count: found.length })
    }
    // Rows that are deleted one by one would be looked through by every later test.
    await knex.raw("truncate payment_service_transaction")
  })
}

const AT = "now() - n * interval '1 minute'"

/** Paid ones of 1,000 rubles each; the last one was paid less, of the largest sum. */
const PAYMENTS = `insert into payment_service_transaction (id, account, base_url, merchant_id, method,
    session_id, payment_collection_id, cart_id, amount, currency, description, transaction_id,
    opened_at, expires_at, state, published_state, status, read_at, paid_at, settled_at, exception, exception_at, handled_at)
  select 'pstx_long' || n, 'main', 'https://pay.test', :merchant, 'sbp', 'payses_long' || n,
    'pay_col_long' || n, 'cart_long' || n, case when n = :rows then '2000001' else '1000' end, 'RUB', 'Tea',
    md5('long' || n)::uuid, ${AT}, ${AT} + interval '15 minutes', 'paid', 'paid',
    case when n = :rows then 'PAID_IN_PART' else 'CONFIRMED' end, ${AT}, ${AT}, ${AT}, case when n = :rows then 'amount_less' end, case when n = :rows then ${AT} end,
    case when n = :rows then now() end
  from generate_series(1, :rows::int) n`
