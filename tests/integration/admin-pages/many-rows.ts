import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import { adminOf } from "../admin"
import type { TestStore } from "../store"

const ADDRESS = "/admin/payment-service"
const ROWS = 100_000
/** Answers take a hundredth of it; benchmarks measure that, see `bench/figures/dashboard.ts`. */
const SLOWEST_MS = 10_000
/** Longer lists are not counted to their end. */
const MOST_COUNTED = 10_000

interface Listed {
  id: string
  amount?: string
}

/** Lists that are 100,000 rows long; one row is made each minute, the last one a minute ago. */
export function listsOfManyRows(store: TestStore): void {
  const admin = adminOf(store)
  const fill = async () => {
    const knex = store.container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
    for (const statement of [PAYMENTS, PROBLEMS, PAYOUTS]) {
      await knex.raw(statement, { rows: ROWS, merchant: store.simulator.merchantId })
    }
    await knex.raw("analyze payment_service_transaction")
  }

  const list = async (name: string, query: Record<string, string> = {}) => {
    const asked = new URLSearchParams(query).toString()
    const began = performance.now()
    const { status, data } = await admin.get(`${ADDRESS}/${name}?${asked}`)
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(data)}`)
    const isSlow = performance.now() - began > SLOWEST_MS
    expect({ name, query, isSlow }).toEqual({ name, query, isSlow: false })
    return { count: Number(data.count), rows: data[name] as Listed[] }
  }
  const ids = ({ rows }: { rows: Listed[] }) => rows.map(({ id }) => id)

  const readThePayments = async () => {
    const first = await list("transactions", { limit: "200" })
    expect([first.count, first.rows.length]).toEqual([MOST_COUNTED, 200])
    expect(first.rows[0]?.id).toBe("pstx_long1")
    const end = await list("transactions", { limit: "200", offset: String(ROWS - 1) })
    expect(end.rows[0]?.id).toBe(`pstx_long${ROWS}`)
    const ofStatus = await list("transactions", { status: "CONFIRMED", limit: "1" })
    expect([ofStatus.count, ids(ofStatus)]).toEqual([MOST_COUNTED, ["pstx_long1"]])
    // The beginning of every cart's id.
    const ofAll = await list("transactions", { q: "cart_long", order: "opened_at", limit: "1" })
    expect([ofAll.count, ids(ofAll)]).toEqual([MOST_COUNTED, [`pstx_long${ROWS}`]])
    const biggest = await list("transactions", { order: "-amount", limit: "1" })
    expect(biggest.rows).toMatchObject([{ amount: "2000001" }])
    for (const [query, found] of [
      [{ q: "2000001" }, [`pstx_long${ROWS}`]],
      [{ q: "cart_long77777" }, ["pstx_long77777"]],
      [{ q: "payses_long77778" }, ["pstx_long77778"]],
      [{ exception: "amount_less" }, [`pstx_long${ROWS}`]],
      [{ status: "PAID_IN_PART" }, [`pstx_long${ROWS}`]],
      [{ q: "nobody@elsewhere.test" }, []],
      [{ status: "NEVER_SEEN" }, []],
      [{ method: "crypto", order: "-amount" }, []],
      [{ standing: "waiting_for_medusa", order: "paid_at" }, []],
    ] as const) {
      const answer = await list("transactions", query)
      expect({ query, found: ids(answer), count: answer.count }).toEqual({
        query,
        found,
        count: found.length,
      })
    }
  }

  const readTheProblems = async () => {
    const all = await list("problems", { kind: "amount_differs", status: "closed", limit: "200" })
    expect([all.count, all.rows.length, all.rows[0]?.id]).toEqual([
      MOST_COUNTED,
      200,
      "psprob_long1",
    ])
    const end = await list("problems", {
      kind: "amount_differs",
      status: "closed",
      limit: "200",
      offset: String(ROWS - 1),
    })
    expect(ids(end)).toEqual([`psprob_long${ROWS}`])
    expect(ids(await list("problems", { q: "cart_long77777" }))).toEqual(["psprob_long77777"])
    const byAmount = await list("problems", { order: "-amount", limit: "1" })
    expect(ids(byAmount)).toEqual([`psprob_long${ROWS}`])
    expect(ids(await list("problems", { q: "nobody@elsewhere.test" }))).toEqual([])
  }

  const readThePayouts = async () => {
    const first = await list("payouts", { limit: "200" })
    expect([first.count, first.rows.length, first.rows[0]?.id]).toEqual([
      ...[MOST_COUNTED, 200, "pspo_long1"],
    ])
    const end = await list("payouts", { limit: "200", offset: String(ROWS - 1) })
    expect(ids(end)).toEqual([`pspo_long${ROWS}`])
    expect(ids(await list("payouts", { q: "87499" }))).toEqual([`pspo_long${ROWS}`])
  }

  const readTheOverview = async () => {
    const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString()
    const asked = new URLSearchParams({ from: day(60), to: day(30) }).toString()
    const { status, data } = await admin.get(`${ADDRESS}/overview?${asked}`)
    expect(status).toBe(200)
    const { paid } = data.carts as { paid: number }
    expect(paid).toBeGreaterThanOrEqual(30 * 24 * 60)
  }

  // One test reads them all: the tables are put back after it.
  it("are read page by page to the end, searched, filtered and sorted", async () => {
    await fill()
    await readThePayments()
    await readTheProblems()
    await readThePayouts()
    await readTheOverview()
  })
}

const AT = "now() - n * interval '1 minute'"

/** Paid ones of 1,000 rubles each; the last one was paid less, of the largest sum. */
const PAYMENTS = `insert into payment_service_transaction (id, account, base_url, merchant_id, method,
    session_id, first_session_id, payment_collection_id, cart_id, amount, currency, description, transaction_id,
    opened_at, expires_at, state, published_state, status, read_at, paid_at, settled_at, exception, exception_at, handled_at)
  select 'pstx_long' || n, 'main', 'https://pay.test', :merchant, 'sbp', 'payses_long' || n,
    'payses_long' || n, 'pay_col_long' || n, 'cart_long' || n, case when n = :rows then '2000001' else '1000' end, 'RUB', 'Tea',
    md5('long' || n)::uuid, ${AT}, ${AT} + interval '15 minutes', 'paid', 'paid',
    case when n = :rows then 'PAID_IN_PART' else 'CONFIRMED' end, ${AT}, ${AT}, ${AT}, case when n = :rows then 'amount_less' end, case when n = :rows then ${AT} end,
    case when n = :rows then now() end
  from generate_series(1, :rows::int) n`

const PROBLEMS = `insert into payment_service_problem (id, kind, cause, transaction_row_id, cart_id, facts, amount,
    currency, opened_at, last_seen_at, closed_at, resolution)
  select 'psprob_long' || n, 'amount_differs', 'transaction:pstx_long' || n, 'pstx_long' || n, 'cart_long' || n,
    jsonb_build_object('row', 'pstx_long' || n, 'exception', 'amount_less', 'late', false, 'reasons', '[]'::jsonb,
      'asked', jsonb_build_object('amount', '1000', 'currency', 'RUB'),
      'paid', jsonb_build_object('amount', '900', 'currency', 'RUB')),
    (100 + n)::text, 'RUB', ${AT}, ${AT}, ${AT}, 'handled'
  from generate_series(1, :rows::int) n`

const PAYOUTS = `insert into payment_service_payout (id, state, account, base_url, merchant_id, amount, card_id,
    card_last4, idempotency_key, attempts, limit_day, made_by, made_by_name, made_at, sent_at)
  select 'pspo_long' || n, 'created', 'main', 'https://pay.test', :merchant, case when n = :rows then 87499 else 1000 end,
    'card', '4242', 'long_' || n, 1, '2026-01-01', 'user', 'Anna', ${AT}, ${AT}
  from generate_series(1, :rows::int) n`
